# SPDX-License-Identifier: Apache-2.0
"""ASC906: two accesses are ordered only by the automatic synchronisation of the toolchain."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC906",
    name="ordered-by-auto-sync-only",
    severity=Severity.ADVICE,
    message=(
        "`{op}` on pipe {pipe} and `{first_op}` on pipe {first_pipe} (line {line}) are ordered only by "
        "auto_sync; both touch {memory} bytes {lo} to {hi} of {owner}."
    ),
    help="Nothing to do while auto_sync is on; with auto_sync=False add {remedy}.",
    message_zh=(
        "流水 {pipe} 上的 `{op}` 与流水 {first_pipe} 上的 `{first_op}`（第 {line} 行）仅靠 "
        "auto_sync 排序；两者都访问 {owner} 在 {memory} 的字节 {lo} 到 {hi}。"
    ),
    help_zh="auto_sync 打开时无需处理；关闭时请添加 {remedy}。",
    source=("CANN key features guide, automatic synchronisation: V-V and the pairs of S with V, MTE2 and MTE3."),
)
