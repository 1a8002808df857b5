# SPDX-License-Identifier: Apache-2.0
"""ASC025: parameters that kernels do not have."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC025",
    name="parameter-form",
    severity=Severity.ERROR,
    message="`{name}` takes a variable number of arguments (`*` or `**`), which kernels and helpers cannot.",
    help="List the parameters one by one.",
    message_zh="`{name}` 使用可变参数（`*` 或 `**`），核函数与辅助函数不支持。",
    help_zh="请逐个列出参数。",
    source="pyasc 1.1.1 front end",
)


def report(name: str, span: Span) -> Diagnostic:
    """Make the diagnostic."""
    return RULE.report(span, name=name)
