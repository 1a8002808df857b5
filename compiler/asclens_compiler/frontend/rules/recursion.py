# SPDX-License-Identifier: Apache-2.0
"""ASC024: a helper that calls itself."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC024",
    name="recursive-helper",
    severity=Severity.ERROR,
    message="`{name}` is called while it is being inlined: kernels have no recursion.",
    help="Write a loop.",
    message_zh="`{name}` 在内联过程中再次被调用：核函数不支持递归。",
    help_zh="请改写为循环。",
    source="pyasc 1.1.1 front end",
)


def report(name: str, span: Span) -> Diagnostic:
    """Make the diagnostic."""
    return RULE.report(span, name=name)
