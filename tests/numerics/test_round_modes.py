# SPDX-License-Identifier: Apache-2.0
"""Conversions in every round mode against exact rational arithmetic."""

from __future__ import annotations

import math
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from asclens_compiler.backends.simulator.dtypes import numpy_dtype
from asclens_compiler.backends.simulator.semantics.convert import RoundMode, converter
from asclens_compiler.hardware.dtypes import DType
from hypothesis import strategies as st
from numerics_fake import same_bits
from numerics_strategies import given

ALL = list(RoundMode)
TO_INT = [mode for mode in ALL if mode is not RoundMode.ODD]
EDGES = [0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -1.5, -2.5, 0.49999997, 127.5, 128.0, -128.5, 255.5, 32767.5, 65519.0, 65520.0]
EDGES += [65504.0, 1e5, -1e5, 2147483520.0, 2147483648.0, -2147483648.0, 9.3e18, -9.3e18, 1e-8, 5.9e-8, 3e38, 1e-45]
FLOATS = st.floats(width=32, allow_nan=False, allow_infinity=False) | st.sampled_from(EDGES)


def round_fraction(value: Fraction, mode: RoundMode) -> int:
    low = math.floor(value)
    rest = value - low
    if rest == 0:
        return low
    match mode:
        case RoundMode.FLOOR:
            return low
        case RoundMode.CEIL:
            return low + 1
        case RoundMode.TRUNC:
            return low if value > 0 else low + 1
        case RoundMode.ODD:
            return low if low % 2 else low + 1
        case RoundMode.ROUND:
            if rest == Fraction(1, 2):
                return low + 1 if value > 0 else low
        case _:
            if rest == Fraction(1, 2):
                return low + low % 2
    return low + (rest > Fraction(1, 2))


def exact_to_float(value: Fraction, precision: int, least: int, mode: RoundMode) -> Fraction:
    """Round to `precision` bits, the smallest step being 2**least."""
    if value == 0:
        return value
    size = abs(value)
    exponent = math.floor(math.log2(size))
    while Fraction(2) ** exponent > size:
        exponent -= 1
    while Fraction(2) ** (exponent + 1) <= size:
        exponent += 1
    step = Fraction(2) ** max(exponent - precision + 1, least)
    return round_fraction(value / step, mode) * step


def convert(values: np.ndarray, source: DType, target: DType, mode: RoundMode) -> np.ndarray:
    out = np.zeros(len(values), numpy_dtype(target))
    with np.errstate(all="ignore"):
        converter(source, target, mode)(values, out=out)
    return out


@pytest.mark.parametrize("mode", TO_INT)
@pytest.mark.parametrize("target", [DType.INT8, DType.UINT8, DType.INT16, DType.INT32, DType.INT64])
@given(values=st.lists(FLOATS, min_size=1, max_size=8))
def test_float_to_int_rounds_and_saturates(values, target, mode):
    source = np.array(values, np.float32)
    info = np.iinfo(target.value)
    expected = [min(max(round_fraction(Fraction(float(v)), mode), info.min), info.max) for v in source]
    assert convert(source, DType.FLOAT32, target, mode).tolist() == expected


@pytest.mark.parametrize("mode", ALL)
@pytest.mark.parametrize(("target", "precision", "least"), [(DType.FLOAT16, 11, -24), (DType.BFLOAT16, 8, -133)])
@given(values=st.lists(FLOATS, min_size=1, max_size=8))
def test_float32_to_16_bits_rounds_exactly(values, target, precision, least, mode):
    limit = Fraction(65504) if target is DType.FLOAT16 else Fraction(float(ml_dtypes.finfo(ml_dtypes.bfloat16).max))
    source = np.array(values, np.float32)
    result = convert(source, DType.FLOAT32, target, mode)
    for value, got in zip(source, result.astype(np.float64), strict=True):
        expected = exact_to_float(Fraction(float(value)), precision, least, mode)
        if abs(expected) <= limit:
            assert Fraction(got) == expected
            assert math.copysign(1, got) == math.copysign(1, float(value))
        else:
            assert abs(got) in (float(limit), math.inf)


@pytest.mark.parametrize("mode", TO_INT)
@pytest.mark.parametrize("source", [DType.INT16, DType.INT32, DType.INT64])
@given(data=st.data())
def test_int_to_float_rounds_exactly(source, mode, data):
    info = np.iinfo(source.value)
    numbers = st.integers(int(info.min), int(info.max)) | st.integers(-70000, 70000).map(
        lambda v: min(max(v, info.min), info.max)
    )
    values = np.array(data.draw(st.lists(numbers, min_size=1, max_size=8)), source.value)
    target, precision = (DType.FLOAT16, 11) if source is DType.INT16 else (DType.FLOAT32, 24)
    result = convert(values, source, target, mode)
    for value, got in zip(values, result.astype(np.float64), strict=True):
        assert Fraction(got) == exact_to_float(Fraction(int(value)), precision, -(10**6), mode)


@pytest.mark.parametrize("mode", TO_INT)
@given(values=st.lists(FLOATS, min_size=1, max_size=8))
def test_float32_to_float32_rounds_to_whole_numbers(values, mode):
    source = np.array(values, np.float32)
    result = convert(source, DType.FLOAT32, DType.FLOAT32, mode)
    assert [Fraction(float(v)) for v in result] == [round_fraction(Fraction(float(v)), mode) for v in source]


def test_every_float16_widens_to_itself_and_back():
    every = np.arange(65536, dtype=np.uint16).view(np.float16)
    wide = convert(every, DType.FLOAT16, DType.FLOAT32, RoundMode.NONE)
    assert same_bits(wide, every.astype(np.float32))
    for mode in ALL:
        assert same_bits(convert(wide, DType.FLOAT32, DType.FLOAT16, mode), every)


@pytest.mark.parametrize(
    ("value", "source", "target"),
    [(2**31, DType.INT64, DType.INT32), (-(2**40), DType.INT64, DType.INT32), (70000, DType.INT32, DType.INT16)],
)
def test_narrow_integers_saturate(value, source, target):
    info = np.iinfo(target.value)
    out = convert(np.array([value, 5, -7], source.value), source, target, RoundMode.NONE)
    assert out.tolist() == [min(max(value, info.min), info.max), 5, -7]


def test_specials_to_int():
    values = np.array([np.nan, np.inf, -np.inf, -1.0], np.float32)
    assert convert(values, DType.FLOAT32, DType.INT32, RoundMode.RINT).tolist() == [0, 2**31 - 1, -(2**31), -1]
    assert convert(values, DType.FLOAT32, DType.INT64, RoundMode.RINT).tolist() == [0, 2**63 - 1, -(2**63), -1]
    assert convert(values, DType.FLOAT32, DType.UINT8, RoundMode.RINT).tolist() == [0, 255, 0, 0]
    assert convert(values[:1].astype(np.float16), DType.FLOAT16, DType.INT8, RoundMode.NONE).tolist() == [0]


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        (RoundMode.RINT, 2**12),
        (RoundMode.FLOOR, 2**12),
        (RoundMode.CEIL, 2**12 + 4),
        (RoundMode.ROUND, 2**12 + 4),
        (RoundMode.TRUNC, 2**12),
    ],
)
def test_vendor_example_int16_to_half(mode, expected):
    assert convert(np.array([2**12 + 2], np.int16), DType.INT16, DType.FLOAT16, mode).tolist() == [expected]
