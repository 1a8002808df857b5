# SPDX-License-Identifier: Apache-2.0
"""ASC104: a compile-time computation that has no value."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC104",
    name="compile-time-arithmetic",
    severity=Severity.ERROR,
    message="`{expression}` has no value: {reason}.",
    help="Change the operands; this is computed while the kernel is compiled.",
    message_zh="`{expression}` 无法求值：{reason}。",
    help_zh="请修改操作数；该表达式在编译核函数时求值。",
    source="Python semantics",
)


def report(expression: str, reason: str, span: Span) -> Diagnostic:
    """Make the diagnostic."""
    return RULE.report(span, expression=expression, reason=reason)
