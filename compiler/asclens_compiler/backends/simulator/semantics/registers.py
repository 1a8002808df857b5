# SPDX-License-Identifier: Apache-2.0
"""Instructions that set or read the registers other instructions use implicitly.

Sources: vendor pages SetVectorMask, SetMaskCount, SetDeqScale, SetAtomic*, SetStoreAtomicConfig;
CCE guide, set_vector_mask and the DEQSCALE layout in vconv.
"""

from __future__ import annotations

import numpy as np

from asclens_compiler.backends.simulator.semantics.api import OpContext, full
from asclens_compiler.backends.simulator.semantics.blocks import ALL_BITS
from asclens_compiler.backends.simulator.semantics.cast import VDEQ_WORD
from asclens_compiler.backends.simulator.semantics.kernels import view_as
from asclens_compiler.hardware.dtypes import DType

_ATOMIC_TYPES: dict[str, tuple[int, DType]] = {
    "ATOMIC_NONE": (0, DType.UNKNOWN),
    "ATOMIC_F32": (1, DType.FLOAT32),
    "ATOMIC_F16": (2, DType.FLOAT16),
    "ATOMIC_S16": (3, DType.INT16),
    "ATOMIC_S32": (4, DType.INT32),
    "ATOMIC_S8": (5, DType.INT8),
    "ATOMIC_BF16": (6, DType.BFLOAT16),
}
_ATOMIC_OPS = {"ATOMIC_SUM": "add"}


@full("set_vector_mask")
def set_vector_mask(ctx: OpContext) -> None:
    """Set the mask register from a length, or from its high and low words.

    A length in NORMAL mode activates the first elements of an iteration; in COUNTER mode (and
    the low word then) it is the element count of a whole instruction.
    """
    state = ctx.state
    if not ctx.has("len"):
        state.mask_low = int(ctx.scalar("maskLow")) & ALL_BITS
        state.mask_high = int(ctx.scalar("maskHigh")) & ALL_BITS
        return
    length = int(ctx.scalar("len"))
    if ctx.attr("mode", "NORMAL") == "COUNTER":
        state.mask_low, state.mask_high = length, 0
        return
    bits = (1 << min(max(length, 0), 128)) - 1
    state.mask_low, state.mask_high = bits & ALL_BITS, bits >> 64


@full("reset_mask")
def reset_mask(ctx: OpContext) -> None:
    """Set all mask bits; the mask mode stays."""
    ctx.state.mask_low = ctx.state.mask_high = ALL_BITS


@full("set_mask_count")
def set_mask_count(ctx: OpContext) -> None:
    """Switch to counter mode: the mask register holds an element count."""
    ctx.state.mask_counter = True


@full("set_mask_norm")
def set_mask_norm(ctx: OpContext) -> None:
    """Switch to normal mode: the mask register holds one bit per element."""
    ctx.state.mask_counter = False


@full("set_deq_scale")
def set_deq_scale(ctx: OpContext) -> None:
    """Set DEQSCALE from a half scale, or from a float scale with offset and sign flag."""
    scale = float(ctx.scalar("scale"))
    if ctx.has("offset"):
        ctx.state.deq_scale = deq_word(scale, int(ctx.scalar("offset")), bool(ctx.scalar("signMode", False)))
    else:
        ctx.state.deq_scale = int(view_as(np.array([scale]).astype(np.float16), np.uint16)[0])


def deq_word(scale: float, offset: int, signed: bool) -> int:
    """Return a dequantisation word: float bits, 9-bit offset at bit 37, sign flag at bit 46."""
    bits = int(view_as(np.array([scale], np.float32), np.uint32)[0])
    return bits | (offset & 0x1FF) << 37 | int(signed) << 46


@full("set_deq_scale_l4")
def set_deq_scale_vector(ctx: OpContext) -> None:
    """Write 16 dequantisation words to `vdeq` and point DEQSCALE at them."""
    info = ctx.struct("vdeqInfo")
    scales, offsets, signs = (info.get(name) for name in ("scale", "offset", "sign_mode"))
    words = [deq_word(float(scales[i]), int(offsets[i]), bool(signs[i])) for i in range(16)]
    ctx.write("vdeq", 16, dtype=DType.UINT64)[:] = np.array(words, np.uint64)
    ctx.state.deq_scale = ctx.address("vdeq") // 32
    for lane, word in enumerate(words):
        ctx.state.more[f"{VDEQ_WORD}{lane}"] = word


def _attr_dtype(ctx: OpContext) -> DType:
    name = ctx.attr("dtype", "")
    return DType(name) if name else DType.UNKNOWN


@full("set_atomic_add")
def set_atomic_add(ctx: OpContext) -> None:
    """Make later copies to global memory add."""
    ctx.state.atomic_op, ctx.state.atomic_dtype = "add", _attr_dtype(ctx)


@full("set_atomic_max")
def set_atomic_max(ctx: OpContext) -> None:
    """Make later copies to global memory keep the larger value."""
    ctx.state.atomic_op, ctx.state.atomic_dtype = "max", _attr_dtype(ctx)


@full("set_atomic_min")
def set_atomic_min(ctx: OpContext) -> None:
    """Make later copies to global memory keep the smaller value."""
    ctx.state.atomic_op, ctx.state.atomic_dtype = "min", _attr_dtype(ctx)


@full("set_atomic_type")
def set_atomic_type(ctx: OpContext) -> None:
    """Set the element type of atomic copies; the operation stays."""
    ctx.state.atomic_dtype = _attr_dtype(ctx)


@full("set_atomic_none")
def set_atomic_none(ctx: OpContext) -> None:
    """Make later copies to global memory overwrite."""
    ctx.state.atomic_op, ctx.state.atomic_dtype = "", DType.UNKNOWN


@full("set_store_atomic_config")
def set_store_atomic_config(ctx: OpContext) -> None:
    """Set element type and operation of atomic copies in one go."""
    _, dtype = _ATOMIC_TYPES[ctx.attr("atomicType")]
    ctx.state.atomic_dtype = dtype
    ctx.state.atomic_op = _ATOMIC_OPS[ctx.attr("atomicOp")] if dtype is not DType.UNKNOWN else ""


@full("get_store_atomic_config")
def get_store_atomic_config(ctx: OpContext) -> tuple[int, int]:
    """Return the numbers of the atomic element type (0: off) and operation (0: sum)."""
    if not ctx.state.atomic_op:
        return 0, 0
    numbers = {dtype: number for number, dtype in _ATOMIC_TYPES.values()}
    return numbers.get(ctx.state.atomic_dtype, 0), 0


@full("get_mrg_sort_result")
def get_mrg_sort_result(ctx: OpContext) -> tuple[int, ...]:
    """Return how many records the last suspended merge took from each of four lists."""
    return ctx.state.mrg_sort_counts
