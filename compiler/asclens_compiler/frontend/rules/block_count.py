# SPDX-License-Identifier: Apache-2.0
"""ASC510: a launch with a number of blocks that the runtime refuses."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

LEAST, MOST = 1, 65535

RULE = Rule(
    code="ASC510",
    name="block-count",
    severity=Severity.ERROR,
    message="This launches {count} blocks; the runtime takes {least} to {most}.",
    help="Launch at most as many blocks as the chip has cores and loop over the work inside the kernel.",
    message_zh="此处启动 {count} 个 block；运行时允许 {least} 到 {most}。",
    help_zh="请启动不超过核数的 block，并在内核中循环处理。",
    source="CANN rtKernelLaunch: blockDim is 1..65535; zero aborts the process",
)
