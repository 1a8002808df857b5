# SPDX-License-Identifier: Apache-2.0
"""Mask / repeat / stride forms against a loop over elements, random shapes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_dsl import F16, F32, I32, Kernel, codes

UB_ELEMS = 4096


def reference(op, bits, repeat, strides, memories, size):
    """Apply `op` to active elements, iteration by iteration; memories and strides: dst, sources."""
    per_block = 32 // size
    dst, *sources = memories
    for r in range(repeat):
        moves = []
        for e, active in enumerate(bits):
            if active:
                at = [r * rep * per_block + e // per_block * blk * per_block + e % per_block for blk, rep in strides]
                moves.append((at[0], op(dst[at[0]], *(src[i] for src, i in zip(sources, at[1:], strict=True)))))
        for at, value in moves:
            dst[at] = value


def kernel(op, dtype, sources, mask, repeat, strides, **attrs):
    k = Kernel()
    pointers = [k.pointer(name, dtype) for name in "dab"[: sources + 1]]
    size = dtype.size_bytes
    tensors = [k.local(n * UB_ELEMS * size, UB_ELEMS, dtype=dtype) for n in range(sources + 1)]
    for tensor, pointer in zip(tensors, pointers, strict=True):
        k.copy(tensor, k.gm(pointer, dtype=dtype), UB_ELEMS)
    k.sync("MTE2_V")
    name = "BinaryRepeatParams" if sources == 2 else "UnaryRepeatParams"
    blks, reps = zip(*strides, strict=True)
    params = k.struct(name, *blks, *reps)
    names = ("src0", "src1") if sources == 2 else ("src",)
    operands = dict(zip(("dst", *names), tensors, strict=True))
    k.asc(op, **operands, mask=mask, repeatTimes=repeat, repeatParams=params, **attrs)
    k.sync("V_MTE3")
    k.copy(k.gm(pointers[0], dtype=dtype), tensors[0], UB_ELEMS)
    return k


def numpy_type(dtype):
    return np.dtype(dtype.value)


@st.composite
def calls(draw):
    dtype = draw(st.sampled_from([F32, F16, I32]))
    elems = 256 // dtype.size_bytes
    sources = draw(st.sampled_from([1, 2]))
    repeat = draw(st.integers(0, 5))
    strides = [(draw(st.integers(1, 3)), draw(st.integers(0, 16))) for _ in range(sources + 1)]
    contiguous = draw(st.booleans())
    mask = draw(st.integers(1, elems)) if contiguous else draw(st.lists(st.booleans(), min_size=elems, max_size=elems))
    return dtype, sources, repeat, strides, mask


@settings(max_examples=60, deadline=None, print_blob=True)
@given(calls(), st.integers(0, 2**32 - 1))
def test_masks_strides_and_repeats(call, seed):
    dtype, sources, repeat, strides, mask = call
    elems = 256 // dtype.size_bytes
    rng = np.random.default_rng(seed)
    data = [rng.integers(1, 50, UB_ELEMS).astype(numpy_type(dtype)) for _ in range(sources + 1)]
    expected = [array.copy() for array in data]
    bits = [n < mask for n in range(elems)] if isinstance(mask, int) else mask
    op = "mul" if sources == 2 else "relu"
    form = "l0" if isinstance(mask, int) else "l1"
    words = mask
    if not isinstance(mask, int):
        value = sum(bit << n for n, bit in enumerate(mask))
        words = (value & (2**64 - 1), value >> 64)
    step = (lambda _, a, b: a * b) if sources == 2 else (lambda _, a: max(a, 0))
    reference(step, bits, repeat, strides, expected, dtype.size_bytes)
    result = kernel(f"{op}_{form}", dtype, sources, words, repeat, strides, isSetMask=True).run(*data)
    assert result.ok, result.error
    assert codes(result) == []
    np.testing.assert_array_equal(data[0], expected[0])


def test_accumulation_into_one_block():
    """dst and src0 stand still: each iteration adds to what the one before wrote."""
    k = kernel("add_l0", F32, 2, 8, 4, [(1, 0), (1, 0), (1, 1)], isSetMask=True)
    call = next(node for node in k.stack[0] if node.name == "add_l0")
    k.stack[0][k.stack[0].index(call)] = _same(call)
    data = [np.ones(UB_ELEMS, np.float32) for _ in range(3)]
    assert k.run(*data).ok
    assert data[0][:9].tolist() == [5.0] * 8 + [1.0]


def _same(op):
    from dataclasses import replace  # noqa: PLC0415

    return replace(op, operands=(op.operands[0], op.operands[0], *op.operands[2:]))


def test_counter_mode_ignores_repeat():
    k = Kernel()
    out = k.pointer("out")
    a = k.local(0, 256)
    k.asc("duplicate_l2", dst=a, scalar=1.0, calCount=256)
    k.asc("set_mask_count")
    params = k.struct("UnaryRepeatParams", 1, 1, 8, 8)
    k.asc("adds_l0", dst=a, src=a, scalar=1.0, mask=100, repeatTimes=1, repeatParams=params, isSetMask=True)
    k.asc("set_mask_norm")
    k.sync("V_MTE3")
    k.copy(k.gm(out), a, 256)
    data = np.zeros(256, np.float32)
    assert codes(k.run(data)) == []
    assert data.tolist() == [2.0] * 100 + [1.0] * 156


@pytest.mark.parametrize("strides", [[(1, 8), (1, 8)], [(2, 16), (1, 8)], [(1, 8), (1, 4)]])
def test_strided_reads_of_unwritten_bytes_are_found(strides):
    k = Kernel()
    x = k.pointer("x")
    a, b = k.local(0, 512), k.local(4096, 512)
    k.copy(a, k.gm(x), 120)
    k.sync("MTE2_V")
    params = k.struct("UnaryRepeatParams", strides[0][0], strides[1][0], strides[0][1], strides[1][1])
    k.asc("abs_l0", dst=b, src=a, mask=64, repeatTimes=2, repeatParams=params, isSetMask=True)
    touched = 64 + strides[1][1] * 8
    expected = [("ASC903", k.line)] if touched > 120 else []
    assert codes(k.run(np.ones(120, np.float32))) == expected
