# SPDX-License-Identifier: Apache-2.0
"""Checks at the end of a kernel: flags, queue buffers, registers left behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asclens_compiler.backends.simulator.lanes import LANES, flag_source, flag_target
from asclens_compiler.backends.simulator.ops.queue_state import BufferState, QueueState
from asclens_compiler.backends.simulator.rules import atomic_left_on, queue_leak
from asclens_compiler.hardware.pipes import HardEvent

if TYPE_CHECKING:
    from asclens_compiler.backends.simulator.core import Core

_NEXT_CALL = {
    BufferState.OCCUPIED: "enque (or free_tensor)",
    BufferState.QUEUED: "deque and free_tensor",
    BufferState.DEQUEUED: "free_tensor",
}


def check_end(core: Core) -> None:
    """Report what a core leaves behind at the end of the kernel."""
    owned: set[int] = set()
    reports = core.machine.reports
    for pc, state in core.objects.items():
        if not isinstance(state, QueueState):
            continue
        owned.update(buffer.pending for buffer in state.buffers)
        owned.update(key for _, key in state.fifo)
        for buffer in state.buffers:
            if buffer.state is not BufferState.FREE:
                reports.at(
                    core, pc, queue_leak.RULE, key=buffer.state, queue=state.name, state=buffer.state.value,
                    advice=_NEXT_CALL[buffer.state],
                )  # fmt: skip
    for key in core.flags:
        if key not in owned and _event(key) is not None:
            reports.flag_leak(core, core.flag_pc.get(key, core.pc), key)
    if core.vs.atomic_op:
        reports.at(core, core.pc, atomic_left_on.RULE, mode=core.vs.atomic_op)


def _event(key: int) -> HardEvent | None:
    wanted = (LANES[flag_source(key)], LANES[flag_target(key)])
    return next((event for event in HardEvent if event.value == wanted), None)
