# SPDX-License-Identifier: Apache-2.0
"""ASC916: local memory is allocated beyond its end."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC916",
    name="memory-capacity-exceeded",
    severity=Severity.ERROR,
    message="{what} ends at byte {end} of {memory}, which has {capacity} bytes.",
    help="Use smaller tiles or fewer buffers ({over} bytes too many).",
    message_zh="{what} 结束于 {memory} 的字节 {end}，而其容量为 {capacity} 字节。",
    help_zh="使用更小的分块或更少的缓冲区（多出 {over} 字节）。",
    source="CANN platform configuration of dav-c220: buffer sizes per core.",
)
