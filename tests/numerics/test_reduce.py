# SPDX-License-Identifier: Apache-2.0
"""Reductions: order bit for bit, indexes, masks, strides, and what was measured on the device."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import strategies as st
from numerics_fake import Context, run, same_bits, strided
from numerics_strategies import given, mask_row, masks, values

F16, F32 = np.dtype(np.float16), np.dtype(np.float32)
DTYPES = [F16, F32]


def tree(row):
    """Add neighbours until one is left, one scalar addition at a time."""
    row = list(row)
    while len(row) > 1:
        row = [row[i] + row[i + 1] for i in range(0, len(row), 2)]
    return row[0]


def reference(source, index, row, fill):
    """Elements of each iteration with `fill` in masked-out places."""
    picked = source[index]
    return [np.where(row, line, source.dtype.type(fill)) for line in picked]


def repeat_case(data, dtype, *, finite=True):
    elems = 256 // dtype.itemsize
    repeat, blk, rep = (data.draw(st.integers(low, high)) for low, high in ((1, 4), (1, 3), (0, 20)))
    index = strided(dtype.itemsize, repeat, blk, rep)
    source = data.draw(values(dtype, int(index.max()) + 1, finite=finite))
    mask = data.draw(masks(elems))
    operands = {"src": source, "mask": mask, "repeatTime": repeat, "srcBlkStride": blk, "srcRepStride": rep}
    return elems, repeat, index, source, mask_row(mask, elems), operands


@pytest.mark.parametrize("name", ["whole_reduce_sum", "repeat_reduce_sum"])
@pytest.mark.parametrize("dtype", DTYPES)
@given(data=st.data(), step=st.integers(1, 5))
def test_whole_sum_is_a_tree_of_neighbours(dtype, name, data, step):
    _, repeat, index, source, row, operands = repeat_case(data, dtype)
    dst = np.full((repeat - 1) * step + 2, 7, dtype)
    expected = dst.copy()
    with np.errstate(all="ignore"):
        for r, line in enumerate(reference(source, index, row, 0)):
            expected[r * step] = tree(line)
    run(name, Context(dst=dst, dstRepStride=step, **operands))
    assert same_bits(dst, expected)


@pytest.mark.parametrize("largest", [True, False], ids=["max", "min"])
@pytest.mark.parametrize("order", ["VALUE_INDEX", "INDEX_VALUE", "ONLY_VALUE", "ONLY_INDEX"])
@pytest.mark.parametrize("dtype", DTYPES)
@given(data=st.data())
def test_whole_extreme(dtype, order, largest, data):
    _, repeat, index, source, row, operands = repeat_case(data, dtype)
    width = 2 if order in ("VALUE_INDEX", "INDEX_VALUE") or (order == "ONLY_INDEX" and dtype == F16) else 1
    dst = np.zeros(repeat * width, dtype)
    name = "whole_reduce_max" if largest else "whole_reduce_min"
    run(name, Context(attrs={"order": f"ORDER_{order}"}, dst=dst, dstRepStride=1, **operands))
    active = np.flatnonzero(row)
    for r in range(repeat):
        line = source[index[r]]
        best = active[np.argmax(line[active]) if largest else np.argmin(line[active])]
        got = dst[r * width : (r + 1) * width]
        as_index = got.view(np.uint32 if order == "ONLY_INDEX" else f"u{dtype.itemsize}")
        if order != "ONLY_INDEX":
            assert got[1 if order == "INDEX_VALUE" else 0] == line[best]
        if order != "ONLY_VALUE":
            assert as_index[1 if order == "VALUE_INDEX" else 0] == best


@pytest.mark.parametrize("kind", ["sum", "max", "min"])
@pytest.mark.parametrize("dtype", DTYPES)
@given(data=st.data(), step=st.integers(1, 2))
def test_block_reduce(dtype, kind, data, step):
    _, repeat, index, source, row, operands = repeat_case(data, dtype)
    lanes = 32 // dtype.itemsize
    dst = np.full(((repeat - 1) * step + 1) * 8, 7, dtype)
    expected = dst.copy()
    for r in range(repeat):
        for b in range(8):
            place = slice(b * lanes, (b + 1) * lanes)
            line, on = source[index[r]][place], row[place]
            if not on.any():
                continue
            with np.errstate(all="ignore"):
                result = tree(np.where(on, line, dtype.type(0))) if kind == "sum" else getattr(line[on], kind)()
            expected[r * step * 8 + b] = result
    run(f"block_reduce_{kind}", Context(dst=dst, dstRepStride=step, **operands))
    assert np.array_equal(dst, expected, equal_nan=True)


@pytest.mark.parametrize("dtype", DTYPES)
@given(data=st.data(), step=st.integers(1, 2))
def test_pair_reduce_sum(dtype, data, step):
    elems, repeat, index, source, row, operands = repeat_case(data, dtype)
    pitch = 128 // dtype.itemsize
    dst = np.full(((repeat - 1) * step + 1) * pitch, 7, dtype)
    expected = dst.copy()
    with np.errstate(all="ignore"):
        for r, line in enumerate(reference(source, index, row, 0)):
            for k in range(elems // 2):
                if row[2 * k] or row[2 * k + 1]:
                    expected[r * step * pitch + k] = line[2 * k] + line[2 * k + 1]
    run("pair_reduce_sum", Context(dst=dst, dstRepStride=step, **operands))
    assert same_bits(dst, expected)


@pytest.mark.parametrize("dtype", DTYPES)
@given(data=st.data(), count=st.integers(1, 300))
def test_reduce_sum_count_adds_iterations_in_order(dtype, data, count):
    elems = 256 // dtype.itemsize
    source = data.draw(values(dtype, count, finite=True))
    dst = np.zeros(1, dtype)
    run("reduce_sum", Context(dst=dst, src=source, sharedTmpBuffer=np.zeros(1, dtype), count=count))
    padded = np.zeros(-(-count // elems) * elems, dtype)
    padded[:count] = source
    with np.errstate(all="ignore"):
        total = dtype.type(0)
        for line in padded.reshape(-1, elems):
            total = total + tree(line)
    assert same_bits(dst, np.array([total]))


@pytest.mark.parametrize("dtype", DTYPES)
@given(data=st.data())
def test_reduce_sum_mask_form_is_trees_of_trees(dtype, data):
    elems, repeat, index, source, row, operands = repeat_case(data, dtype)
    operands["srcBlkStride"] = 1
    index = strided(dtype.itemsize, repeat, 1, operands["srcRepStride"])
    dst, work = np.zeros(1, dtype), np.zeros(repeat, dtype)
    run("reduce_sum", Context(dst=dst, sharedTmpBuffer=work, **operands))
    with np.errstate(all="ignore"):
        sums = [tree(line) for line in reference(source, index, row, 0)]
        expected = tree(np.array(sums + [0] * (elems - repeat), dtype)) if repeat > 1 else sums[0]
    assert same_bits(dst, np.array([expected], dtype))


@pytest.mark.parametrize("largest", [True, False], ids=["max", "min"])
@pytest.mark.parametrize("dtype", DTYPES)
@given(data=st.data(), count=st.integers(1, 300))
def test_reduce_extreme_count(dtype, largest, data, count):
    source = data.draw(values(dtype, count, finite=True))
    dst, work = np.zeros(2, dtype), np.zeros(400, dtype)
    name = "reduce_max" if largest else "reduce_min"
    run(name, Context(dst=dst, src=source, sharedTmpBuffer=work, count=count, calIndex=True))
    best = int(np.argmax(source) if largest else np.argmin(source))
    assert dst[0] == source[best]
    assert dst.view(f"u{dtype.itemsize}")[1] == best


@given(data=st.data())
def test_reduce_max_index_counts_the_gaps(data):
    source = data.draw(values(F32, 64 + 2 * 80, finite=True))
    dst, work = np.zeros(2, F32), np.zeros(8, F32)
    operands = {"src": source, "mask": 64, "repeatTime": 3, "srcRepStride": 10}
    run("reduce_max", Context(dst=dst, sharedTmpBuffer=work, calIndex=True, **operands))
    index = strided(4, 3, 1, 10).ravel()
    assert dst.view(np.uint32)[1] == index[np.argmax(source[index])]


def test_nothing_active_writes_nothing():
    for name in ("whole_reduce_sum", "whole_reduce_max", "block_reduce_sum", "pair_reduce_sum", "reduce_sum"):
        dst = np.full(64, 7, F32)
        operands = {"src": np.ones(64, F32), "mask": (0, 0), "repeatTime": 1, "srcBlkStride": 1, "srcRepStride": 8}
        run(name, Context(dst=dst, dstRepStride=1, sharedTmpBuffer=np.zeros(8, F32), **operands))
        assert dst.tolist() == [7] * 64


def test_measured_whole_reduce_sum_of_rows():
    """Measured on a 910B4: 16 x 64 with value r * 1000 + c gives exactly r * 64000 + 2016."""
    source = (np.arange(16)[:, None] * 1000 + np.arange(64)).astype(F32)
    dst = np.zeros(16, F32)
    run(
        "whole_reduce_sum",
        Context(dst=dst, src=source.ravel(), mask=64, repeatTime=16, dstRepStride=1, srcBlkStride=1, srcRepStride=8),
    )
    assert dst.tolist() == [r * 64000 + 2016 for r in range(16)]


def test_measured_row_length_that_is_no_whole_block_gives_wrong_sums():
    """Measured: rows of 12 floats with the stride rounded down to one block overlap silently."""
    source = np.arange(16 * 12, dtype=F32)
    dst = np.zeros(16, F32)
    operands = {"src": source, "mask": 12, "repeatTime": 16, "srcBlkStride": 1, "srcRepStride": 12 * 4 // 32}
    run("whole_reduce_sum", Context(dst=dst, dstRepStride=1, **operands))
    assert dst.tolist() == [source[r * 8 : r * 8 + 12].sum() for r in range(16)]
    assert dst[1] != source[12:24].sum()
