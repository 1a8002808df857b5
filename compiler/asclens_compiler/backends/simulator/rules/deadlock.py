# SPDX-License-Identifier: Apache-2.0
"""ASC910: no core can go on."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC910",
    name="deadlock",
    severity=Severity.ERROR,
    message="Core {core} stops for ever: pipe {pipe} waits for {what}.",
    help="Make sure that what it waits for is issued before, on every path: {advice}.",
    message_zh="核 {core} 永远停住：流水 {pipe} 在等待 {what}。",
    help_zh="确保被等待的操作在每条路径上都先发出：{advice}。",
    source=(
        "CANN Ascend C API reference, SetFlag/WaitFlag, CrossCoreWaitFlag and SyncAll: waiting blocks "
        "until the flag is set."
    ),
)
