# SPDX-License-Identifier: Apache-2.0
"""ASC922: an access stays in its array but leaves the declared size of the tensor."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC922",
    name="beyond-declared-size",
    severity=Severity.ADVICE,
    message="`{op}` {verb}s bytes {lo} to {hi} of {owner}, the tensor is declared to end at {end}.",
    help="Reduce the count, or declare the size that is really used ({over} bytes more).",
    message_zh="`{op}` 访问 {owner} 的字节 {lo} 到 {hi}，而张量声明到 {end} 为止。",
    help_zh="减小长度，或声明实际使用的大小（多 {over} 字节）。",
    source="CANN Ascend C GlobalTensor: the size of SetGlobalBuffer is not enforced by hardware.",
)
