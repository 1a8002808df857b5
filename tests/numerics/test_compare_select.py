# SPDX-License-Identifier: Apache-2.0
"""Compare into packed bits and CMPMASK, and select by them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import strategies as st
from numerics_fake import Context, params, run, same_bits, strided
from numerics_strategies import given, mask_row, masks, values

MODES = {
    "LT": np.less,
    "GT": np.greater,
    "EQ": np.equal,
    "LE": np.less_equal,
    "GE": np.greater_equal,
    "NE": np.not_equal,
}
DTYPES = [np.dtype(np.float16), np.dtype(np.float32)]


def bits_of(flags):
    return np.packbits(flags, bitorder="little")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dtype", DTYPES)
@given(data=st.data())
def test_compare_count(dtype, mode, data):
    elems = 256 // dtype.itemsize
    left, right = data.draw(values(dtype, 2 * elems + 3)), data.draw(values(dtype, 2 * elems + 3))
    dst = np.full(elems // 4 + 2, 0xAA, np.uint8)
    run("compare", Context(attrs={"cmpMode": mode}, dst=dst, src0=left, src1=right, calCount=2 * elems + 3))
    expected = bits_of(MODES[mode](left, right)[: 2 * elems])
    assert dst[: len(expected)].tolist() == expected.tolist()
    assert dst[len(expected) :].tolist() == [0xAA, 0xAA], "the tail below 256 bytes is not compared"


@pytest.mark.parametrize("dtype", DTYPES)
@given(data=st.data(), blk=st.integers(0, 2), rep=st.integers(0, 20), repeat=st.integers(1, 3))
def test_compare_scalar_repeats(dtype, data, blk, rep, repeat):
    index = strided(dtype.itemsize, repeat, blk, rep)
    source = data.draw(values(dtype, int(index.max()) + 1))
    scalar = float(data.draw(values(dtype, 1, finite=True))[0])
    dst = np.zeros(index.size // 8, np.uint8)
    strides = params(src_blk_stride=blk, src_rep_stride=rep, dst_blk_stride=1, dst_rep_stride=8)
    operands = {"dst": dst, "src0": source, "src1Scalar": scalar, "mask": 1}
    run("compare_scalar", Context(attrs={"cmpMode": "GE"}, **operands, repeatTimes=repeat, repeatParams=strides))
    assert dst.tolist() == bits_of((source[index] >= dtype.type(scalar)).ravel()).tolist()


@pytest.mark.parametrize("dtype", DTYPES)
@given(data=st.data())
def test_compare_register_keeps_masked_bits(dtype, data):
    elems = 256 // dtype.itemsize
    left, right = data.draw(values(dtype, elems)), data.draw(values(dtype, elems))
    mask = data.draw(masks(elems))
    old = data.draw(st.integers(0, (1 << 128) - 1))
    strides = params(src0_blk_stride=1, src1_blk_stride=1, dst_blk_stride=1)
    context = Context(attrs={"cmpMode": "LT"}, src0=left, src1=right, mask=mask, repeatParams=strides)
    context.state.cmp_mask = old
    run("compare_r", context)
    row = mask_row(mask, elems)
    expected = [int(left[i] < right[i]) if i < elems and row[i] else old >> i & 1 for i in range(128)]
    assert [context.state.cmp_mask >> i & 1 for i in range(128)] == expected
    dump = np.zeros(16, np.uint8)
    read_back = Context(dst=dump)
    read_back.state.cmp_mask = context.state.cmp_mask
    run("get_cmp_mask", read_back)
    again = Context(src=dump)
    run("set_cmp_mask", again)
    assert again.state.cmp_mask == context.state.cmp_mask


@pytest.mark.parametrize("mode", ["VSEL_CMPMASK_SPR", "VSEL_TENSOR_SCALAR_MODE", "VSEL_TENSOR_TENSOR_MODE"])
@pytest.mark.parametrize("dtype", DTYPES)
@given(data=st.data())
def test_select_count(dtype, mode, data):
    elems = 256 // dtype.itemsize
    count = data.draw(st.integers(1, 2 * elems))
    src0, src1 = data.draw(values(dtype, count)), data.draw(values(dtype, count))
    sel = data.draw(values(np.uint8, 2 * elems // 8))
    flags = np.unpackbits(sel, bitorder="little").astype(bool)
    scalar = mode == "VSEL_TENSOR_SCALAR_MODE"
    dst = np.zeros(count, dtype)
    other = float(src1[0]) if scalar else src1
    run("select", Context(attrs={"selMode": mode}, dst=dst, selMask=sel, src0=src0, src1=other, calCount=count))
    flags = np.resize(flags[:elems], count) if mode == "VSEL_CMPMASK_SPR" else flags[:count]
    assert same_bits(dst, np.where(flags, src0, src1[0] if scalar else src1))


@pytest.mark.parametrize("dtype", DTYPES)
@given(data=st.data(), repeat=st.integers(1, 3), rep=st.integers(8, 12))
def test_select_repeats(dtype, data, repeat, rep):
    elems = 256 // dtype.itemsize
    index = strided(dtype.itemsize, repeat, 1, rep)
    size = int(index.max()) + 1
    src0, src1, old = (data.draw(values(dtype, size)) for _ in range(3))
    sel = data.draw(values(np.uint8, repeat * elems // 8))
    mask = data.draw(masks(elems))
    dst = old.copy()
    strides = params(
        **{f"{which}_blk_stride": 1 for which in ("dst", "src0", "src1")},
        **{f"{which}_rep_stride": rep for which in ("dst", "src0", "src1")},
    )
    operands = {"dst": dst, "selMask": sel, "src0": src0, "src1": src1, "mask": mask}
    attrs = {"selMode": "VSEL_TENSOR_TENSOR_MODE"}
    run("select", Context(attrs=attrs, **operands, repeatTimes=repeat, repeatParams=strides))
    flags = np.unpackbits(sel, bitorder="little").astype(bool).reshape(repeat, elems)
    row = mask_row(mask, elems)
    expected = old.copy()
    for r in range(repeat):
        for e in range(elems):
            if row[e]:
                at = index[r, e]
                expected[at] = src0[at] if flags[r, e] else src1[at]
    assert same_bits(dst, expected)


def test_compare_with_nan():
    left = np.full(64, np.nan, np.float32)
    for mode, expected in (("EQ", 0), ("NE", 255), ("LT", 0), ("GE", 0)):
        dst = np.zeros(8, np.uint8)
        run("compare", Context(attrs={"cmpMode": mode}, dst=dst, src0=left, src1=left, calCount=64))
        assert dst.tolist() == [expected] * 8
