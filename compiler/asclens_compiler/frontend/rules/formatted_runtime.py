# SPDX-License-Identifier: Apache-2.0
"""ASC110: a run-time value in an f-string."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC110",
    name="formatted-run-time-value",
    severity=Severity.WARNING,
    message=(
        "`{text}` is {what}; an f-string is formatted while the kernel is compiled, so its number is not in the text."
    ),
    help='Use `asc.printf("%d", {text})`.',
    message_zh="`{text}` 是{what}；f-string 在编译核函数时格式化，其中不会有它的数值。",
    help_zh='请使用 `asc.printf("%d", {text})`。',
    source="pyasc 1.1.1 prints the description of the compile-time object",
)


def report(text: str, what: str, span: Span) -> Diagnostic:
    """Make the diagnostic."""
    return RULE.report(span, text=text, what=what)
