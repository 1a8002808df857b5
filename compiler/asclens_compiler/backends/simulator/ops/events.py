# SPDX-License-Identifier: Apache-2.0
"""Event ids of a core: an occupancy mask per hard event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asclens_compiler.backends.simulator.lanes import EVENT_IDS
from asclens_compiler.backends.simulator.ops.registry import Call, handler
from asclens_compiler.backends.simulator.rules import event_ids_exhausted
from asclens_compiler.hardware.pipes import HardEvent

if TYPE_CHECKING:
    from asclens_compiler.backends.simulator.core import Core


def take_id(core: Core, pc: int, event: HardEvent) -> int:
    """Reserve the lowest free id of an event; reports and returns -1 when all are taken."""
    mask = core.events.get(event, 0)
    for number in range(EVENT_IDS):
        if not mask >> number & 1:
            core.events[event] = mask | 1 << number
            return number
    core.machine.reports.at(core, pc, event_ids_exhausted.RULE, count=EVENT_IDS, event=event.name)
    return -1


def release_id(core: Core, event: HardEvent, number: int) -> None:
    """Give an id back."""
    core.events[event] = core.events.get(event, 0) & ~(1 << number)


@handler("pipe_alloc_event_id")
def alloc_event_id(call: Call, core: Core, _pipe: Any) -> int:
    """Reserve an id."""
    return max(take_id(core, call.pc, HardEvent[str(call.attr("event"))]), 0)


@handler("pipe_fetch_event_id")
def fetch_event_id(call: Call, core: Core, _pipe: Any) -> int:
    """Return the lowest free id without reserving it."""
    mask = core.events.get(HardEvent[str(call.attr("event"))], 0)
    free = [number for number in range(EVENT_IDS) if not mask >> number & 1]
    return free[0] if free else 0


@handler("pipe_release_event_id")
def release_event_id(call: Call, core: Core, _pipe: Any, number: int) -> None:
    """Give an id back."""
    release_id(core, HardEvent[str(call.attr("event"))], int(number) & 7)
