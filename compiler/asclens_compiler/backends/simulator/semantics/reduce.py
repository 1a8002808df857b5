# SPDX-License-Identifier: Apache-2.0
"""Reductions within iterations, and over whole tensors.

Sums add neighbours, then neighbours of those sums, in the element type; masked-out elements count
as zero. Maxima and minima report the lowest index of the extreme value; a NaN wins (unspecified).
Sources: CCE guide, vcadd / vcmax / vcgadd / vcpadd; vendor page ReduceSum for the order over
iterations (measured on A2: count form in order, mask form as a tree again).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from asclens_compiler.backends.simulator.dtypes import numpy_dtype
from asclens_compiler.backends.simulator.semantics.api import Array, Bits, Index, OpContext, full
from asclens_compiler.backends.simulator.semantics.blocks import (
    BLOCK_BYTES,
    BLOCKS,
    Active,
    active,
    active_elements,
    elems_per_repeat,
    read_repeats,
    reset_mask,
)
from asclens_compiler.backends.simulator.semantics.bursts import Bursts, save
from asclens_compiler.backends.simulator.semantics.kernels import view_as
from asclens_compiler.hardware.dtypes import DType

_PAIR_RESULT_BYTES = 128


def tree_sum(values: Array) -> Array:
    """Add neighbours along the last axis (a power of two) until one element is left."""
    while values.shape[-1] > 1:
        values = values[..., 0::2] + values[..., 1::2]
    return values[..., 0]


def grouped_tree_sum(values: Array, group: int) -> Array:
    """Reduce a 1-D array by trees of `group` elements, level after level, to one element."""
    while len(values) > 1:
        padded = np.zeros(-(-len(values) // group) * group, values.dtype)
        padded[: len(values)] = values
        values = tree_sum(np.reshape(padded, (-1, group)))
    return values


def _lowest(dtype: DType) -> Any:
    return numpy_dtype(dtype).type(-np.inf if dtype.is_float else np.iinfo(numpy_dtype(dtype)).min)


def _highest(dtype: DType) -> Any:
    return numpy_dtype(dtype).type(np.inf if dtype.is_float else np.iinfo(numpy_dtype(dtype)).max)


def extreme_index(values: Array, active_bits: Array, *, largest: bool) -> Index:
    """Return, per row, the lowest index of the extreme value among active elements."""
    best: Any = np.argmax if largest else np.argmin
    filled = values
    if not active_bits.all():
        fill = -np.inf if largest else np.inf
        filled = np.where(active_bits, values, values.dtype.type(fill))
    index: Array = np.asarray(best(filled, axis=-1))
    # A row whose active values all equal the fill may have picked a masked-out place.
    picked = np.take_along_axis(active_bits, index[:, None], axis=-1)[:, 0]
    return np.where(picked, index, np.argmax(active_bits, axis=-1))


def _source(ctx: OpContext, area: Active, fill: Any) -> Array:
    strides = int(ctx.scalar("srcBlkStride", 1)), int(ctx.scalar("srcRepStride"))
    return read_repeats(ctx, "src", area, strides, fill)


def _area(ctx: OpContext, dtype: DType) -> Active:
    return active(ctx, int(ctx.scalar("repeatTime")), dtype)


@full("whole_reduce_sum", "repeat_reduce_sum")
def whole_reduce_sum(ctx: OpContext) -> None:
    """Write the sum of each iteration to dst[r * dstRepStride] (stride in elements)."""
    dtype = ctx.dtype("src")
    area = _area(ctx, dtype)
    if not area.any:
        return
    sums = tree_sum(_source(ctx, area, 0))
    save(ctx, "dst", sums[:, None], Bursts(area.repeat, 1, int(ctx.scalar("dstRepStride"))))


@full("whole_reduce_max")
def whole_reduce_max(ctx: OpContext) -> None:
    """Write the maximum of each iteration, its index, or both, as `order` says."""
    _whole_extreme(ctx, largest=True)


@full("whole_reduce_min")
def whole_reduce_min(ctx: OpContext) -> None:
    """Write the minimum of each iteration, its index, or both, as `order` says."""
    _whole_extreme(ctx, largest=False)


def _whole_extreme(ctx: OpContext, *, largest: bool) -> None:
    """Write results at multiples of dstRepStride units: the size of one iteration's result.

    The index is unsigned, of the value's width next to a value and 32 bits wide alone.
    """
    dtype = ctx.dtype("src")
    area = _area(ctx, dtype)
    if not area.any:
        return
    values = _source(ctx, area, _lowest(dtype) if largest else _highest(dtype))
    index = extreme_index(values, area.bits, largest=largest)
    best = np.take_along_axis(values, index[:, None], axis=-1)[:, 0]
    order = ctx.attr("order", "ORDER_VALUE_INDEX")
    step = int(ctx.scalar("dstRepStride"))
    if order == "ORDER_ONLY_VALUE":
        save(ctx, "dst", best[:, None], Bursts(area.repeat, 1, step))
    elif order == "ORDER_ONLY_INDEX":
        ctx.scatter("dst", Bursts(area.repeat, 1, step).index(), index.astype(np.uint32)[:, None], dtype=DType.UINT32)
    else:
        columns = (best, index_bits(index, dtype))
        pair = np.stack(columns if order == "ORDER_VALUE_INDEX" else columns[::-1], axis=-1)
        save(ctx, "dst", pair, Bursts(area.repeat, 2, 2 * step))


def index_bits(index: Index, dtype: DType) -> Array:
    """Return indexes as unsigned integers of the type's width, seen as that type."""
    target = numpy_dtype(dtype)
    return view_as(index.astype(f"u{target.itemsize}"), target)


@full("block_reduce_sum")
def block_reduce_sum(ctx: OpContext) -> None:
    """Write the sum of each 32-byte block; 8 results in a row per iteration."""
    _block_reduce(ctx, tree_sum, 0)


@full("block_reduce_max")
def block_reduce_max(ctx: OpContext) -> None:
    """Write the maximum of each 32-byte block; 8 results in a row per iteration."""
    _block_reduce(ctx, lambda blocks: np.max(blocks, axis=-1), _lowest(ctx.dtype("src")))


@full("block_reduce_min")
def block_reduce_min(ctx: OpContext) -> None:
    """Write the minimum of each 32-byte block; 8 results in a row per iteration."""
    _block_reduce(ctx, lambda blocks: np.min(blocks, axis=-1), _highest(ctx.dtype("src")))


def _block_reduce(ctx: OpContext, combine: Callable[[Array], Array], fill: Any) -> None:
    """Reduce blocks; a block without an active element leaves its result place as it was.

    dstRepStride counts groups of 8 results.
    """
    dtype = ctx.dtype("src")
    area = _area(ctx, dtype)
    lanes = BLOCK_BYTES // dtype.size_bytes
    bits = np.reshape(area.bits, (area.repeat, BLOCKS, lanes))
    values = np.reshape(_source(ctx, area, fill), bits.shape)
    _save_groups(ctx, combine(values), np.any(bits, axis=-1), int(ctx.scalar("dstRepStride")) * BLOCKS)


def _save_groups(ctx: OpContext, results: Array, written: Bits, step: int) -> None:
    """Write a row of results per iteration; those not `written` leave their places as they were."""
    bursts = Bursts(results.shape[0], results.shape[1], step)
    if written.all():
        save(ctx, "dst", results, bursts)
    else:
        ctx.scatter("dst", bursts.index()[written], results[written])


@full("pair_reduce_sum")
def pair_reduce_sum(ctx: OpContext) -> None:
    """Write the sums of elements 2k and 2k + 1; dstRepStride counts 128 bytes.

    A pair without an active element leaves its result place as it was (A2 / A3).
    """
    dtype = ctx.dtype("src")
    area = _area(ctx, dtype)
    values = _source(ctx, area, 0)
    sums = values[:, 0::2] + values[:, 1::2]
    written = area.bits[:, 0::2] | area.bits[:, 1::2]
    step = int(ctx.scalar("dstRepStride")) * _PAIR_RESULT_BYTES // dtype.size_bytes
    _save_groups(ctx, sums, written, step)


@full("reduce_sum")
def reduce_sum(ctx: OpContext) -> None:
    """Write the sum of all elements to dst[0].

    Count form: a tree per iteration, the results added in order from 0. Mask form: a tree per
    iteration, then trees over those results (rounded to the element type, kept in sharedTmpBuffer).
    """
    dtype = ctx.dtype("src")
    if ctx.has("count"):
        total = ordered_sum(ctx.read("src", int(ctx.scalar("count"))), elems_per_repeat(dtype))
        if total is not None:
            ctx.write("dst", 1)[:] = total
            ctx.state.acc_value = float(total)
        reset_mask(ctx.state)
        return
    area = _area(ctx, dtype)
    if not area.any:
        return
    sums = tree_sum(_source(ctx, area, 0))
    if len(sums) > 1:
        ctx.write("sharedTmpBuffer", len(sums))[:] = sums
        reset_mask(ctx.state)
    ctx.write("dst", 1)[:] = grouped_tree_sum(sums, area.elems)


def ordered_sum(values: Array, group: int) -> Any:
    """Return the count form's sum, or None for no elements."""
    if not len(values):
        return None
    whole = len(values) // group * group
    tail = np.zeros(group, values.dtype)
    tail[: len(values) - whole] = values[whole:]
    total = values.dtype.type(0)
    for part in tree_sum(np.reshape(values[:whole], (-1, group))):
        total = total + part
    return total + tree_sum(tail) if whole < len(values) else total


@full("reduce_max")
def reduce_max(ctx: OpContext) -> None:
    """Write the maximum to dst[0] and, with calIndex, its index bits to dst[1]."""
    _reduce_extreme(ctx, largest=True)


@full("reduce_min")
def reduce_min(ctx: OpContext) -> None:
    """Write the minimum to dst[0] and, with calIndex, its index bits to dst[1]."""
    _reduce_extreme(ctx, largest=False)


def _reduce_extreme(ctx: OpContext, *, largest: bool) -> None:
    """Reduce iterations to (value, index) pairs, then the pairs.

    The index counts elements of memory from the start of `src`, so gaps between iterations count.
    """
    dtype = ctx.dtype("src")
    elems = elems_per_repeat(dtype)
    if ctx.has("count"):
        area, values, step = _counted(ctx, elems)
    else:
        area = _area(ctx, dtype)
        values = _source(ctx, area, _lowest(dtype) if largest else _highest(dtype))
        step = int(ctx.scalar("srcRepStride")) * (BLOCK_BYTES // dtype.size_bytes)
    if not area.any:
        return
    index = extreme_index(values, area.bits, largest=largest)
    best = np.take_along_axis(values, index[:, None], axis=-1)[:, 0]
    row = int(extreme_index(best[None, :], np.ones((1, len(best)), np.bool_), largest=largest)[0])
    if len(best) > 1:
        pairs = np.stack((best, index_bits(index, dtype)), axis=-1).ravel()
        body = area.repeat if not ctx.has("count") else max(int(ctx.scalar("count")) // elems, 1)
        ctx.write("sharedTmpBuffer", 2 * body)[:] = pairs[: 2 * body]
    ctx.write("dst", 1)[:] = best[row]
    if ctx.scalar("calIndex", False):
        ctx.write("dst", 1, 1)[:] = index_bits(np.array([row * step + index[row]]), dtype)


def _counted(ctx: OpContext, elems: int) -> tuple[Active, Array, int]:
    """Return the first `count` elements of `src` as iterations, the last one partial."""
    count = int(ctx.scalar("count"))
    values = ctx.read("src", count)
    repeat = -(-count // elems)
    padded = np.zeros(repeat * elems, values.dtype)
    padded[:count] = values
    area = active_elements((count,), False, True, elems, repeat)
    return area, np.reshape(padded, area.bits.shape), elems
