# SPDX-License-Identifier: Apache-2.0
"""ASC105: a constant outside its type."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC105",
    name="constant-does-not-fit",
    severity=Severity.ERROR,
    message="{value} does not fit {dtype}, which holds {low} to {high}.",
    help="Give the other operand a wider type, for example `x.cast(asc.int64)`, or use a smaller constant.",
    message_zh="{value} 超出 {dtype} 的范围 {low} 到 {high}。",
    help_zh="请为另一操作数使用更宽的类型，例如 `x.cast(asc.int64)`，或使用更小的常量。",
    source="pyasc 1.1.1: get_i32() and its siblings refuse the value",
)


def report(value: int | float, dtype: DType, span: Span) -> Diagnostic:
    """Make the diagnostic."""
    low = -(1 << (dtype.bits - 1)) if dtype.is_signed else 0
    high = low + (1 << dtype.bits) - 1
    return RULE.report(span, value=value, dtype=dtype.value, low=low, high=high)
