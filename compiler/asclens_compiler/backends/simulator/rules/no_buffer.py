# SPDX-License-Identifier: Apache-2.0
"""ASC921: a tensor is used before it has memory."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC921",
    name="tensor-without-buffer",
    severity=Severity.ERROR,
    message="`{op}` uses {operand}, which has no memory yet.",
    help="Call {advice} before this line.",
    message_zh="`{op}` 使用了尚未分配内存的 {operand}。",
    help_zh="在此行之前调用 {advice}。",
    source="CANN Ascend C: GlobalTensor needs SetGlobalBuffer, queues and TBuf need InitBuffer.",
)
