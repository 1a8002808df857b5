# SPDX-License-Identifier: Apache-2.0
"""ASC915: two cores touch the same bytes of global memory without an order."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC915",
    name="cross-core-overlap",
    severity=Severity.ERROR,
    message=(
        "{kind}: core {core} and core {first_core} both touch bytes {lo} to {hi} of {owner} (line {line}) "
        "without a barrier between the cores."
    ),
    help=(
        "Give every core its own range (block index times block length, with a shorter last block), or "
        "put sync_all between the two accesses."
    ),
    message_zh=(
        "{kind}：核 {core} 与核 {first_core} 都访问 {owner} 的字节 {lo} 到 {hi}（第 {line} 行），两核之间没有同步。"
    ),
    help_zh=("让每个核只处理自己的范围（block_idx 乘以块长，最后一块缩短），或在两次访问之间加 sync_all。"),
    source=("CANN Ascend C programming guide: cores run independently; only SyncAll or cross-core flags order them."),
)
