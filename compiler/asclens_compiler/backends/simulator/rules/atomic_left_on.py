# SPDX-License-Identifier: Apache-2.0
"""ASC923: atomic mode is still on when the kernel ends."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC923",
    name="atomic-mode-left-on",
    severity=Severity.WARNING,
    message="Atomic mode {mode} is still on when the kernel ends.",
    help="Call set_atomic_none() after the last atomic copy.",
    message_zh="核函数结束时原子模式 {mode} 仍然打开。",
    help_zh="在最后一次原子拷贝后调用 set_atomic_none()。",
    source="CANN Ascend C SetAtomicNone: the mode outlives the kernel.",
)
