# SPDX-License-Identifier: Apache-2.0
"""ASC901: an access leaves the allocation it goes through."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC901",
    name="out-of-bounds-access",
    severity=Severity.ERROR,
    message=("`{op}` {verb}s {memory} bytes {lo} to {hi} through {owner}, which ends at {end} and starts at {first}."),
    help="Reduce the count or the offset of the last tile ({over} bytes too many), or make {owner} larger.",
    message_zh=("`{op}` 通过 {owner} 访问 {memory} 的字节 {lo} 到 {hi}，而它的范围是 {first} 到 {end}。"),
    help_zh="减小最后一个分块的长度或偏移（多出 {over} 字节），或增大 {owner}。",
    source="Bounds follow from the kernel's own allocation calls and the argument arrays.",
)
