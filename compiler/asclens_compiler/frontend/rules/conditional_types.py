# SPDX-License-Identifier: Apache-2.0
"""ASC122: a conditional expression of different types."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC122",
    name="conditional-types",
    severity=Severity.ERROR,
    message="{fact}.",
    help="Cast one side, or use an `if` statement.",
    message_zh="{fact}。",
    help_zh="请转换其中一侧，或使用 `if` 语句。",
    source="pyasc 1.1.1 front end",
)


def report(first: str, second: str, span: Span) -> Diagnostic:
    """Report two number types."""
    return RULE.report(span, fact=f"Both sides of a run-time `if ... else` have one type, here {first} and {second}")


def report_values(span: Span) -> Diagnostic:
    """Report sides that are no numbers."""
    return RULE.report(span, fact="Both sides of a run-time `if ... else` expression are numbers")
