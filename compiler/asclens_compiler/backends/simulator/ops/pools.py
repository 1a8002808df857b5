# SPDX-License-Identifier: Apache-2.0
"""Memory for queues and buffers: TPipe, TBufPool, TBuf, LocalMemAllocator."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from asclens_compiler.ascir.types import BufferType, LocalType
from asclens_compiler.backends.simulator.core import NO_FLAG
from asclens_compiler.backends.simulator.lanes import N_LANES, SCALAR
from asclens_compiler.backends.simulator.ops.queue_state import Buffer, BufState, QueueState
from asclens_compiler.backends.simulator.ops.registry import Call, handler
from asclens_compiler.backends.simulator.ops.tensors import call_cache, local_owner
from asclens_compiler.backends.simulator.rules import capacity, no_buffer, operand_range
from asclens_compiler.backends.simulator.values import Owner, Ref, Tensor, Unset, form_of
from asclens_compiler.hardware.chips import DATA_BLOCK_BYTES, TPIPE_MAX_BUFFERS
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Memory, Position

if TYPE_CHECKING:
    from asclens_compiler.backends.simulator.core import Core


@dataclass(slots=True)
class PoolState:
    """A pool: the next free byte per memory, and its end where it is part of another pool."""

    next: dict[Memory, int] = field(default_factory=dict[Memory, int])
    end: dict[Memory, int] = field(default_factory=dict[Memory, int])
    buffers: int = 0

    def copy(self) -> PoolState:
        """Return an independent copy."""
        return PoolState(dict(self.next), dict(self.end), self.buffers)


def _pool(core: Core, ref: Any) -> PoolState:
    state = core.objects.get(ref.index) if isinstance(ref, Ref) else None
    if isinstance(state, PoolState):
        return state
    fresh = PoolState()
    if isinstance(ref, Ref):
        core.objects[ref.index] = fresh
    return fresh


def _take(core: Core, call: Call, pool: PoolState, memory: Memory, nbytes: int, name: str) -> Owner:
    """Take `nbytes`, rounded up to whole blocks, from a pool; reports when it does not hold them."""
    size = -(-nbytes // DATA_BLOCK_BYTES) * DATA_BLOCK_BYTES
    lo = pool.next.get(memory, 0)
    hi = lo + size
    pool.next[memory] = hi
    limit = pool.end.get(memory, core.machine.target.memory_bytes(memory))
    if hi > limit:
        core.machine.reports.at(
            core, call.pc, capacity.RULE, what=name, end=hi, memory=memory.value, capacity=limit, over=hi - limit
        )
    return core.owner((memory, lo, hi, name), Owner(core.bank(memory), lo, hi, name, "queue", call.op.span))


def _count(core: Core, call: Call, pool: PoolState, number: int) -> None:
    pool.buffers += number
    if pool.buffers > TPIPE_MAX_BUFFERS:
        core.machine.reports.at(
            core, call.pc, operand_range.RULE, operand="the number of buffers", op="init_buffer", value=pool.buffers,
            low=1, high=TPIPE_MAX_BUFFERS,
        )  # fmt: skip


@handler("pipe")
def make_pipe(call: Call, core: Core) -> Ref:
    """Make the pipe object."""
    core.objects[call.pc] = PoolState()
    return Ref("pipe", call.pc)


@handler("tBufPool", "tbuf_pool")
def make_pool(call: Call, core: Core) -> Ref:
    """Declare a pool."""
    core.objects[call.pc] = PoolState()
    return Ref("pool", call.pc)


@handler("tbuf")
def make_buf(call: Call, core: Core) -> Ref:
    """Declare a TBuf."""
    kind: BufferType = call.result
    core.objects[call.pc] = BufState(call.name or "tbuf", kind.position)
    return Ref("tbuf", call.pc)


@handler("pipe_init_queue", "tbuf_pool_init_queue")
def init_queue(call: Call, core: Core, pool: Any, queue: Any, number: int, length: int) -> None:
    """Give a queue `number` buffers of `length` bytes."""
    state = core.objects.get(queue.index) if isinstance(queue, Ref) else None
    if not isinstance(state, QueueState):
        return
    memory = state.position.memory
    source = _pool(core, pool)
    _count(core, call, source, int(number))
    count = max(int(number), 0)
    names = [state.name if count == 1 else f"{state.name}[{item}]" for item in range(count)]
    state.buffers = [Buffer(_take(core, call, source, memory, int(length), name)) for name in names]
    state.cursor, state.fifo = 0, []


@handler("pipe_init_buffer", "tbuf_pool_init_buffer")
def init_buffer(call: Call, core: Core, pool: Any, buffer: Any, length: int) -> None:
    """Give a TBuf `length` bytes."""
    state = core.objects.get(buffer.index) if isinstance(buffer, Ref) else None
    if isinstance(state, BufState):
        source = _pool(core, pool)
        _count(core, call, source, 1)
        state.owner = _take(core, call, source, state.position.memory, int(length), state.name)


@handler("pipe_init_buf_pool", "tbuf_pool_init_buf_pool")
def init_buf_pool(call: Call, core: Core, origin: Any, pool: Any, length: int, share: Any = None) -> bool:
    """Give a pool part of another one, or the same part as the pool `share`."""
    inner, outer = _pool(core, pool), _pool(core, origin)
    position = call.attr("pos")
    memory = Position[str(position)].memory if position is not None else Memory.UB
    if isinstance(share, Ref):
        other = _pool(core, share)
        start = other.end.get(memory, 0) - int(length)
        inner.next[memory], inner.end[memory] = max(start, 0), max(start, 0) + int(length)
        return True
    owner = _take(core, call, outer, memory, int(length), call.name or "pool")
    inner.next[memory], inner.end[memory] = owner.lo, owner.hi
    return True


@handler("tbuf_pool_reset")
def reset_pool(_call: Call, core: Core, pool: Any) -> None:
    """Give the buffers of a pool back."""
    state = _pool(core, pool)
    for memory, end in state.end.items():
        state.next[memory] = min(state.next.get(memory, 0), end)
    state.buffers = 0


def _wait_all(core: Core) -> None:
    """Do what Reset and Destroy do: take all pending queue flags, then a barrier over all pipes."""
    for state in core.objects.values():
        if not isinstance(state, QueueState):
            continue
        for buffer in state.buffers:
            if buffer.pending >= 0:
                core.flags.pop(buffer.pending, None)
                core.tok.pop(buffer.pending, None)
                buffer.pending = NO_FLAG
    core.hazards.join_all(core, core.T)
    now = max(core.clk)
    core.busy[SCALAR] -= now - core.clk[SCALAR]
    core.clk[:] = [now] * N_LANES
    core.events.clear()


@handler("pipe_reset", "pipe_destroy")
def reset_pipe(_call: Call, core: Core, pipe: Any) -> None:
    """Wait for everything and forget the buffers."""
    _wait_all(core)
    state = _pool(core, pipe)
    state.next.clear()
    state.buffers = 0


@handler("pipe_init")
def init_pipe(_call: Call, core: Core, pipe: Any) -> None:
    """Start again after Destroy."""
    _pool(core, pipe).next.clear()


@handler("pipe_get_base_addr")
def get_base_addr(_call: Call, _core: Core, _pipe: Any) -> int:
    """Return the start of a memory."""
    return 0


def _get(core: Core, call: Call, buffer: Any, offset: int, elems: int | None) -> Any:
    dtype: DType = call.result_dtype
    state = core.objects.get(buffer.index) if isinstance(buffer, Ref) else None
    if not isinstance(state, BufState) or state.owner is None:
        reports = core.machine.reports
        reports.at(
            core, call.pc, no_buffer.RULE, op=reports.op(call.pc), operand="the TBuf", advice="TPipe.init_buffer(...)"
        )
        return Unset(dtype)
    owner = state.owner
    lo = owner.lo + offset
    hi = owner.hi if elems is None else lo + elems * dtype.size_bytes
    cache, key = call_cache(core, call), (owner, lo, hi)
    found = cache.get(key)
    if found is None:
        found = cache[key] = Tensor(owner, form_of(dtype, state.position), lo, hi)
    return found


@handler("tbuf_get_tensor")
def get_tensor(call: Call, core: Core, buffer: Any, elems: int | None = None) -> Any:
    """Return the first elements of a TBuf, or all."""
    return _get(core, call, buffer, 0, None if not elems else int(elems))


@handler("tbuf_get_with_offset")
def get_with_offset(call: Call, core: Core, buffer: Any, size: int, offset: int) -> Any:
    """Return elements of a TBuf from a byte offset."""
    return _get(core, call, buffer, int(offset), int(size))


@handler("local_mem_allocator")
def make_allocator(call: Call, core: Core, *_operands: Any) -> Ref:
    """Make an allocator."""
    core.objects[call.pc] = PoolState()
    return Ref("allocator", call.pc)


@handler("local_mem_allocator_alloc", "local_mem_allocator_alloc_dynamic")
def allocate(call: Call, core: Core, allocator: Any, elems: int | None = None) -> Tensor:
    """Take a tensor of `elems` elements."""
    dtype = call.result_dtype
    position = Position[str(call.attr("pos"))]
    count = int(elems if elems is not None else call.attr("tileSize", 0))
    pool, memory = _pool(core, allocator), position.memory
    lo = pool.next.get(memory, 0)
    hi = lo + count * dtype.size_bytes
    pool.next[memory] = -(-hi // DATA_BLOCK_BYTES) * DATA_BLOCK_BYTES
    owner = local_owner(core, call, memory, lo, hi, "allocation")
    cache = call_cache(core, call)
    return cache.setdefault((owner, dtype), Tensor(owner, form_of(dtype, position), lo, hi))


@handler("local_mem_allocator_get_cur_addr")
def get_cur_addr(_call: Call, core: Core, allocator: Any) -> int:
    """Return the next free byte."""
    pool = _pool(core, allocator)
    return max(pool.next.values(), default=0)


_AUTOMATIC = -1  # key of the pool that holds tensors placed at run time


@handler("local_tensor_auto")
def automatic_tensor(call: Call, core: Core, dims: tuple[int, ...] = ()) -> Tensor:
    """Place a tensor whose size only the launch knows behind all others; each call site has one place per size."""
    kind: LocalType = call.result
    shape = tuple(int(dim) for dim in dims) or kind.shape or ()
    elems = math.prod(shape)
    cache, memory = call_cache(core, call), kind.position.memory
    pool = core.objects.setdefault(_AUTOMATIC, PoolState(dict(core.machine.code.shared.static_ends)))
    name = call.name or "LocalTensorAuto"
    if not isinstance(pool, PoolState):
        raise TypeError(name)
    found = cache.get(elems)
    if found is not None:
        pool.next[memory] = max(pool.next.get(memory, 0), found.hi)
    else:
        pool.next[memory] = -(-pool.next.get(memory, 0) // DATA_BLOCK_BYTES) * DATA_BLOCK_BYTES
        owner = _take(core, call, pool, memory, elems * kind.dtype.size_bytes, name)
        hi = owner.lo + elems * kind.dtype.size_bytes
        found = cache[elems] = Tensor(owner, form_of(kind.dtype, kind.position), owner.lo, hi, shape)
    return found
