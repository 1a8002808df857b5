# SPDX-License-Identifier: Apache-2.0
"""ASC109: an operator between values that do not have it."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC109",
    name="operand-types",
    severity=Severity.ERROR,
    message="`{operator}` is not defined between {left} and {right}.",
    help="Cast scalars to one type, or use the function for tensors (for example `asc.add`).",
    message_zh="{left} 与 {right} 之间没有 `{operator}` 运算。",
    help_zh="请将标量转换为同一类型，或使用张量函数（例如 `asc.add`）。",
    source="pyasc 1.1.1 front end",
)


def report(operator: str, left: str, right: str, span: Span) -> Diagnostic:
    """Make the diagnostic."""
    return RULE.report(span, operator=operator, left=left, right=right)
