# SPDX-License-Identifier: Apache-2.0
"""ASC017: a kernel that returns a value."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC017",
    name="kernel-returns-value",
    severity=Severity.ERROR,
    message="A kernel returns nothing.",
    help="Write the result to global memory with `asc.data_copy`; helper functions may return values.",
    message_zh="核函数没有返回值。",
    help_zh="请用 `asc.data_copy` 将结果写入全局内存；辅助函数可以有返回值。",
    source="pyasc 1.1.1 front end",
)


def report(span: Span) -> Diagnostic:
    """Make the diagnostic."""
    return RULE.report(span)
