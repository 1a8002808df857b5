# SPDX-License-Identifier: Apache-2.0
"""ASC902: the start address of an operand is not aligned as its pipe needs."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC902",
    name="misaligned-address",
    severity=Severity.ERROR,
    message="`{op}` needs {operand} aligned to {align} bytes, but it starts at {memory} byte {lo}.",
    help="Move the tensor or its offset to a multiple of {align} bytes.",
    message_zh="`{op}` 要求 {operand} 按 {align} 字节对齐，但它从 {memory} 的字节 {lo} 开始。",
    help_zh="将张量或其偏移调整为 {align} 字节的整数倍。",
    source="CANN Ascend C API reference, general alignment rules for NPU architecture 2201.",
)
