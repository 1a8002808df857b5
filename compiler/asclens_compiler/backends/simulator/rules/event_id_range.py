# SPDX-License-Identifier: Apache-2.0
"""ASC913: an event id does not exist."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC913",
    name="event-id-out-of-range",
    severity=Severity.ERROR,
    message="Event id {id} of {flag} is not in 0 to {last}.",
    help="Use an id from 0 to {last}.",
    message_zh="{flag} 的 event id {id} 不在 0 到 {last} 之间。",
    help_zh="使用 0 到 {last} 之间的 id。",
    source="CANN Ascend C API reference, SetFlag/WaitFlag: ids 0 to 7 on Atlas A2.",
)
