# SPDX-License-Identifier: Apache-2.0
"""Elementwise kernels against plain numpy, in place and out of place."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from hypothesis import strategies as st
from numerics_fake import kernel, same_bits
from numerics_strategies import given, values

F16, F32, BF16 = np.dtype(np.float16), np.dtype(np.float32), np.dtype(ml_dtypes.bfloat16)
I16, I32, U16, U32 = (np.dtype(name) for name in ("int16", "int32", "uint16", "uint32"))
FLOATS = (F16, F32)
ARITH = (I16, F16, I32, F32)


def quiet(function, *args):
    with np.errstate(all="ignore"):
        return function(*args)


def relu(values_):
    return np.where(values_ > 0, values_, np.where(np.isnan(values_), values_, values_.dtype.type(0)))


UNARY = {
    "abs": (np.abs, FLOATS),
    "exp": (np.exp, FLOATS),
    "ln": (np.log, FLOATS),
    "sqrt": (np.sqrt, FLOATS),
    "neg": (np.negative, ARITH),
    "reciprocal": (lambda x: x.dtype.type(1) / x, FLOATS),
    "rsqrt": (lambda x: x.dtype.type(1) / np.sqrt(x), FLOATS),
    "relu": (relu, (F16, F32, I32)),
    "not": (np.invert, (I16, U16)),
}
BINARY = {
    "add": (np.add, (*ARITH, BF16)),
    "sub": (np.subtract, ARITH),
    "mul": (np.multiply, ARITH),
    "div": (np.divide, FLOATS),
    "max": (np.maximum, ARITH),
    "min": (np.minimum, ARITH),
    "and": (np.bitwise_and, (I16, U16)),
    "or": (np.bitwise_or, (I16, U16)),
    "add_relu": (lambda a, b: relu(a + b), (I16, F16, F32)),
    "sub_relu": (lambda a, b: relu(a - b), (I16, F16, F32)),
    "prelu": (lambda a, b: np.where(a >= 0, a, a * b), FLOATS),
    "fused_abs_sub": (lambda a, b: np.abs(a - b), FLOATS),
    "fused_exp_sub": (lambda a, b: np.exp(a - b), FLOATS),
}
SCALAR = {
    "adds": (np.add, ARITH),
    "muls": (np.multiply, ARITH),
    "maxs": (np.maximum, ARITH),
    "mins": (np.minimum, ARITH),
    "leaky_relu": (lambda x, s: np.where(x >= 0, x, x * s), FLOATS),
}


def cases(table):
    return [pytest.param(name, dtype, id=f"{name}-{dtype}") for name, (_, types) in table.items() for dtype in types]


@pytest.mark.parametrize(("name", "dtype"), cases(UNARY))
@given(data=st.data())
def test_unary(name, dtype, data):
    source = data.draw(values(dtype, 24))
    expected = quiet(UNARY[name][0], source)
    assert same_bits(kernel(name, np.empty_like(source), source), expected)
    in_place = source.copy()
    assert same_bits(kernel(name, in_place, in_place), expected)


@pytest.mark.parametrize(("name", "dtype"), cases(BINARY))
@given(data=st.data())
def test_binary(name, dtype, data):
    left, right = data.draw(values(dtype, 24)), data.draw(values(dtype, 24))
    expected = quiet(BINARY[name][0], left, right)
    assert same_bits(kernel(name, np.empty_like(left), left, right), expected)
    for position in (0, 1):
        operands = [left.copy(), right.copy()]
        assert same_bits(kernel(name, operands[position], *operands), expected)


@pytest.mark.parametrize(("name", "dtype"), cases(SCALAR))
@given(data=st.data())
def test_scalar(name, dtype, data):
    source, scalar = data.draw(values(dtype, 24)), data.draw(values(dtype, 1))[0]
    expected = quiet(SCALAR[name][0], source, scalar)
    assert same_bits(kernel(name, np.empty_like(source), source, scalar), expected)
    in_place = source.copy()
    assert same_bits(kernel(name, in_place, in_place, scalar), expected)


@pytest.mark.parametrize("dtype", [I16, U16, I32, U32])
@given(data=st.data())
def test_shifts(dtype, data):
    source = data.draw(values(dtype, 16))
    bits = dtype.itemsize * 8
    amount = data.draw(st.integers(0, bits))
    wide = source.astype(object)
    left = np.array([v << amount & (1 << bits) - 1 for v in wide], f"u{dtype.itemsize}").view(dtype)
    right = np.array([v >> amount for v in wide], dtype)
    assert same_bits(kernel("shift_left", np.empty_like(source), source, dtype.type(amount)), left)
    assert same_bits(kernel("shift_right", np.empty_like(source), source, dtype.type(amount)), right)


@pytest.mark.parametrize("dtype", FLOATS)
@given(data=st.data())
def test_multiply_add_family(dtype, data):
    src0, src1, old = (data.draw(values(dtype, 16)) for _ in range(3))
    scalar = src1[0]
    assert same_bits(kernel("fused_mul_add", old.copy(), src0, src1), quiet(lambda: src0 * old + src1))
    assert same_bits(kernel("fused_mul_add_relu", old.copy(), src0, src1), quiet(lambda: relu(src0 * old + src1)))
    assert same_bits(kernel("mul_add_dst", old.copy(), src0, src1), quiet(lambda: src0 * src1 + old))
    assert same_bits(kernel("axpy", old.copy(), src0, scalar), quiet(lambda: src0 * scalar + old))
    shared = old.copy()
    assert same_bits(kernel("fused_mul_add", shared, src0, shared), quiet(lambda: src0 * old + old))


@given(data=st.data())
def test_half_sources_accumulate_in_float(data):
    src0, src1 = data.draw(values(F16, 16)), data.draw(values(F16, 16))
    old = data.draw(values(F32, 16))
    expected = quiet(lambda: src0.astype(F32) * src1.astype(F32) + old)
    assert same_bits(kernel("mul_add_dst", old.copy(), src0, src1), expected)
    expected = quiet(lambda: src0.astype(F32) * src1[0].astype(F32) + old)
    assert same_bits(kernel("axpy", old.copy(), src0, src1[0]), expected)


@pytest.mark.parametrize("target", ["int8", "uint8"])
@given(data=st.data())
def test_narrowing_products_and_sums(target, data):
    src0, src1 = (data.draw(values(F16, 16, finite=True)) for _ in range(2))
    info = np.iinfo(target)

    def narrowed(wide):
        return np.clip(np.nan_to_num(np.rint(wide.astype(np.float64)), nan=0.0), info.min, info.max).astype(target)

    assert same_bits(kernel("mul_cast", np.empty(16, target), src0, src1), quiet(lambda: narrowed(src0 * src1)))
    if target == "int8":
        expected = quiet(lambda: narrowed(relu(src0 + src1)))
        assert same_bits(kernel("add_relu_cast", np.empty(16, target), src0, src1), expected)
        expected = quiet(lambda: narrowed(relu(src0 - src1)))
        assert same_bits(kernel("sub_relu_cast", np.empty(16, target), src0, src1), expected)


def test_float16_sums_equal_binary16_round_to_nearest_even():
    """Measured on the device: no difference in 2 million random pairs of finite values."""
    generator = np.random.default_rng(20240229)
    left, right = (generator.integers(0, 0x7C00, 50_000, np.uint16).view(F16) for _ in range(2))
    wide = left.astype(np.float64) + right.astype(np.float64)
    exact = wide <= 65504.0
    result = kernel("add", np.empty_like(left), left, right)
    assert same_bits(result[exact], wide[exact].astype(F16))


def test_integers_wrap():
    top = np.array([32767, -32768, 300], np.int16)
    assert kernel("add", np.empty_like(top), top, np.array([1, -1, 0], np.int16)).tolist() == [-32768, 32767, 300]
    assert kernel("mul", np.empty_like(top), top, top).tolist() == [1, 0, 300 * 300 - 65536]


@pytest.mark.parametrize("dtype", FLOATS)
def test_relu_of_negative_zero_is_zero(dtype):
    zero = np.array([-0.0, 0.0, -3.0], dtype)
    assert not np.signbit(kernel("relu", np.empty_like(zero), zero)).any()


def test_duplicate_fills():
    out = np.empty(7, F16)
    kernel("duplicate", out, np.float16(1.5))
    assert out.tolist() == [1.5] * 7
