# SPDX-License-Identifier: Apache-2.0
"""ASC920: all ids of an event are in use."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC920",
    name="event-ids-exhausted",
    severity=Severity.ERROR,
    message="All {count} ids of event {event} are in use.",
    help="Release ids that are no longer needed, or let fewer buffers be in flight at a time.",
    message_zh="事件 {event} 的 {count} 个 id 已全部占用。",
    help_zh="释放不再需要的 id，或减少同时在途的缓冲区。",
    source="CANN Ascend C TPipe: 8 ids per event.",
)
