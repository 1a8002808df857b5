# SPDX-License-Identifier: Apache-2.0
"""ASC912: a buffer of a queue is not freed at the end of the kernel."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC912",
    name="queue-buffer-leaked",
    severity=Severity.WARNING,
    message="A buffer of queue {queue} is still {state} when the kernel ends.",
    help="Add {advice} on every path.",
    message_zh="核函数结束时队列 {queue} 的一个缓冲区仍处于 {state} 状态。",
    help_zh="在每条路径上添加 {advice}。",
    source="CANN Ascend C TQue: alloc_tensor and free_tensor, enque and deque come in pairs.",
)
