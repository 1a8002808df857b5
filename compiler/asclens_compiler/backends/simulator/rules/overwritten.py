# SPDX-License-Identifier: Apache-2.0
"""ASC904: a buffer is read after another buffer overwrote its live bytes."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC904",
    name="overwritten-buffer",
    severity=Severity.ERROR,
    message=("`{op}` reads {memory} bytes {lo} to {hi} of {owner}, but line {line} overwrote them through {other}."),
    help="Give the two tensors disjoint addresses, or finish with {owner} before {other} is written.",
    message_zh=("`{op}` 读取 {owner} 在 {memory} 的字节 {lo} 到 {hi}，但第 {line} 行已通过 {other} 覆盖了它们。"),
    help_zh="为两个张量分配不重叠的地址，或在写入 {other} 之前用完 {owner}。",
    source=(
        "Local tensors are plain addresses; overlapping ones share bytes (CANN Ascend C, static tensor programming)."
    ),
)
