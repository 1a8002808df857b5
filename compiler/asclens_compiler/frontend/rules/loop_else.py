# SPDX-License-Identifier: Apache-2.0
"""ASC019: `else` after a loop."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC019",
    name="loop-else",
    severity=Severity.ERROR,
    message="A loop in a kernel has no `else`.",
    help="Put the statements after the loop.",
    message_zh="核函数中的循环没有 `else`。",
    help_zh="请将这些语句放到循环之后。",
    source="pyasc 1.1.1 front end",
)


def report(loop: str, span: Span) -> Diagnostic:
    """Make the diagnostic at the first statement of the `else`; `loop` is `for` or `while`."""
    del loop
    return RULE.report(span)
