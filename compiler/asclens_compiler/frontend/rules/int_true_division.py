# SPDX-License-Identifier: Apache-2.0
"""ASC106: `/` between integers."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC106",
    name="integer-true-division",
    severity=Severity.WARNING,
    message="`/` on {dtype} values divides toward zero and gives {dtype}, not a fraction.",
    help="Write `//` for the whole quotient, or cast to a float of the same width first.",
    message_zh="{dtype} 值上的 `/` 向零取整，结果为 {dtype} 而不是小数。",
    help_zh="取整商请写 `//`，或先转换为同宽度的浮点类型。",
    source="pyasc 1.1.1: `/` and `//` are both a signed integer division",
)


def report(dtype: str, span: Span) -> Diagnostic:
    """Make the diagnostic."""
    return RULE.report(span, dtype=dtype)
