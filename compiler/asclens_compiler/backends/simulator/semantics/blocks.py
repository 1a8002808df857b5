# SPDX-License-Identifier: Apache-2.0
"""Which elements the mask / repeat / stride form of an instruction touches.

One instruction runs `repeat` iterations of 256 bytes of its widest operand: 8 blocks of 32 bytes.
Masked-out elements are neither read nor written. In counter mode the mask register holds a total
element count, the repeat operand is ignored, and only the last iteration is partial.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from asclens_compiler.backends.simulator.dtypes import numpy_dtype
from asclens_compiler.backends.simulator.semantics.api import Array, Bits, Index, OpContext, VectorState
from asclens_compiler.hardware.dtypes import DType

REPEAT_BYTES = 256
BLOCK_BYTES = 32
BLOCKS = REPEAT_BYTES // BLOCK_BYTES
ALL_BITS = 0xFFFF_FFFF_FFFF_FFFF


@dataclass(frozen=True, slots=True)
class Active:
    """The active elements of one instruction: `bits` has shape (repeat, elems)."""

    repeat: int
    elems: int
    bits: Bits

    @property
    def count(self) -> int:
        """Return how many elements are active."""
        return int(self.bits.sum())

    def index(self, ctx: OpContext, dtype: DType, blk_stride: int, rep_stride: int) -> Index:
        """Return the element indexes of an operand that are active, in order (1-D)."""
        index = ctx.repeat_index(
            dtype, repeat=self.repeat, blk_stride=blk_stride, rep_stride=rep_stride, elems=self.elems
        )
        return index[self.bits]


def elems_per_repeat(*dtypes: DType) -> int:
    """Return the elements of one iteration: 256 bytes of the widest type."""
    return REPEAT_BYTES // max(dtype.size_bytes for dtype in dtypes)


def counter_repeat(count: int, elems: int) -> int:
    """Return the iterations that cover `count` elements."""
    return -(-count // elems)


def active(ctx: OpContext, repeat: int, *dtypes: DType) -> Active:
    """Return the active elements of an op in repeat form; `repeat` is its repeat operand."""
    elems = elems_per_repeat(*dtypes)
    if ctx.state.mask_counter:
        repeat = counter_repeat(counter_count(ctx), elems)
    return Active(repeat, elems, ctx.mask_bits(elems, repeat))


def counter_count(ctx: OpContext) -> int:
    """Return the element count that counter mode takes from the op's mask or the register."""
    if ctx.attr("isSetMask", True) and ctx.has("mask"):
        words = ctx.scalars("mask")
        return int(words[0])
    return ctx.state.mask_low


def reset_mask(state: VectorState) -> None:
    """Put the mask registers in the state that the count forms of Ascend C leave behind."""
    state.mask_counter = False
    state.mask_low = ALL_BITS
    state.mask_high = ALL_BITS


def read_repeats(ctx: OpContext, operand: str, area: Active, blk_stride: int, rep_stride: int, fill: Any) -> Array:
    """Return the active elements of an operand as (repeat, elems), `fill` in the other places."""
    dtype = ctx.dtype(operand)
    full = bool(area.bits.all())
    if full and blk_stride == 1 and rep_stride == BLOCKS and area.elems * dtype.size_bytes == REPEAT_BYTES:
        return np.reshape(ctx.read(operand, area.repeat * area.elems), area.bits.shape)
    index = ctx.repeat_index(dtype, repeat=area.repeat, blk_stride=blk_stride, rep_stride=rep_stride, elems=area.elems)
    if full:
        return ctx.gather(operand, index)
    values: Array = np.full(area.bits.shape, fill, numpy_dtype(dtype))
    values[area.bits] = ctx.gather(operand, index[area.bits])
    return values
