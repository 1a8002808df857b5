# SPDX-License-Identifier: Apache-2.0
"""ASC924: the kernel asked to stop."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC924",
    name="kernel-trapped",
    severity=Severity.ERROR,
    message="{what}.",
    help="Find out which value led here; the arguments of the launch decide it.",
    message_zh="{what}。",
    help_zh="找出导致此处的值；它由启动参数决定。",
    source="CANN Ascend C Trap and assert.",
)
