# SPDX-License-Identifier: Apache-2.0
"""Sorting of (score, index) records and merging of sorted lists.

A record takes 8 bytes: a float32 score, or a float16 score and 2 unused bytes (written as 0), then
a uint32 index. Order is descending by score; equal scores keep their order. Where a NaN goes is
unspecified (here: last). Sources: vendor pages Sort32, MrgSort, Sort, Concat, Extract.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from asclens_compiler.backends.simulator.semantics.api import Array, Index, OpContext, full
from asclens_compiler.backends.simulator.semantics.kernels import view_as
from asclens_compiler.hardware.dtypes import DType

_RECORD_BYTES = 8
_SORT_ELEMS = 32
_CONCAT_ELEMS = 16
_LISTS = 4


def make_records(scores: Array, index: Array) -> Array:
    """Return records as raw bytes, shape (n, 8)."""
    raw = np.zeros((len(scores), _RECORD_BYTES), np.uint8)
    size = scores.dtype.itemsize
    raw[:, :size] = np.reshape(view_as(np.ascontiguousarray(scores), np.uint8), (len(scores), size))
    raw[:, 4:] = np.reshape(view_as(index.astype("<u4"), np.uint8), (len(scores), 4))
    return raw


def scores_of(raw: Array, dtype: DType) -> Array:
    """Return the scores of records given as bytes (n, 8)."""
    size = dtype.size_bytes
    return np.ravel(view_as(np.ascontiguousarray(raw[:, :size]), f"<f{size}"))


def descending(scores: Array) -> Index:
    """Return the stable order from the highest score down, along the last axis."""
    return np.argsort(-scores.astype(np.float64), axis=-1, kind="stable")


@full("sort32")
def sort32(ctx: OpContext) -> None:
    """Sort each 32 scores of `src0` with their indexes of `src1` into 32 records."""
    repeat = int(ctx.scalar("repeatTime"))
    _write_records(ctx, "dst", _sort_groups(ctx, "src0", "src1", repeat))


def _sort_groups(ctx: OpContext, scores: str, index: str, repeat: int) -> Array:
    values = np.reshape(ctx.read(scores, repeat * _SORT_ELEMS), (repeat, _SORT_ELEMS))
    numbers = np.reshape(ctx.read(index, repeat * _SORT_ELEMS, dtype=DType.UINT32), values.shape)
    order = descending(values)
    return make_records(
        np.ravel(np.take_along_axis(values, order, axis=-1)), np.ravel(np.take_along_axis(numbers, order, axis=-1))
    )


def _write_records(ctx: OpContext, operand: str, raw: Array, first: int = 0) -> None:
    ctx.write(operand, raw.size, first * _RECORD_BYTES, dtype=DType.UINT8)[:] = np.ravel(raw)


def _read_records(ctx: OpContext, operand: str, count: int, first: int = 0) -> Array:
    raw = ctx.read(operand, count * _RECORD_BYTES, first * _RECORD_BYTES, dtype=DType.UINT8)
    return np.reshape(raw, (count, _RECORD_BYTES))


@full("mrg_sort")
def mrg_sort(ctx: OpContext) -> None:
    """Merge two to four sorted lists; operands or a params struct say lengths and valid lists."""
    if ctx.has("params"):
        info = ctx.struct("params")
        lengths = [int(value) for value in info.get("element_lengths")]
        suspend = bool(info.get("if_exhausted_suspension", False))
        _merge_repeats(ctx, "src", lengths, int(info.get("valid_bit")), int(info.get("repeat_times")), suspend=suspend)
        return
    lengths = [int(value) for value in ctx.scalars("elementCountList")]
    suspend = bool(ctx.attr("isExhaustedSuspension", False))
    _merge_repeats(
        ctx, "sortList", lengths, int(ctx.scalar("validBit")), int(ctx.scalar("repeatTime")), suspend=suspend
    )


def _merge_repeats(
    ctx: OpContext, operand: str, lengths: list[int], valid_bit: int, repeat: int, *, suspend: bool
) -> None:
    """Merge `repeat` times; each iteration moves on by the length of all four lists."""
    dtype = ctx.dtype("dst")
    names = ctx.tensors(operand)
    used = [i for i in range(min(_LISTS, len(names))) if valid_bit >> i & 1]
    stride = sum(lengths)
    for step in range(repeat):
        lists = [_read_records(ctx, names[i], lengths[i], step * stride) for i in used]
        merged, taken = merge([scores_of(raw, dtype) for raw in lists], suspend=suspend)
        raw = np.concatenate(lists)[merged]
        _write_records(ctx, "dst", raw, step * stride)
        counts = [0] * _LISTS
        for i, count in zip(used, taken, strict=True):
            counts[i] = count
        ctx.state.mrg_sort_counts = tuple(counts)


def merge(lists: Sequence[Array], *, suspend: bool) -> tuple[Index, tuple[int, ...]]:
    """Return the merge order over the concatenated lists, and how many each list gave.

    The next record is the highest head; of equal heads that of the earlier list. With `suspend`
    merging stops as soon as one list is used up.
    """
    sizes = [len(values) for values in lists]
    starts = np.cumsum([0, *sizes])
    joined = np.concatenate(lists)
    if all(bool(np.all(values[:-1] >= values[1:])) for values in lists):
        order = descending(joined)
        if not suspend:
            return order, tuple(sizes)
        ends = [int(np.flatnonzero(order == starts[i + 1] - 1)[0]) if size else -1 for i, size in enumerate(sizes)]
        order = order[: min(ends) + 1]
        owner = np.searchsorted(starts, order, side="right") - 1
        return order, tuple(int(np.sum(owner == i)) for i in range(len(lists)))
    return _merge_heads(lists, starts, suspend=suspend)


def _merge_heads(lists: Sequence[Array], starts: Index, *, suspend: bool) -> tuple[Index, tuple[int, ...]]:
    """Merge lists that are not sorted the way the hardware does: by their heads."""
    heads = [0] * len(lists)
    order: list[int] = []
    while True:
        live = [i for i, values in enumerate(lists) if heads[i] < len(values)]
        if not live or (suspend and len(live) < len(lists)):
            break
        best = max(live, key=lambda i: (float(lists[i][heads[i]]), -i))
        order.append(int(starts[best]) + heads[best])
        heads[best] += 1
    return np.array(order, np.int64), tuple(heads)


@full("concat")
def concat(ctx: OpContext) -> None:
    """Prepare scores for `sort`: a plain copy of 16 elements per iteration on these chips."""
    count = int(ctx.scalar("repeatTime")) * _CONCAT_ELEMS
    ctx.write("dst", count)[:] = ctx.read("src", count)


@full("sort")
def sort(ctx: OpContext) -> None:
    """Sort groups of 32 scores into records, or with isFullSort all of them; `tmp` is overwritten."""
    repeat = int(ctx.scalar("repeatTime"))
    raw = _sort_groups(ctx, "concat", "index", repeat)
    if ctx.attr("isFullSort", False) and repeat > 1:
        raw = raw[descending(scores_of(raw, ctx.dtype("dst")))]
        _write_records(ctx, "tmp", raw)
    _write_records(ctx, "dst", raw)


@full("extract")
def extract(ctx: OpContext) -> None:
    """Split records into scores and indexes, 32 per iteration."""
    count = int(ctx.scalar("repeatTime")) * _SORT_ELEMS
    raw = _read_records(ctx, "src", count)
    dtype = ctx.dtype("dstValue")
    ctx.write("dstValue", count)[:] = scores_of(raw, dtype)
    index = np.ravel(view_as(np.ascontiguousarray(raw[:, 4:]), "<u4"))
    ctx.write("dstIndex", count, dtype=DType.UINT32)[:] = index
