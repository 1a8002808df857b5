# SPDX-License-Identifier: Apache-2.0
"""Queues and their buffers: state changes at issue; the flags follow as steps of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asclens_compiler.ascir.types import QueueType
from asclens_compiler.backends.simulator.core import NO_FLAG
from asclens_compiler.backends.simulator.emit.sync import queue_event
from asclens_compiler.backends.simulator.lanes import flag_base
from asclens_compiler.backends.simulator.ops.events import release_id, take_id
from asclens_compiler.backends.simulator.ops.queue_state import (
    MAX_LIVE,
    BufferState,
    BufState,
    QueueState,
    misuse,
    queue_of,
)
from asclens_compiler.backends.simulator.ops.registry import Call, handler
from asclens_compiler.backends.simulator.ops.tensors import call_cache
from asclens_compiler.backends.simulator.values import Owner, Ref, Tensor, Unset, form_of
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import HardEvent

if TYPE_CHECKING:
    from asclens_compiler.backends.simulator.core import Core


@handler("queue", "que_bind")
def make_queue(call: Call, core: Core) -> Ref:
    """Declare a queue."""
    kind: QueueType = call.result
    full, free = (_base(queue_event(kind, call.op, full=which)) for which in (True, False))
    core.objects[call.pc] = QueueState(call.name or "queue", kind, full, free)
    return Ref("queue", call.pc)


@handler("to_que_bind")
def to_que_bind(_call: Call, _core: Core, source: Ref) -> Ref:
    """Return the same queue."""
    return source


def _tensor(core: Core, call: Call, state: QueueState, number: int, dtype: DType) -> Tensor:
    owner = state.buffers[number].owner
    found = call_cache(core, call)
    made = found.get(owner)
    if made is None or made.dtype is not dtype:
        made = found[owner] = _whole(owner, dtype, state)
    return made


def _whole(owner: Owner, dtype: DType, state: Any) -> Tensor:
    return Tensor(owner, form_of(dtype, state.position), owner.lo, owner.hi)


def alloc(call: Call, core: Core, queue: Any) -> tuple[Any, int]:
    """Take the next free buffer; return (state, buffer number) with number -1 when there is none."""
    state = queue_of(core, call, queue)
    if state is None:
        return None, -1
    count = len(state.buffers)
    for step in range(count):
        number = (state.cursor + step) % count
        if state.buffers[number].state is BufferState.FREE:
            break
    else:
        number = state.cursor
        misuse(
            core, call, state, f"all {count} buffers are in use, so the device waits for ever",
            "Call free_tensor on every path, or give init_buffer more buffers",
        )  # fmt: skip
    _check_live(core, call, state)
    state.cursor = (number + 1) % count
    state.buffers[number].state = BufferState.OCCUPIED
    return state, number


def _check_live(core: Core, call: Call, state: QueueState) -> None:
    """Report a position with more tensors in use at a time than it has room for."""
    live = sum(
        buffer.state is not BufferState.FREE
        for other in core.objects.values()
        if isinstance(other, QueueState) and other.kind == state.kind
        for buffer in other.buffers
    )
    if live >= MAX_LIVE:
        misuse(
            core, call, state, f"{live + 1} tensors of {state.position.value} are in use, the chip allows {MAX_LIVE}",
            "Free tensors earlier, or put several tiles into one tensor",
        )  # fmt: skip


def take_pending(core: Core, state: QueueState, number: int) -> int:
    """Return the flag that the new user of a buffer waits for, and release its id."""
    buffer = state.buffers[number]
    key, buffer.pending = buffer.pending, NO_FLAG
    if key >= 0:
        release_id(core, key)
    return key


def _base(event: HardEvent | None) -> int:
    return flag_base(event if event is not None else HardEvent.V_V)


def _plain_buffer(core: Core, queue: Any) -> Owner | None:
    """Return the range of a TBuf, which may be used like a queue of one buffer without flags."""
    state = core.objects.get(queue.index) if isinstance(queue, Ref) else None
    return state.owner if isinstance(state, BufState) else None


@handler("que_bind_alloc_tensor", "que_bind_alloc_tensor_in_place")
def alloc_tensor(call: Call, core: Core, queue: Any, tensor: Any = None) -> tuple[Any, int]:
    """Take a buffer as a tensor."""
    dtype = call.result_dtype if call.result_types else tensor.dtype
    owner = _plain_buffer(core, queue)
    if owner is not None:
        return call_cache(core, call).setdefault(owner, _whole(owner, dtype, core.objects[queue.index])), NO_FLAG
    state, number = alloc(call, core, queue)
    if state is None:
        return Unset(dtype), NO_FLAG
    return _tensor(core, call, state, number, dtype), take_pending(core, state, number)


def _set_flag(call: Call, core: Core, base: int) -> int:
    number = take_id(core, call.pc, base)
    return NO_FLAG if number < 0 else base + number


@handler("que_bind_enque_tensor", "que_bind_enque_tensor_pos")
def enque(call: Call, core: Core, queue: Any, tensor: Any) -> tuple[None, int]:
    """Put a tensor into the queue and set its flag."""
    state = queue_of(core, call, queue)
    if state is None:
        return None, NO_FLAG
    number = state.find(tensor)
    if number < 0:
        misuse(core, call, state, "the tensor is no buffer of this queue", "Enque what alloc_tensor of this queue gave")
        return None, NO_FLAG
    buffer = state.buffers[number]
    if buffer.state not in (BufferState.OCCUPIED, BufferState.DEQUEUED):
        misuse(
            core, call, state, f"the buffer is {buffer.state.value}", "Call alloc_tensor before enque, and enque once"
        )
        if buffer.state is BufferState.QUEUED:
            return None, NO_FLAG
    depth = max(state.kind.depth, 1)
    if len(state.fifo) >= depth:
        misuse(
            core, call, state, f"{len(state.fifo)} tensors are enqueued already, its depth is {depth}",
            "Deque before the next enque, or declare a larger depth",
        )  # fmt: skip
    base = state.full if call.attr("srcUserPos") is None else _base(queue_event(state.kind, call.op, full=True))
    key = _set_flag(call, core, base)
    buffer.state = BufferState.QUEUED
    state.fifo.append((number, key))
    return None, key


@handler("que_bind_deque_tensor", "que_bind_deque_tensor_in_place", "que_bind_deque_tensor_pos")
def deque(call: Call, core: Core, queue: Any, tensor: Any = None) -> tuple[Any, int]:
    """Take the oldest tensor out of the queue and wait for its flag."""
    dtype = call.result_dtype if call.result_types else tensor.dtype
    state = queue_of(core, call, queue)
    if state is None:
        return Unset(dtype), NO_FLAG
    if not state.fifo:
        misuse(core, call, state, "nothing is enqueued", "Call enque before deque on every path")
        return _tensor(core, call, state, state.cursor - 1, dtype), NO_FLAG
    number, key = state.fifo.pop(0)
    state.buffers[number].state = BufferState.DEQUEUED
    if key >= 0:
        release_id(core, key)
    return _tensor(core, call, state, number, dtype), key


@handler("que_bind_free_tensor")
def free_tensor(call: Call, core: Core, queue: Any, tensor: Any) -> tuple[None, int]:
    """Give a buffer back and set its free flag."""
    if _plain_buffer(core, queue) is not None:
        return None, NO_FLAG
    state = queue_of(core, call, queue)
    if state is None:
        return None, NO_FLAG
    number = state.find(tensor)
    if number < 0:
        misuse(core, call, state, "the tensor is no buffer of this queue", "Free what alloc_tensor of this queue gave")
        return None, NO_FLAG
    buffer = state.buffers[number]
    if buffer.state is BufferState.FREE:
        misuse(core, call, state, "the buffer is free already", "Call free_tensor once for each alloc_tensor")
        return None, NO_FLAG
    if buffer.state is BufferState.QUEUED:
        state.fifo = [item for item in state.fifo if item[0] != number]
    buffer.state = BufferState.FREE
    buffer.pending = _set_flag(call, core, state.free)
    return None, buffer.pending


def _count(core: Core, queue: Any) -> tuple[int, int, int]:
    """Return enqueued tensors, free buffers and depth."""
    state = core.objects.get(queue.index) if isinstance(queue, Ref) else None
    if not isinstance(state, QueueState):
        return 0, 0, 0
    free = sum(buffer.state is BufferState.FREE for buffer in state.buffers)
    return len(state.fifo), free, max(state.kind.depth, 1)


@handler("que_bind_get_tensor_count_in_que")
def tensor_count(_call: Call, core: Core, queue: Any) -> int:
    """Return how many tensors are enqueued."""
    return _count(core, queue)[0]


@handler("que_bind_has_tensor_in_que")
def has_tensor(_call: Call, core: Core, queue: Any) -> bool:
    """Tell whether a tensor is enqueued."""
    return _count(core, queue)[0] > 0


@handler("que_bind_has_idle_buffer")
def has_idle(_call: Call, core: Core, queue: Any) -> bool:
    """Tell whether a buffer is free."""
    return _count(core, queue)[1] > 0


@handler("que_bind_vacant_in_que")
def vacant(_call: Call, core: Core, queue: Any) -> bool:
    """Tell whether the queue has room."""
    queued, _, depth = _count(core, queue)
    return queued < depth


@handler("que_bind_destroy", "que_bind_init_buf_handle", "que_bind_init_start_buf_handle")
def nothing(_call: Call, _core: Core, *_operands: Any) -> None:
    """Do nothing."""
