# SPDX-License-Identifier: Apache-2.0
"""ASC919: a counted copy has a part of a block that is not copied."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC919",
    name="partial-block-copy",
    severity=Severity.WARNING,
    message=("`{op}` of {bytes} bytes copies only {copied} bytes: a counted copy moves whole blocks of 32 bytes."),
    help="Use data_copy_pad for the rest, or a count that is a multiple of {elems} elements.",
    message_zh=("`{op}` 共 {bytes} 字节，只拷贝 {copied} 字节：按数量拷贝以 32 字节整块为单位。"),
    help_zh="剩余部分使用 data_copy_pad，或使数量为 {elems} 个元素的整数倍。",
    source="Measured on 910B4 with pyasc 1.1.1: a write-back of 4 or 16 bytes does nothing.",
)
