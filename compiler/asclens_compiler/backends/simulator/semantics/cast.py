# SPDX-License-Identifier: Apache-2.0
"""Cast, and the casts that dequantise with the DEQSCALE register.

int32 -> float16 multiplies by the register's half scale, with one rounding to nearest even of the
exact product (the vendor computes src / 2^17 * scale * 2^17 to avoid overflow; the rounding of its
intermediate values is unspecified). int16 -> int8 / uint8 follows the CCE guide's DEQS162B8.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from asclens_compiler.backends.simulator.dtypes import numpy_dtype
from asclens_compiler.backends.simulator.semantics.api import Array, Index, Kernel, OpContext, VectorState, full
from asclens_compiler.backends.simulator.semantics.blocks import (
    BLOCK_BYTES,
    active,
    gather_active,
    scatter_active,
    strides_of,
)
from asclens_compiler.backends.simulator.semantics.convert import RoundMode, converter
from asclens_compiler.backends.simulator.semantics.kernels import clip, view_as
from asclens_compiler.hardware.dtypes import DType

_converter = cache(converter)
VDEQ_WORD = "vdeq_word_"  # state.more[VDEQ_WORD + lane]: the table that SetDeqScale(tensor) wrote
_SCALE_MANTISSA_MASK = 0xFFFF_E000  # the hardware reads the float scale as (1, 8, 10)


@full("cast")
def cast(ctx: OpContext) -> None:
    """Convert elements of `src` into `dst` with the round mode of the attribute."""
    source, target = ctx.dtype("src"), ctx.dtype("dst")
    if source is DType.INT32 and target is DType.FLOAT16:
        kernel = _dequantizer(ctx.state)
    else:
        kernel = _converter(source, target, RoundMode(ctx.attr("roundMode")))
    apply_unary(ctx, kernel)


def apply_unary(ctx: OpContext, kernel: Kernel) -> None:
    """Run a conversion kernel over `src` and `dst` in count form or in repeat form."""
    if ctx.has("calCount"):
        count = int(ctx.scalar("calCount"))
        kernel(ctx.read("src", count), out=ctx.write("dst", count))
        return
    source, target = ctx.dtype("src"), ctx.dtype("dst")
    params = ctx.struct("repeatParams")
    area = active(ctx, int(ctx.scalar("repeatTimes")), source, target)
    values = gather_active(ctx, "src", area, strides_of(params, "src"))
    result = np.empty(len(values), numpy_dtype(target))
    kernel(values, out=result)
    scatter_active(ctx, "dst", area, strides_of(params, "dst"), result)


def _dequantizer(state: VectorState, *, relu: bool = False) -> Kernel:
    """Return int32 -> float16: multiply by the half scale in DEQSCALE, round once."""
    scale = half_scale(state)

    def kernel(values: Array, *, out: Array) -> None:
        # int32 times an 11-bit significand is exact in float64.
        product = values.astype(np.float64) * scale
        np.copyto(out, np.maximum(product, 0.0) if relu else product, casting="unsafe")

    return kernel


def half_scale(state: VectorState) -> float:
    """Return the scale that `SetDeqScale(half)` left in the register."""
    return float(view_as(np.array([state.deq_scale & 0xFFFF], np.uint16), np.float16)[0])


@full("cast_deq")
def cast_deq(ctx: OpContext) -> None:
    """Dequantise: int32 -> float16, or int16 -> int8 / uint8 in one half of each 32-byte block.

    `halfBlock` puts the 16 results of a block into its upper 16 bytes, else into its lower ones;
    the other half keeps its bytes. With `isVecDeq` lane j of each block uses entry j of a table of
    16 64-bit words in UB, else DEQSCALE itself is the entry.
    """
    if ctx.dtype("src") is DType.INT32:
        apply_unary(ctx, _dequantizer(ctx.state))
        return
    source, target = _deq_index(ctx)
    words = _deq_words(ctx)
    lanes = source % 16
    result = dequantize_int16(ctx.gather("src", source), words[lanes])
    ctx.scatter("dst", target, view_as(result, numpy_dtype(ctx.dtype("dst"))))


def _deq_index(ctx: OpContext) -> tuple[Index, Index]:
    """Return the source and destination element indexes of an int16 -> 8-bit dequantisation."""
    upper = 16 if ctx.attr("halfBlock", False) else 0
    if ctx.has("calCount"):
        source = np.arange(int(ctx.scalar("calCount")))
        return source, source // 16 * BLOCK_BYTES + source % 16 + upper
    params = ctx.struct("repeatParams")
    area = active(ctx, int(ctx.scalar("repeatTimes")), DType.INT16)
    source = area.index(DType.INT16, *strides_of(params, "src"))
    lanes = np.broadcast_to(np.arange(area.elems), area.bits.shape)[area.bits]
    block = area.index(DType.INT16, *strides_of(params, "dst")) - lanes % 16
    return source, block * 2 + lanes % 16 + upper


def _deq_words(ctx: OpContext) -> Array:
    """Return the 16 dequantisation words, one per lane of a block."""
    if not ctx.attr("isVecDeq", False):
        return np.full(16, ctx.state.deq_scale, np.uint64)
    return np.array([ctx.state.more.get(f"{VDEQ_WORD}{lane}", 0) for lane in range(16)], np.uint64)


def dequantize_int16(values: Array, words: Array) -> Array:
    """Return the 8-bit results (as bytes) of int16 values with one DEQSCALE word each.

    float32 product with the scale (10 mantissa bits), rounded to nearest even and saturated to 9
    bits signed, plus the 9-bit offset, saturated to int8 or uint8 as bit 46 says. The rounding of
    the product to an integer is unspecified; nearest even is CAST_NONE's.
    """
    scale = view_as((words & np.uint64(_SCALE_MANTISSA_MASK)).astype(np.uint32), np.float32)
    offset = ((words >> np.uint64(37)) & np.uint64(0x1FF)).astype(np.int32)
    offset -= (offset & 0x100) << 1
    signed = (words >> np.uint64(46)) & np.uint64(1) == 1
    product = np.rint(values.astype(np.float32) * scale)
    product[np.isnan(product)] = 0
    total = clip(product, -256, 255).astype(np.int32) + offset
    low: Array = np.where(signed, -128, 0)
    high: Array = np.where(signed, 127, 255)
    return clip(total, low, high).astype(np.uint8)


@full("add_deq_relu")
def add_deq_relu(ctx: OpContext) -> None:
    """Compute max((src0 + src1) * scale, 0) from int32 to float16; the sum wraps around."""
    kernel = _dequantizer(ctx.state, relu=True)
    if ctx.has("calCount"):
        count = int(ctx.scalar("calCount"))
        kernel(ctx.read("src0", count) + ctx.read("src1", count), out=ctx.write("dst", count))
        return
    params = ctx.struct("repeatParams")
    area = active(ctx, int(ctx.scalar("repeatTimes")), DType.INT32)
    src0, src1 = (gather_active(ctx, name, area, strides_of(params, name)) for name in ("src0", "src1"))
    result = np.empty(len(src0), np.float16)
    kernel(src0 + src1, out=result)
    scatter_active(ctx, "dst", area, strides_of(params, "dst"), result)
