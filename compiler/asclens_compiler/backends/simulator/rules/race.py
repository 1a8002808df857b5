# SPDX-License-Identifier: Apache-2.0
"""ASC905: two pipes of one core touch the same bytes without an order."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC905",
    name="missing-synchronisation",
    severity=Severity.ERROR,
    message=(
        "{kind}: `{op}` on pipe {pipe} is not ordered after `{first_op}` on pipe {first_pipe} (line "
        "{line}); both touch {memory} bytes {lo} to {hi} of {owner}."
    ),
    help="Order them with {remedy}.",
    message_zh=(
        "{kind}：流水 {pipe} 上的 `{op}` 未排在流水 {first_pipe} 上的 `{first_op}`（第 "
        "{line} 行）之后；两者都访问 {owner} 在 {memory} 的字节 {lo} 到 {hi}。"
    ),
    help_zh="用 {remedy} 保证顺序。",
    source="CANN Ascend C programming guide, synchronisation inside a core: each pipe runs asynchronously.",
)
