# SPDX-License-Identifier: Apache-2.0
"""Library functions: close to exact mathematics, and the row functions step by step."""

from __future__ import annotations

import math

import numpy as np
import pytest
from asclens_compiler.hardware.pipes import Memory
from hypothesis import strategies as st
from numerics_fake import Context, Tensor, kernel, params, run, same_bits, strided
from numerics_strategies import given
from test_cube import to_zn, to_zz

F16, F32 = np.dtype(np.float16), np.dtype(np.float32)
EXACT = {
    "acos": math.acos, "acosh": math.acosh, "asin": math.asin, "asinh": math.asinh, "atan": math.atan,
    "atanh": math.atanh, "cos": math.cos, "cosh": math.cosh, "erf": math.erf, "erfc": math.erfc,
    "lgamma": math.lgamma, "log": math.log, "sin": math.sin, "sinh": math.sinh, "tan": math.tan, "tanh": math.tanh,
    "ceil": math.ceil, "floor": math.floor, "trunc": math.trunc, "round": round, "frac": lambda v: v - math.trunc(v),
    "sign": lambda v: (v > 0) - (v < 0),
}  # fmt: skip
LOW = {"acosh": 1.0, "log": 0.125, "lgamma": 0.125}
HIGH = {"acos": 1.0, "asin": 1.0, "atanh": 0.875}


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("dtype", [F16, F32])
@given(data=st.data())
def test_close_to_exact(dtype, name, data):
    high = HIGH.get(name, 8.0)
    numbers = st.floats(LOW.get(name, -high), high, width=16)
    source = np.array(data.draw(st.lists(numbers, min_size=1, max_size=8)), dtype)
    result = kernel(name, np.empty_like(source), source)
    expected = np.array([EXACT[name](float(v)) for v in source])
    limit = 2.0**-9 if dtype == F16 else 2.0**-21
    assert np.all(np.abs(result.astype(np.float64) - expected) <= limit * np.maximum(np.abs(expected), 1.0))


@pytest.mark.parametrize(
    ("value", "expected"),
    [(1.0, -0.5772156649015329), (0.5, -1.9635100260214235), (10.0, 2.251752589066721), (-0.5, 0.03648997397857652)],
)
def test_digamma(value, expected):
    result = kernel("digamma", np.empty(1, F32), np.array([value], F32))
    assert result[0] == pytest.approx(expected, rel=1e-6)


def test_edges_give_infinity_not_an_error():
    source = np.array([0.0, -1.0, np.inf, np.nan], F32)
    assert kernel("lgamma", np.empty_like(source), source)[:3].tolist() == [np.inf] * 3
    assert math.isnan(kernel("erf", np.empty_like(source), source)[3])


def test_power():
    base = np.array([2, -2, 1, -1, 3, 7], np.int32)
    exponent = np.array([10, 3, -5, -3, -1, 0], np.int32)
    assert kernel("power", np.empty_like(base), base, exponent).tolist() == [1024, -8, 1, -1, 0, 1]
    floats = kernel("power", np.empty(2, F32), np.array([2, 9], F32), np.array([0.5, -0.5], F32))
    assert floats.tolist() == [np.float32(2**0.5), np.float32(9) ** np.float32(-0.5)]


def test_exp_axpy_and_clamps():
    source = np.array([-1.0, 0.5, 3.0], F32)
    assert same_bits(kernel("exp_taylor", np.empty_like(source), source, np.float32(5)), np.exp(source))
    assert kernel("clamp_max", np.empty_like(source), source, np.float32(1)).tolist() == [-1.0, 0.5, 1.0]
    assert kernel("clamp_min", np.empty_like(source), source, np.float32(1)).tolist() == [1.0, 1.0, 3.0]
    dst = np.ones(3, F32)
    run("axpy_library", Context(dst=dst, src=source.astype(F16), scalar=2.0, calCount=2))
    assert dst.tolist() == [-1.0, 2.0, 1.0]


def nz(matrix):
    rows, width = matrix.shape
    return np.ascontiguousarray(matrix.reshape(rows, width // 16, 16).transpose(1, 0, 2)).ravel()


@pytest.mark.parametrize("layout", ["nd", "nz"])
@pytest.mark.parametrize("dtype", [F16, F32])
@given(rows=st.integers(1, 4), blocks=st.integers(1, 6), seed=st.integers(0, 99))
def test_softmax(dtype, layout, rows, blocks, seed):
    width = blocks * 16
    matrix = np.random.default_rng(seed).standard_normal((rows, width)).astype(dtype)
    lanes = 32 // dtype.itemsize
    flat = nz(matrix) if layout == "nz" else matrix.ravel()
    dst, top, total = np.zeros_like(flat), np.zeros(rows * lanes, dtype), np.zeros(rows * lanes, dtype)
    tiling = params(src_m=rows, src_k=width)
    attrs = {"dataFormatNZ": layout == "nz"}
    run("softmax", Context(attrs=attrs, dst=dst, sumTensor=total, maxTensor=top, src=flat, tiling=tiling))
    wide = matrix.astype(np.float64)
    powers = np.exp(wide - wide.max(axis=1, keepdims=True))
    expected = powers / powers.sum(axis=1, keepdims=True)
    assert np.allclose(dst, nz(expected) if layout == "nz" else expected.ravel(), rtol=2e-3, atol=1e-4)
    assert top.reshape(rows, lanes)[:, 0].tolist() == matrix.max(axis=1).tolist()
    assert np.allclose(total.reshape(rows, lanes)[:, -1], powers.sum(axis=1), rtol=1e-3)
    again = np.zeros_like(dst)
    run("simple_softmax", Context(attrs=attrs, dst=again, sumTensor=total, maxTensor=top, src=flat, tiling=tiling))
    assert np.allclose(again, dst, rtol=2e-3, atol=1e-4)


def test_rmsnorm_vendor_example():
    source = np.arange(16).astype(F32)
    dst = np.zeros(16, F32)
    tiling = params(b_length=1, s_length=1, h_length=16, original_h_length=16, reciprocal_of_h_length=0)
    run("rmsnorm", Context(dst=dst, src=source, gamma=source, epsilon=0.0, tiling=tiling))
    assert dst[1:4].tolist() == pytest.approx([0.11359233, 0.4543693, 1.022331], rel=1e-5)


@given(data=st.data())
def test_quant(data):
    numbers = data.draw(st.lists(st.floats(-500, 500, width=16), min_size=4, max_size=8))
    source, dst = np.array(numbers, F32), np.zeros(len(numbers), np.int8)
    run("quant", Context(dst=dst, srcTensor=source, scale=0.5, offset=3.0))
    with np.errstate(all="ignore"):
        half = source.astype(F16) * F16.type(0.5) + F16.type(3.0)
    assert dst.tolist() == [int(np.clip(np.rint(float(v)), -128, 127)) for v in half]


@pytest.mark.parametrize("own", [False, True])
def test_bilinear_interpolation_vendor_example(own):
    source = np.arange(1, 513).astype(F16)
    offsets = (np.arange(32) * 32).astype(np.uint32)
    weights = np.arange(2, 34).astype(F16)
    dst = np.zeros(256, F16)
    operands = {"src0": source, "src0Offset": offsets, "src1": weights, "hRepeat": 2, "vRepeat": 2, "mask": 128}
    run("bilinear_interpolation", Context(dst=dst, repeatMode=own, dstBlkStride=1, vROffset=128, **operands))
    groups = source.reshape(4, 8, 16)
    factors = weights.reshape(4, 8, 1) if own else weights[:4].reshape(4, 1, 1)
    products = (groups * factors).reshape(2, 2, 128)
    assert same_bits(dst, (products[:, 1] + products[:, 0]).ravel())


def test_proposals():
    score = np.array([3, 1, 2] + [0] * 13, F16)
    records = np.zeros(128, F16)
    run("proposal_concat", Context(dst=records, src=score, repeatTime=1, modeNumber=4))
    run("proposal_concat", Context(dst=records, src=np.arange(16).astype(F16), repeatTime=1, modeNumber=0))
    ordered, top = np.zeros_like(records), np.zeros(16, F16)
    run("rp_sort16", Context(dst=ordered, src=records, repeatTime=1))
    run("proposal_extract", Context(dst=top, src=ordered, repeatTime=1, modeNumber=0))
    assert top[:4].tolist() == [0, 2, 1, 3]
    lists = (ordered[:24], ordered[:24])
    merged = np.zeros(48, F16)
    info = params(element_lengths=[3, 3, 0, 0], if_exhausted_suspension=False, valid_bit=3, repeat_times=1)
    run("mrg_sort4", Context(dst=merged, src=lists, params=info))
    assert merged[4::8].tolist() == [3, 3, 2, 2, 1, 1]


def reference_patches(image, kernel_size, stride, pad, value):
    c1, height, width, c0 = image.shape
    kh, kw = kernel_size
    padded = np.pad(image, ((0, 0), (pad, pad), (pad, pad), (0, 0)), constant_values=value)
    ho, wo = (height + 2 * pad - kh) // stride + 1, (width + 2 * pad - kw) // stride + 1
    rows = []
    for i in range(ho):
        for j in range(wo):
            window = padded[:, i * stride : i * stride + kh, j * stride : j * stride + kw]
            rows.append(window.reshape(c1, kh * kw, c0).ravel())
    return np.array(rows)


@pytest.mark.parametrize("target", ["L0A", "L0A transposed", "L0B"])
def test_image_to_columns(target):
    image = np.random.default_rng(4).integers(-9, 9, (2, 6, 5, 16)).astype(F16)
    patches = reference_patches(image, (3, 2), 1, 1, 7)
    rows = 32
    start, extent = (3, 32), (rows, 64)
    whole = np.zeros((len(patches) + rows, patches.shape[1]), F16)
    whole[: len(patches)] = patches
    block = whole[start[0] : start[0] + extent[0], start[1] : start[1] + extent[1]]
    info = params(
        pad_list=(1, 1, 1, 1), l1_h=6, l1_w=5, channel_size=32, k_extension=extent[1], m_extension=extent[0],
        k_start_pt=start[1], m_start_pt=start[0], stride_w=1, stride_h=1, filter_w=2, filter_h=3, dilation_filter_w=1,
        dilation_filter_h=1, en_transpose=target.endswith("transposed"), pad_value=7, filter_size_w=False,
        filter_size_h=False, f_matrix_ctrl=False,
    )  # fmt: skip
    dst = np.zeros(block.size, F16)
    memory = Memory.L0B if target == "L0B" else Memory.L0A
    run("load_data_3d_v2", Context(dst=Tensor(dst, memory=memory), src=image.ravel(), loadDataParams=info))
    expected = {"L0A": to_zz(block), "L0A transposed": to_zz(np.ascontiguousarray(block.T)), "L0B": to_zn(block)}
    assert same_bits(dst, expected[target])


def test_strided_reference_is_contiguous_by_default():
    assert strided(2, 2, 1, 8).ravel().tolist() == list(range(256))
