# SPDX-License-Identifier: Apache-2.0
"""ASC806: a loop that counts down."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC806",
    name="downward-loop",
    severity=Severity.WARNING,
    message="pyasc 1.1.1 never runs a loop with step {step}; AscLens counts down as written.",
    help="Count up and compute the index: `for k in range(n): i = n - 1 - k`.",
    message_zh="pyasc 1.1.1 不会执行步长为 {step} 的循环；AscLens 按所写递减。",
    help_zh="请递增循环并计算下标：`for k in range(n): i = n - 1 - k`。",
    source="pyasc 1.1.1 emits `i < stop` for every step; probe y24",
)


def report(step: int, span: Span) -> Diagnostic:
    """Make the diagnostic."""
    return RULE.report(span, step=step)
