# SPDX-License-Identifier: Apache-2.0
"""ASC908: a flag is still set when the kernel ends."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC908",
    name="flag-never-waited",
    severity=Severity.ERROR,
    message="Flag {flag} set here is never waited for; it leaks into the next kernel.",
    help="Add wait_flag for {flag} before the kernel ends, or remove the set_flag.",
    message_zh="此处置位的标志 {flag} 从未被等待，会泄漏到下一个核函数。",
    help_zh="在核函数结束前为 {flag} 添加 wait_flag，或删除该 set_flag。",
    source="CANN hardware constraints for NPU architecture 2201: an unconsumed flag stays set.",
)
