# SPDX-License-Identifier: Apache-2.0
"""ASC016: `return` inside a run-time block."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC016",
    name="return-in-block",
    severity=Severity.ERROR,
    message="`return` cannot stand inside a run-time `if`, `for` or `while`.",
    help="Invert the condition so that the rest of the body stands inside the `if`.",
    message_zh="`return` 不能位于运行期的 `if`、`for` 或 `while` 中。",
    help_zh="请反转条件，使其余代码位于 `if` 内。",
    source="pyasc 1.1.1 front end",
)


def report(span: Span) -> Diagnostic:
    """Make the diagnostic."""
    return RULE.report(span)
