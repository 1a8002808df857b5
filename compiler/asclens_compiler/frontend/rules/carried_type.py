# SPDX-License-Identifier: Apache-2.0
"""ASC120: a name whose type changes in a run-time block."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC120",
    name="type-changes-in-block",
    severity=Severity.ERROR,
    message="`{name}` is {before} before this run-time block and {after} inside.",
    help="Use another name for the new value, or cast it.",
    message_zh="`{name}` 在此运行期代码块之前是 {before}，块内变为 {after}。",
    help_zh="请为新值使用另一个名字，或进行转换。",
    source="pyasc 1.1.1 front end: names that a block re-assigns keep their type",
)


def report(name: str, before: str, after: str, span: Span) -> Diagnostic:
    """Make the diagnostic."""
    return RULE.report(span, name=name, before=before, after=after)
