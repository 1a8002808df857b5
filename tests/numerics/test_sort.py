# SPDX-License-Identifier: Apache-2.0
"""Sorting of records and merging of lists."""

from __future__ import annotations

import numpy as np
import pytest
from asclens_compiler.backends.simulator.semantics.sort import merge
from hypothesis import strategies as st
from numerics_fake import Context, params, run
from numerics_strategies import given

DTYPES = [np.dtype(np.float16), np.dtype(np.float32)]
SCORES = st.integers(-8, 8).map(float)


def records(scores, index, dtype):
    """Records as the vendor draws them: score, filling, 32-bit index."""
    raw = np.zeros((len(scores), 8), np.uint8)
    raw[:, : dtype.itemsize] = np.array(scores, dtype).view(np.uint8).reshape(len(scores), -1)
    raw[:, 4:] = np.array(index, np.uint32).view(np.uint8).reshape(-1, 4)
    return raw.ravel().view(dtype)


def sorted_pairs(scores, index):
    return sorted(zip(scores, index, strict=True), key=lambda pair: -pair[0])


@pytest.mark.parametrize("dtype", DTYPES)
@given(scores=st.lists(SCORES, min_size=64, max_size=64))
def test_sort32(dtype, scores):
    index = np.arange(64, dtype=np.uint32) + 100
    dst = np.zeros(64 * 8 // dtype.itemsize, dtype)
    run("sort32", Context(dst=dst, src0=np.array(scores, dtype), src1=index, repeatTime=2))
    pairs = [pair for g in (0, 32) for pair in sorted_pairs(scores[g : g + 32], index[g : g + 32])]
    assert dst.tobytes() == records([p[0] for p in pairs], [p[1] for p in pairs], dtype).tobytes()


def reference_merge(lists, suspend):
    heads, order = [0] * len(lists), []
    while True:
        done = [heads[i] >= len(values) for i, values in enumerate(lists)]
        if all(done) or (suspend and any(done)):
            return order, heads
        best = max((i for i in range(len(lists)) if not done[i]), key=lambda i: (lists[i][heads[i]], -i))
        order.append((best, heads[best]))
        heads[best] += 1


@given(
    lists=st.lists(st.lists(SCORES, max_size=12), min_size=2, max_size=4),
    suspend=st.booleans(),
    ordered=st.booleans(),
)
def test_merge_takes_the_highest_head(lists, suspend, ordered):
    if ordered:
        lists = [sorted(values, reverse=True) for values in lists]
    order, taken = merge([np.array(values, np.float32) for values in lists], suspend=suspend)
    expected, heads = reference_merge(lists, suspend)
    starts = np.cumsum([0, *[len(values) for values in lists]])
    assert order.tolist() == [int(starts[i]) + at for i, at in expected]
    assert list(taken) == heads


@pytest.mark.parametrize("dtype", DTYPES)
@given(data=st.data())
def test_mrg_sort_repeats_over_lists_stored_back_to_back(dtype, data):
    length, repeat = 8, 2
    per_record = 8 // dtype.itemsize
    scores = [
        sorted(data.draw(st.lists(SCORES, min_size=length, max_size=length)), reverse=True) for _ in range(4 * repeat)
    ]
    flat = [value for values in scores for value in values]
    source = records(flat, range(len(flat)), dtype)
    lists = tuple(source[i * length * per_record :] for i in range(4))
    dst = np.zeros_like(source)
    info = params(element_lengths=[length] * 4, if_exhausted_suspension=False, valid_bit=15, repeat_times=repeat)
    run("mrg_sort", Context(dst=dst, src=lists, params=info))
    half = 4 * length
    pairs = [
        pair
        for g in range(repeat)
        for pair in sorted_pairs(flat[g * half : (g + 1) * half], range(g * half, (g + 1) * half))
    ]
    assert dst.tobytes() == records([p[0] for p in pairs], [p[1] for p in pairs], dtype).tobytes()


def test_mrg_sort_suspension_reports_counts():
    dtype = np.dtype(np.float32)
    lists = (records([9, 5, 1], [0, 1, 2], dtype), records([8, 7], [3, 4], dtype))
    dst = np.zeros(10, dtype)
    context = Context(
        attrs={"isExhaustedSuspension": True}, dst=dst, sortList=lists, elementCountList=(3, 2, 0, 0),
        sortedNum=(0, 0, 0, 0), validBit=3, repeatTime=1,
    )  # fmt: skip
    run("mrg_sort", context)
    assert dst[::2].tolist() == [9, 8, 7, 0, 0]
    assert run("get_mrg_sort_result", context) == (1, 2, 0, 0)


@pytest.mark.parametrize("dtype", DTYPES)
@given(scores=st.lists(SCORES, min_size=128, max_size=128), full=st.booleans())
def test_concat_sort_extract(dtype, scores, full):
    source = np.array(scores, dtype)
    index = np.arange(128, dtype=np.uint32)
    joined, work = np.zeros_like(source), np.zeros(128 * 8 // dtype.itemsize, dtype)
    result, value, number = np.zeros_like(work), np.zeros_like(source), np.zeros_like(index)
    run("concat", Context(dst=joined, src=source, tmp=work, repeatTime=8))
    run("sort", Context(attrs={"isFullSort": full}, dst=result, concat=joined, index=index, tmp=work, repeatTime=4))
    run("extract", Context(dstValue=value, dstIndex=number, src=result, repeatTime=4))
    groups = [(0, 128)] if full else [(g, g + 32) for g in range(0, 128, 32)]
    pairs = [pair for low, high in groups for pair in sorted_pairs(scores[low:high], index[low:high])]
    assert value.tolist() == [p[0] for p in pairs]
    assert number.tolist() == [p[1] for p in pairs]
