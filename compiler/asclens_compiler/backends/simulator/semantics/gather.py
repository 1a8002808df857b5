# SPDX-License-Identifier: Apache-2.0
"""Gather and scatter by byte offsets, and compress by a bit pattern.

Sources: vendor pages Gather, Gatherb, GatherMask; CCE guide, vgather / vgatherb / vreducev2.
"""

from __future__ import annotations

import numpy as np

from asclens_compiler.backends.simulator.semantics.api import Array, Bits, Index, OpContext, Struct, full
from asclens_compiler.backends.simulator.semantics.blocks import (
    BLOCK_BYTES,
    BLOCKS,
    Active,
    active,
    active_elements,
    elems_per_repeat,
    gather_active,
    scatter_active,
)
from asclens_compiler.backends.simulator.semantics.compare import unpack
from asclens_compiler.hardware.dtypes import DType

# Pattern -> (period, element kept).
_PATTERNS = {1: (2, 0), 2: (2, 1), 3: (4, 0), 4: (4, 1), 5: (4, 2), 6: (4, 3), 7: (1, 0)}


@full("gather")
def gather(ctx: OpContext) -> None:
    """Write dst[i] = the element `srcBaseAddr + srcOffset[i]` bytes from the start of `src`.

    In the repeat form offsets lie one after another, one per element of each iteration, and
    iterations of dst are `dstRepStride` blocks apart.
    """
    base, names = _offset_names(ctx)
    if ctx.has("count"):
        count = int(ctx.scalar("count"))
        ctx.write("dst", count)[:] = ctx.gather("src", _element_index(ctx, names, base, None, count))
        return
    area = active(ctx, int(ctx.scalar("repeatTimes")), ctx.dtype("dst"))
    values = ctx.gather("src", _element_index(ctx, names, base, area, area.repeat * area.elems))
    stride = int(ctx.scalar("dstRepStride") if ctx.has("dstRepStride") else ctx.scalar("srcRepStride"))
    scatter_active(ctx, "dst", area, (1, stride), values)


def _offset_names(ctx: OpContext) -> tuple[int, str]:
    # The bit-mask form of gather borrows the operand names of scatter.
    if ctx.has("srcOffset"):
        return int(ctx.scalar("srcBaseAddr")), "srcOffset"
    return int(ctx.scalar("dstBase")), "dstOffset"


def _element_index(ctx: OpContext, operand: str, base: int, area: Active | None, count: int) -> Index:
    """Return element indexes from byte offsets; only those of active elements are read."""
    if area is None or area.all:
        offsets = ctx.read(operand, count)
    else:
        offsets = ctx.gather(operand, np.flatnonzero(area.bits))
    # An unaligned offset addresses the element it lies in: unspecified.
    return (offsets.astype(np.int64) + base) // ctx.dtype("dst").size_bytes


@full("scatter")
def scatter(ctx: OpContext) -> None:
    """Write src[i] to the element `dstBase + dstOffset[i]` bytes from the start of `dst`.

    A2 / A3 have no such instruction; the meaning is that of the vendor page Scatter.
    """
    base = int(ctx.scalar("dstBase"))
    if ctx.has("count"):
        count = int(ctx.scalar("count"))
        ctx.scatter("dst", _element_index(ctx, "dstOffset", base, None, count), ctx.read("src", count))
        return
    dtype = ctx.dtype("src")
    area = active(ctx, int(ctx.scalar("repeatTimes")), dtype)
    values = gather_active(ctx, "src", area, (1, int(ctx.scalar("srcRepStride"))))
    ctx.scatter("dst", _element_index(ctx, "dstOffset", base, area, area.repeat * area.elems), values)


@full("gatherb")
def gatherb(ctx: OpContext) -> None:
    """Copy whole 32-byte blocks picked by byte offsets, 8 per iteration; no mask.

    A dst block stride of 0 counts as 1.
    """
    repeat = int(ctx.scalar("repeatTimes"))
    params = ctx.struct("repeatParams")
    lanes = BLOCK_BYTES // ctx.dtype("dst").size_bytes
    offsets = ctx.read("offset", repeat * BLOCKS, dtype=DType.UINT32).astype(np.int64) // BLOCK_BYTES
    lane = np.arange(lanes)
    values = ctx.gather("src0", offsets[:, None] * lanes + lane)
    stride = params.get("dst_blk_stride") or 1
    rows = np.arange(repeat)[:, None] * params.get("dst_rep_stride") + np.arange(BLOCKS) * stride
    ctx.scatter("dst", np.reshape(rows, (-1, 1)) * lanes + lane, values)


@full("gather_mask")
def gather_mask(ctx: OpContext) -> int:
    """Pack the elements whose pattern bit is 1 at the start of dst; return how many there are.

    `src1Pattern` is a number 1..7 (a period over each iteration) or a tensor of bits, consumed
    in order inside an iteration, iterations `src1_repeat_stride` blocks apart. With reduceMode an
    iteration covers `mask` elements, else 256 bytes. Leaves normal mask mode with the mask
    register set to `mask`.
    """
    dtype = ctx.dtype("src0")
    params = ctx.struct("params")
    repeat = int(params.get("repeat_times"))
    mask = int(ctx.scalar("mask"))
    elems = mask if ctx.scalar("reduceMode") else elems_per_repeat(dtype)
    bits = _pattern_bits(ctx, params, repeat, elems)
    strides = int(params.get("src0_block_stride")), int(params.get("src0_repeat_stride"))
    area = active_elements((elems,), True, False, elems, repeat)
    kept: Array = np.reshape(gather_active(ctx, "src0", area, strides), bits.shape)[bits]
    if len(kept):
        ctx.write("dst", len(kept))[:] = kept
    state = ctx.state
    state.gather_mask_remain = len(kept)
    state.mask_counter, state.mask_low, state.mask_high = False, mask, 0
    return len(kept)


def _pattern_bits(ctx: OpContext, params: Struct, repeat: int, elems: int) -> Bits:
    pattern = pattern_number(ctx)
    if pattern:
        period, kept = _PATTERNS[pattern]
        return np.broadcast_to(np.arange(elems) % period == kept, (repeat, elems))
    stride_bytes = int(params.get("src1_repeat_stride")) * BLOCK_BYTES
    used = -(-elems // 8)
    offsets = np.arange(repeat)[:, None] * stride_bytes + np.arange(used)
    raw = ctx.gather("src1Pattern", offsets, dtype=DType.UINT8)
    return np.stack([unpack(row, elems) for row in raw]) if repeat else np.zeros((0, elems), np.bool_)


def pattern_number(ctx: OpContext) -> int:
    """Return the fixed pattern, or 0 when the pattern is a tensor."""
    try:
        return int(ctx.scalar("src1Pattern"))
    except TypeError:
        return 0


@full("get_gather_mask_remain_count")
def get_gather_mask_remain_count(ctx: OpContext) -> int:
    """Return the count of elements the last gather_mask kept."""
    return ctx.state.gather_mask_remain
