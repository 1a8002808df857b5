# SPDX-License-Identifier: Apache-2.0
"""ASC804: unsigned arithmetic that pyasc 1.1.1 cannot compile."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC804",
    name="unsigned-arithmetic",
    severity=Severity.WARNING,
    message="pyasc 1.1.1 cannot compile `{operator}` on {dtype} values; AscLens computes what is written.",
    help="Use a signed type of sufficient width, for example `asc.int64`.",
    message_zh="pyasc 1.1.1 无法编译 {dtype} 值上的 `{operator}`；AscLens 按所写计算。",
    help_zh="请使用足够宽的有符号类型，例如 `asc.int64`。",
    source="pyasc 1.1.1: the first pass refuses types that are not signless",
)


def report(operator: str, dtype: str, span: Span) -> Diagnostic:
    """Make the diagnostic."""
    return RULE.report(span, operator=operator, dtype=dtype)
