# SPDX-License-Identifier: Apache-2.0
"""ASC601: a launch with many more blocks than any chip has cores."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

# Blocks beyond the cores run in rounds, each with the cost of a start.
MANY_ROUNDS = 10

RULE = Rule(
    code="ASC601",
    name="many-blocks",
    severity=Severity.ADVICE,
    message="This launches {count} blocks, but chips have at most {cores} vector cores: {rounds} rounds.",
    help="Launch as many blocks as there are cores and loop over the work inside the kernel.",
    message_zh="此处启动 {count} 个 block，而芯片最多有 {cores} 个向量核：将分 {rounds} 轮执行。",
    help_zh="请启动与核数相同的 block，并在内核中循环处理。",
    source="hardware/chips: core counts; blocks beyond the cores are queued by the runtime",
)
