# SPDX-License-Identifier: Apache-2.0
"""ASC914: a count, repeat, mask or stride is outside what the instruction takes."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC914",
    name="operand-out-of-range",
    severity=Severity.ERROR,
    message="{operand} of `{op}` is {value}, allowed is {low} to {high}.",
    help="Keep {operand} between {low} and {high}; split the call when more is needed.",
    message_zh="`{op}` 的 {operand} 为 {value}，允许范围是 {low} 到 {high}。",
    help_zh="使 {operand} 保持在 {low} 到 {high} 之间；需要更多时拆分调用。",
    source="CANN Ascend C API reference, common parameters: mask, repeat times and strides.",
)
