# SPDX-License-Identifier: Apache-2.0
"""ASC301: the tensors that live at the same time need more than a memory has."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC301",
    name="buffers-do-not-fit",
    severity=Severity.ERROR,
    message="{memory} holds {available:,} bytes, but {count} tensors that live at the same time need {needed:,}.",
    help="{breakdown}. {advice}",
    message_zh="{memory} 有 {available:,} 字节，但同时存活的 {count} 个张量需要 {needed:,} 字节。",
    help_zh="{breakdown}。{advice_zh}",
    source="CANN Ascend C: memory sizes of architecture 2201; the top 8 KiB of UB are scratch of library calls",
)

LOOP = (
    "Work on one tile at a time: `for i in range(count):` with "
    "`part = {name}[i * {tile} : (i + 1) * {tile}].to_local()`, compute on `part`, then "
    "`out[i * {tile} : (i + 1) * {tile}].copy_from(result)`; {tile} elements per tile fit"
)
LOOP_ZH = (
    "请分块处理：在 `for i in range(count):` 中使用 `part = {name}[i * {tile} : (i + 1) * {tile}].to_local()`，"
    "计算后 `out[i * {tile} : (i + 1) * {tile}].copy_from(result)`；每块 {tile} 个元素可以放下"
)
