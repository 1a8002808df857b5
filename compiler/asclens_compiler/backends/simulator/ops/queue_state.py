# SPDX-License-Identifier: Apache-2.0
"""State of queues and TBufs: buffers between alloc_tensor and free_tensor."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING, Any

from asclens_compiler.ascir.types import QueueType
from asclens_compiler.backends.simulator.core import NO_FLAG
from asclens_compiler.backends.simulator.ops.registry import Call
from asclens_compiler.backends.simulator.rules import no_buffer, queue_state
from asclens_compiler.backends.simulator.values import Owner, Ref, Tensor
from asclens_compiler.hardware.pipes import Position
from asclens_compiler.hardware.queues import buffer_position

if TYPE_CHECKING:
    from asclens_compiler.backends.simulator.core import Core

# Source: pyasc documentation of TQue.alloc_tensor for Atlas A2: tensors in use at a time per position.
MAX_LIVE = 8


class BufferState(Enum):
    """Say where a buffer of a queue is between alloc_tensor and free_tensor."""

    FREE = "free"
    OCCUPIED = "allocated"
    QUEUED = "enqueued"
    DEQUEUED = "dequeued"


@dataclass(slots=True)
class Buffer:
    """One buffer: its range, state, and the flag its next user has to wait for."""

    owner: Owner
    state: BufferState = BufferState.FREE
    pending: int = NO_FLAG


@dataclass(slots=True)
class QueueState:
    """A queue: buffers, the cursor of alloc_tensor, and what is enqueued (buffer, flag)."""

    name: str
    kind: QueueType
    full: int  # flag key of id 0 of the event from enque to deque
    free: int  # the same from free_tensor to alloc_tensor
    buffers: list[Buffer] = field(default_factory=list[Buffer])
    cursor: int = 0
    fifo: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])

    @property
    def position(self) -> Position:
        """Return the position its tensors have."""
        return buffer_position(self.kind.source, self.kind.target)

    def copy(self) -> QueueState:
        """Return an independent copy."""
        buffers = [replace(item) for item in self.buffers]
        return QueueState(self.name, self.kind, self.full, self.free, buffers, self.cursor, self.fifo[:])

    def find(self, tensor: Any) -> int:
        """Return the number of the buffer a tensor lies in, or -1."""
        if isinstance(tensor, Tensor):
            for number, buffer in enumerate(self.buffers):
                if buffer.owner is tensor.owner:
                    return number
        return -1


@dataclass(slots=True)
class BufState:
    """A TBuf: its range once it has one."""

    name: str
    position: Position
    owner: Owner | None = None

    def copy(self) -> BufState:
        """Return an independent copy."""
        return BufState(self.name, self.position, self.owner)


def queue_of(core: Core, call: Call, queue: Any) -> QueueState | None:
    """Return the state of a queue that has buffers; reports one that has none."""
    state = core.objects.get(queue.index) if isinstance(queue, Ref) else None
    if isinstance(state, QueueState) and state.buffers:
        return state
    reports = core.machine.reports
    reports.at(
        core, call.pc, no_buffer.RULE, op=reports.op(call.pc), operand="the queue", advice="TPipe.init_buffer(...)"
    )
    return None


def misuse(core: Core, call: Call, state: QueueState, fact: str, advice: str) -> None:
    """Report a call that does not fit the state of its queue."""
    name = core.machine.reports.op(call.pc)
    core.machine.reports.at(
        core, call.pc, queue_state.RULE, key=fact, call=f"`{name}` on queue {state.name}", fact=fact, advice=advice
    )
