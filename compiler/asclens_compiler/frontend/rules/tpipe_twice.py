# SPDX-License-Identifier: Apache-2.0
"""ASC402: a second TPipe."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Related, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC402",
    name="second-tpipe",
    severity=Severity.ERROR,
    message="This is a second TPipe, the first is made at line {line}; a kernel has one.",
    help="Pass the first one along, or get it with `asc.get_tpipe_ptr()`.",
    message_zh="这是第二个 TPipe，第一个在第 {line} 行创建；一个核函数只能有一个。",
    help_zh="请传递第一个，或用 `asc.get_tpipe_ptr()` 获取。",
    source="pyasc 1.1.1 front end",
)


def report(first: Span, span: Span) -> Diagnostic:
    """Make the diagnostic, pointing at the first TPipe."""
    related = (Related(span=first, message="The first TPipe"),)
    return RULE.report(span, line=first.line, related=related)
