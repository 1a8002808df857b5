# SPDX-License-Identifier: Apache-2.0
"""ASC911: a queue call does not fit the state of the queue or buffer."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC911",
    name="queue-state",
    severity=Severity.ERROR,
    message="{call}: {fact}.",
    help="{advice}.",
    message_zh="{call}：{fact}。",
    help_zh="{advice}。",
    source="CANN Ascend C TQue: a buffer goes alloc_tensor, enque, deque, free_tensor.",
)
