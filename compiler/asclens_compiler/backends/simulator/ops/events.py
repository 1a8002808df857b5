# SPDX-License-Identifier: Apache-2.0
"""Event ids of a core: an occupancy mask per hard event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asclens_compiler.backends.simulator.lanes import EVENT_IDS, flag_base, flag_name
from asclens_compiler.backends.simulator.ops.registry import Call, handler
from asclens_compiler.backends.simulator.rules import event_ids_exhausted
from asclens_compiler.hardware.pipes import HardEvent

if TYPE_CHECKING:
    from asclens_compiler.backends.simulator.core import Core


def take_id(core: Core, pc: int, base: int) -> int:
    """Reserve the lowest free id of the event with flag keys from `base`; -1 (reported) when all are taken."""
    mask = core.events.get(base, 0)
    number = (~mask & mask + 1).bit_length() - 1
    if number < EVENT_IDS:
        core.events[base] = mask | 1 << number
        return number
    event = flag_name(base).partition(" ")[0]
    core.machine.reports.at(core, pc, event_ids_exhausted.RULE, count=EVENT_IDS, event=event)
    return -1


def release_id(core: Core, key: int) -> None:
    """Give the id of a flag back."""
    base = key & ~7
    core.events[base] = core.events.get(base, 0) & ~(1 << (key & 7))


def _base(call: Call) -> int:
    return flag_base(HardEvent[str(call.attr("event"))])


@handler("pipe_alloc_event_id")
def alloc_event_id(call: Call, core: Core, _pipe: Any) -> int:
    """Reserve an id."""
    return max(take_id(core, call.pc, _base(call)), 0)


@handler("pipe_fetch_event_id")
def fetch_event_id(call: Call, core: Core, _pipe: Any) -> int:
    """Return the lowest free id without reserving it."""
    mask = core.events.get(_base(call), 0)
    free = [number for number in range(EVENT_IDS) if not mask >> number & 1]
    return free[0] if free else 0


@handler("pipe_release_event_id")
def release_event_id(call: Call, core: Core, _pipe: Any, number: int) -> None:
    """Give an id back."""
    release_id(core, _base(call) + (int(number) & 7))
