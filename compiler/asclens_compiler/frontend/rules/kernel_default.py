# SPDX-License-Identifier: Apache-2.0
"""ASC808: a default value of a kernel parameter."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC808",
    name="kernel-default-ignored",
    severity=Severity.WARNING,
    message="pyasc 1.1.1 ignores the default of the kernel parameter `{name}`: leaving the argument out fails.",
    help="Pass the argument at every launch; helpers may have defaults.",
    message_zh="pyasc 1.1.1 忽略核函数参数 `{name}` 的默认值：省略该参数会失败。",
    help_zh="请在每次启动时传入该参数；辅助函数可以有默认值。",
    source="pyasc 1.1.1 binds launch arguments without defaults; probe y16",
)


def report(name: str, span: Span) -> Diagnostic:
    """Make the diagnostic."""
    return RULE.report(span, name=name)
