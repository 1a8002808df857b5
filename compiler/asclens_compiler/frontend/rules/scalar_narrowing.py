# SPDX-License-Identifier: Apache-2.0
"""ASC107: the left operand's type silently cuts the other operand."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC107",
    name="scalar-narrowed",
    severity=Severity.WARNING,
    message="{what} is converted to {target} here, because the other operand decides the type{effect}.",
    help="Put the wider operand on the left, or cast explicitly with `.cast(...)`.",
    message_zh="由于类型由另一操作数决定，{what} 在此被转换为 {target}{effect}。",
    help_zh="请把更宽的操作数放在左侧，或用 `.cast(...)` 显式转换。",
    source="pyasc 1.1.1: the left run-time operand decides the type of every scalar operator",
)


def report(source: str, target: str, span: Span) -> Diagnostic:
    """Make the diagnostic for a run-time operand."""
    return RULE.report(span, what=f"A run-time {source}", target=target, effect="")


def report_constant(value: float, becomes: int, target: str, span: Span) -> Diagnostic:
    """Make the diagnostic for a float constant that becomes an integer."""
    return RULE.report(span, what=f"{value!r}", target=target, effect=f": it becomes {becomes}")
