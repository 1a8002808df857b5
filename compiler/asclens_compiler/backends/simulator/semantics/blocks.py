# SPDX-License-Identifier: Apache-2.0
"""Which elements the mask / repeat / stride form of an instruction touches.

One instruction runs `repeat` iterations of 256 bytes of its widest operand: 8 blocks of 32 bytes.
Masked-out elements are neither read nor written. In counter mode the mask register holds a total
element count, the repeat operand is ignored, and only the last iteration is partial.

Everything here is cached by its numbers and read-only, so that repeated calls cost a look-up.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from asclens_compiler.backends.simulator.dtypes import numpy_dtype
from asclens_compiler.backends.simulator.semantics.api import Array, Bits, Index, OpContext, Struct, VectorState
from asclens_compiler.hardware.dtypes import DType

REPEAT_BYTES = 256
BLOCK_BYTES = 32
BLOCKS = REPEAT_BYTES // BLOCK_BYTES
ALL_BITS = 0xFFFF_FFFF_FFFF_FFFF


def frozen(array: Array) -> Array:
    """Return an array after making it read-only: contexts remember what such indexes touch."""
    array.setflags(write=False)
    return array


@dataclass(frozen=True, slots=True, eq=False)
class Active:
    """The active elements of one instruction: `bits` has shape (repeat, elems)."""

    repeat: int
    elems: int
    bits: Bits
    all: bool
    any: bool

    def index(self, dtype: DType, blk_stride: int, rep_stride: int) -> Index:
        """Return the element indexes of an operand that are active, in order (1-D)."""
        return _active_index(self, dtype.size_bytes, blk_stride, rep_stride)

    def whole_index(self, dtype: DType, blk_stride: int, rep_stride: int) -> Index:
        """Return the element indexes of an operand, active or not, shape (repeat, elems)."""
        return repeat_index(dtype.size_bytes, self.repeat, blk_stride, rep_stride, self.elems)


@lru_cache(maxsize=512)
def repeat_index(size: int, repeat: int, blk_stride: int, rep_stride: int, elems: int) -> Index:
    """Return element indexes (repeat, elems) for elements of `size` bytes; strides in blocks."""
    lanes = BLOCK_BYTES // size
    elem = np.arange(elems)
    inside = elem // lanes * (blk_stride * lanes) + elem % lanes
    return frozen(np.arange(repeat)[:, None] * (rep_stride * lanes) + inside)


@lru_cache(maxsize=1024)
def _active_index(area: Active, size: int, blk_stride: int, rep_stride: int) -> Index:
    return frozen(repeat_index(size, area.repeat, blk_stride, rep_stride, area.elems)[area.bits])


@lru_cache(maxsize=1024)
def _span(area: Active, size: int, blk_stride: int, rep_stride: int) -> tuple[int, int] | None:
    """Return (first, count) when the active elements lie side by side in order."""
    index = _active_index(area, size, blk_stride, rep_stride)
    if not len(index) or not bool(np.all(np.diff(index) == 1)):
        return None
    return int(index[0]), len(index)


def elems_per_repeat(*dtypes: DType) -> int:
    """Return the elements of one iteration: 256 bytes of the widest type."""
    return REPEAT_BYTES // max(dtype.size_bytes for dtype in dtypes)


def active(ctx: OpContext, repeat: int, *dtypes: DType) -> Active:
    """Return the active elements of an op in repeat form; `repeat` is its repeat operand."""
    state = ctx.state
    given = ctx.attr("isSetMask", True) and ctx.has("mask")
    words = tuple(int(word) for word in ctx.scalars("mask")) if given else (state.mask_low, state.mask_high)
    # The `_l1` forms of the real dialect take bit words, also when one word is enough.
    counted = given and len(words) == 1 and not ctx.op.endswith("_l1")
    return active_elements(words, counted, state.mask_counter, elems_per_repeat(*dtypes), repeat)


@lru_cache(maxsize=512)
def active_elements(words: tuple[int, ...], counted: bool, counter: bool, elems: int, repeat: int) -> Active:
    """Return the active elements for a mask: an element count, bit words, or (counter) a total."""
    if counter:
        repeat = -(-words[0] // elems)
        bits = np.reshape(np.arange(repeat * elems) < words[0], (repeat, elems))
    else:
        row = np.arange(elems) < words[0] if counted else mask_row(words, elems)
        bits = np.broadcast_to(row, (repeat, elems))
    return Active(repeat, elems, frozen(np.array(bits)), bool(np.all(bits)), bool(np.any(bits)))


def mask_row(words: tuple[int, ...], elems: int) -> Array:
    """Return one iteration's active elements from 64-bit words, low word first."""
    raw = b"".join((int(word) & ALL_BITS).to_bytes(8, "little") for word in words)
    row = np.zeros(max(elems, 8 * len(raw)), np.bool_)
    row[: 8 * len(raw)] = np.unpackbits(np.frombuffer(raw, np.uint8), bitorder="little")
    return row[:elems]


def strides_of(params: Struct, operand: str) -> tuple[int, int]:
    """Return block and repeat stride of an operand from a repeat-params struct."""
    return int(params.get(f"{operand}_blk_stride")), int(params.get(f"{operand}_rep_stride"))


def gather_active(ctx: OpContext, operand: str, area: Active, strides: tuple[int, int]) -> Array:
    """Return the active elements of an operand in order (1-D)."""
    dtype = ctx.dtype(operand)
    span = _span(area, dtype.size_bytes, *strides)
    if span is not None:
        return ctx.read(operand, span[1], span[0])
    return ctx.gather(operand, area.index(dtype, *strides))


def scatter_active(ctx: OpContext, operand: str, area: Active, strides: tuple[int, int], values: Array) -> None:
    """Write the active elements of an operand from their values in order (1-D)."""
    dtype = ctx.dtype(operand)
    span = _span(area, dtype.size_bytes, *strides)
    if span is not None:
        ctx.write(operand, span[1], span[0])[:] = values
    else:
        ctx.scatter(operand, area.index(dtype, *strides), values)


def read_repeats(ctx: OpContext, operand: str, area: Active, strides: tuple[int, int], fill: Any) -> Array:
    """Return the active elements of an operand as (repeat, elems), `fill` in the other places."""
    values = gather_active(ctx, operand, area, strides)
    if area.all:
        return np.reshape(values, area.bits.shape)
    filled: Array = np.full(area.bits.shape, fill, numpy_dtype(ctx.dtype(operand)))
    filled[area.bits] = values
    return filled


def reset_mask(state: VectorState) -> None:
    """Put the mask registers in the state that the count forms of Ascend C leave behind."""
    state.mask_counter = False
    state.mask_low = ALL_BITS
    state.mask_high = ALL_BITS
