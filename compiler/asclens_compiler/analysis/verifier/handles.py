# SPDX-License-Identifier: Apache-2.0
"""Ops that make tensors, queues and other objects, or synchronise: what they do in a walk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, cast

from asclens_compiler.analysis.affine import Affine
from asclens_compiler.analysis.verifier.core import Core
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.analysis.verifier.numbers import Num, add, constant
from asclens_compiler.analysis.verifier.objects import Buffer, GlobalHandle, Queue, Slot, Struct, Tensor
from asclens_compiler.ascir.program import Op, Reg
from asclens_compiler.ascir.types import AscType, BufferType, GlobalType, LocalType, PointerType, QueueType
from asclens_compiler.hardware.chips import DATA_BLOCK_BYTES, EVENT_IDS
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import HardEvent, Memory, Pipe, Position
from asclens_compiler.hardware.queues import buffer_position, queue_events
from asclens_compiler.opset.model import ParamKind
from asclens_compiler.opset.registry import opset

Items = tuple[object, ...]


class Place(Protocol):
    """What handlers need of the walk."""

    core: Core

    def result_type(self, op: Op) -> AscType:
        """Return the type of an op's result."""
        ...

    def name_of(self, op: Op) -> str:
        """Return the Python name of an op's result, or of its first operand."""
        ...

    def bytes_of(self, count: Num, dtype: DType) -> Num | None:
        """Return the bytes of `count` elements; an unknown element type has one unknown size."""
        ...

    def put(self, register: int, value: object) -> None:
        """Give a register a value."""
        ...


def _dtype(kind: AscType) -> DType:
    return kind.dtype if isinstance(kind, LocalType | GlobalType | PointerType) else DType.UNKNOWN


def _number(value: object) -> Num | None:
    return value if isinstance(value, int | Affine) else None


def _bytes(count: object, dtype: DType) -> int | None:
    return count * dtype.bits // 8 if isinstance(count, int) and dtype is not DType.UNKNOWN else None


def _queue(walk: Place, op: Op, items: Items) -> object:
    del items
    kind = walk.result_type(op)
    if not isinstance(kind, QueueType):
        return None
    position = buffer_position(kind.source, kind.target)
    events = queue_events(kind.source, kind.target)
    queue = Queue(op, kind.source, kind.target, position, kind.depth, events, name=walk.name_of(op) or "the queue")
    walk.core.queues.declare(queue)
    return queue


def _tbuf(walk: Place, op: Op, items: Items) -> object:
    del items
    kind = walk.result_type(op)
    return Buffer(op, kind.position, name=walk.name_of(op) or "a buffer") if isinstance(kind, BufferType) else None


def _init_queue(walk: Place, op: Op, items: Items, *, pool: bool = False) -> object:
    queue, count, length = items[1], constant(items[2]), constant(items[3])
    if not isinstance(queue, Queue):
        return None
    queue.init = op
    queue.slot_bytes = -(-length // 32) * 32 if length is not None else None
    if count is not None and 0 <= count <= 256:
        queue.slots = [Slot(queue, number) for number in range(count)]
    if count is not None and count > EVENT_IDS:
        walk.core.setup.findings.add(Fault.BUFFERS_OVER_EVENTS, op, queue=queue.name, count=count, most=EVENT_IDS)
    if not pool:
        walk.core.capacity.claim(op, queue.position.memory, queue.name, count, length)
    return None


def _init_buffer(walk: Place, op: Op, items: Items, *, pool: bool = False) -> object:
    buffer, length = items[1], constant(items[2])
    if not isinstance(buffer, Buffer):
        return None
    buffer.size_bytes = -(-length // 32) * 32 if length is not None else None
    if not pool:
        walk.core.capacity.claim(op, buffer.position.memory, buffer.name, 1, length)
    return None


def _pool_queue(walk: Place, op: Op, items: Items) -> object:
    return _init_queue(walk, op, items, pool=True)


def _pool_buffer(walk: Place, op: Op, items: Items) -> object:
    return _init_buffer(walk, op, items, pool=True)


def _alloc(walk: Place, op: Op, items: Items) -> object:
    queue = items[0]
    return walk.core.queues.alloc(op, queue, _dtype(walk.result_type(op))) if isinstance(queue, Queue) else None


def _deque(walk: Place, op: Op, items: Items) -> object:
    queue = items[0]
    return walk.core.queues.deque(op, queue, _dtype(walk.result_type(op))) if isinstance(queue, Queue) else None


def _in_place(walk: Place, op: Op, items: Items) -> object:
    queue, register = items[0], op.operands[1]
    if isinstance(queue, Queue) and isinstance(register, Reg):
        old = items[1]
        dtype = old.dtype if isinstance(old, Tensor) else DType.UNKNOWN
        queues = walk.core.queues
        take = queues.alloc if op.name.startswith("que_bind_alloc") else queues.deque
        walk.put(register.index, take(op, queue, dtype))
    return None


def _enque(walk: Place, op: Op, items: Items) -> object:
    queue = items[0]
    if isinstance(queue, Queue):
        events = queue.events
        first, second = op.attr("srcUserPos"), op.attr("dstUserPos")
        if isinstance(first, str) and isinstance(second, str):
            events = queue_events(Position(first), Position(second))
        walk.core.queues.enque(op, queue, items[1], events.enque if events is not None else None)
    return None


def _free(walk: Place, op: Op, items: Items) -> object:
    if isinstance(items[0], Queue):
        walk.core.queues.free(op, items[0], items[1])
    return None


def _get(walk: Place, op: Op, items: Items) -> object:
    buffer, dtype = items[0], _dtype(walk.result_type(op))
    if not isinstance(buffer, Buffer):
        return None
    size = _bytes(items[1], dtype) if len(items) > 1 and items[1] is not None else buffer.size_bytes
    if size is not None and buffer.size_bytes is not None and size > buffer.size_bytes:
        _part(walk, op, 0, size, buffer.size_bytes)
    return Tensor(("buffer", buffer.op.index), buffer.position.memory, 0, size, dtype)


def _get_offset(walk: Place, op: Op, items: Items) -> object:
    buffer, dtype, start = items[0], _dtype(walk.result_type(op)), _number(items[2])
    if not isinstance(buffer, Buffer):
        return None
    size = _bytes(items[1], dtype)
    if isinstance(start, int):
        if start % 32:
            walk.core.setup.findings.add(
                Fault.ALIGNMENT, op, operand="the tensor", found=str(start), allowed="a multiple of 32", memory="UB",
                element=0, api=op.name,
            )  # fmt: skip
        elif size is not None and buffer.size_bytes is not None and start + size > buffer.size_bytes:
            _part(walk, op, start, start + size, buffer.size_bytes)
    return Tensor(("buffer", buffer.op.index), buffer.position.memory, start, size, dtype)


def _part(walk: Place, op: Op, start: int, end: int, available: int) -> None:
    walk.core.setup.findings.add(Fault.BUFFER_PART, op, start=start, end=end, available=available)


def _placed(walk: Place, op: Op, items: Items) -> object:
    kind = walk.result_type(op)
    if not isinstance(kind, LocalType):
        return None
    name = op.attr("pos")
    memory = Position(name).memory if isinstance(name, str) and name else kind.position.memory
    tensor = Tensor(("placed", memory), memory, _number(items[0]), _bytes(items[1], kind.dtype), kind.dtype, placed=op)
    walk.core.capacity.placed(op, tensor)
    return tensor


def _auto(walk: Place, op: Op, items: Items) -> object:
    del items
    kind = walk.result_type(op)
    if not isinstance(kind, LocalType):
        return None
    count: int | None = 1
    for extent in kind.shape or ():
        count *= extent
    size = _bytes(count if kind.shape is not None else None, kind.dtype)
    size = None if size is None else -(-size // DATA_BLOCK_BYTES) * DATA_BLOCK_BYTES
    return Tensor(("auto", op.index), kind.position.memory, 0, size, kind.dtype)


def _view(walk: Place, op: Op, items: Items) -> object:
    whole, index, dtype = items[0], _number(items[1]), _dtype(walk.result_type(op))
    if isinstance(whole, GlobalHandle):
        whole = whole.view
    if not isinstance(whole, Tensor):
        return None
    step = walk.bytes_of(index, dtype) if index is not None else None
    if step is None or whole.start is None:
        return Tensor(whole.base, whole.memory, None, None, dtype, whole.slot, whole.placed, whole.aligned)
    rest = max(0, whole.size_bytes - step) if whole.size_bytes is not None and isinstance(step, int) else None
    start = add(whole.start, step)
    return Tensor(whole.base, whole.memory, start, rest, dtype, whole.slot, whole.placed, whole.aligned)


def _reinterpret(walk: Place, op: Op, items: Items) -> object:
    whole = items[0]
    if not isinstance(whole, Tensor):
        return None
    dtype = _dtype(walk.result_type(op))
    return Tensor(whole.base, whole.memory, whole.start, whole.size_bytes, dtype, whole.slot, whole.placed)


def _global(walk: Place, op: Op, items: Items) -> object:
    del items
    return GlobalHandle(_dtype(walk.result_type(op)))


def _set_global(walk: Place, op: Op, items: Items) -> object:
    del walk, op
    handle, pointer = items[0], items[1]
    if isinstance(handle, GlobalHandle):
        handle.view = None
        if isinstance(pointer, Tensor):
            size = _bytes(items[2], handle.dtype) if len(items) > 2 else None
            handle.view = Tensor(pointer.base, Memory.GM, pointer.start, size or None, handle.dtype)
    return None


def _construct(walk: Place, op: Op, items: Items) -> object:
    del walk
    struct = opset().structs.get(str(op.attr("type")))
    values = items[0]
    if struct is None or not isinstance(values, tuple):
        return None
    given = cast("tuple[object, ...]", values)
    fields: dict[str, int | None] = {}
    position = 0
    for field in struct.fields:
        if field.kind is ParamKind.DTYPE:
            continue
        fields[field.name] = constant(given[position]) if position < len(given) else None
        position += field.length
    return Struct(struct.name, fields)


def _first(walk: Place, op: Op, items: Items) -> object:
    del walk, op
    return items[0]


def _event(op: Op) -> HardEvent | None:
    return HardEvent.__members__.get(str(op.attr("event")))


def _set_flag(walk: Place, op: Op, items: Items) -> object:
    event = _event(op)
    if event is not None:
        walk.core.flags.set(op, event, items[0])
    return None


def _wait_flag(walk: Place, op: Op, items: Items) -> object:
    event = _event(op)
    if event is not None:
        walk.core.flags.wait(op, event, items[0])
    return None


def _barrier(walk: Place, op: Op, items: Items) -> object:
    del items
    name = str(op.attr("pipe")).removeprefix("PIPE_")
    if name in Pipe.__members__ and name != "S":
        walk.core.clocks.barrier(Pipe[name], op)
    return None


def _everything(walk: Place, op: Op, items: Items) -> object:
    del op, items
    walk.core.clocks.barrier(Pipe.ALL)
    return None


def _reset(walk: Place, op: Op, items: Items) -> object:
    walk.core.capacity.reset()
    return _everything(walk, op, items)


HANDLERS: Mapping[str, Callable[[Place, Op, Items], object]] = {
    "queue": _queue,
    "que_bind": _queue,
    "tbuf": _tbuf,
    "to_que_bind": _first,
    "pipe_init_queue": _init_queue,
    "pipe_init_buffer": _init_buffer,
    "tbuf_pool_init_queue": _pool_queue,
    "tbuf_pool_init_buffer": _pool_buffer,
    "que_bind_alloc_tensor": _alloc,
    "que_bind_alloc_tensor_in_place": _in_place,
    "que_bind_deque_tensor": _deque,
    "que_bind_deque_tensor_pos": _deque,
    "que_bind_deque_tensor_in_place": _in_place,
    "que_bind_enque_tensor": _enque,
    "que_bind_enque_tensor_pos": _enque,
    "que_bind_free_tensor": _free,
    "tbuf_get_tensor": _get,
    "tbuf_get_with_offset": _get_offset,
    "local_tensor_v2": _placed,
    "local_tensor_auto": _auto,
    "local_tensor_subindex": _view,
    "local_tensor_bracket": _view,
    "global_tensor_subindex": _view,
    "global_tensor_bracket": _view,
    "ptr_offset": _view,
    "reinterpret_cast": _reinterpret,
    "global_tensor": _global,
    "global_tensor_set_global_buffer": _set_global,
    "construct": _construct,
    "set_flag": _set_flag,
    "wait_flag": _wait_flag,
    "pipe_barrier": _barrier,
    "sync_all_hard": _everything,
    "sync_all_soft": _everything,
    "cross_core_wait_flag": _everything,
    "ib_wait": _everything,
    "wait_pre_block": _everything,
    "pipe_reset": _reset,
    "pipe_destroy": _reset,
    "pipe_init": _everything,
    "data_sync_barrier": _everything,
}
