# SPDX-License-Identifier: Apache-2.0
"""Mask, dequantisation and atomic registers, and scalar bit operations."""

from __future__ import annotations

import numpy as np
import pytest
from asclens_compiler.backends.simulator.semantics.api import VectorState
from hypothesis import strategies as st
from numerics_fake import Context, params, run, same_bits
from numerics_strategies import given, values

ONES = (1 << 64) - 1
I16, I32 = np.dtype(np.int16), np.dtype(np.int32)


def test_vector_mask_forms():
    context = Context(attrs={"mode": "NORMAL"}, len=70)
    run("set_vector_mask", context)
    assert (context.state.mask_low, context.state.mask_high) == (ONES, 63)
    counter = Context(attrs={"mode": "COUNTER"}, len=1000)
    run("set_mask_count", counter)
    run("set_vector_mask", counter)
    assert (counter.state.mask_counter, counter.state.mask_low) == (True, 1000)
    words = Context(maskHigh=2, maskLow=5)
    run("set_vector_mask", words)
    assert (words.state.mask_low, words.state.mask_high) == (5, 2)
    run("reset_mask", words)
    assert (words.state.mask_low, words.state.mask_high) == (ONES, ONES)
    run("set_mask_norm", counter)
    assert not counter.state.mask_counter


@given(data=st.data(), scale=st.floats(-4, 4, width=16))
def test_int32_to_half_multiplies_by_the_scale(data, scale):
    source = data.draw(values(I32, 16))
    state = VectorState()
    run("set_deq_scale", Context(state=state, scale=scale))
    with np.errstate(all="ignore"):
        expected = (source.astype(np.float64) * float(np.float16(scale))).astype(np.float16)
        total = (source + source[::-1]).astype(np.float64) * float(np.float16(scale))
        summed = np.maximum(total, 0.0).astype(np.float16)
    dst = np.zeros(16, np.float16)
    run("cast", Context(attrs={"roundMode": "CAST_NONE"}, state=state, dst=dst, src=source, calCount=16))
    assert same_bits(dst, expected)
    run("cast_deq", Context(state=state, dst=dst, src=source, calCount=16))
    assert same_bits(dst, expected)
    run("add_deq_relu", Context(state=state, dst=dst, src0=source, src1=source[::-1].copy(), calCount=16))
    assert same_bits(dst, summed)


def dequantized(value, scale, offset, signed):
    """The CCE guide's formula, one value at a time."""
    bits = np.array([scale], np.float32).view(np.uint32)[0] & 0xFFFFE000
    product = np.float32(value) * np.array([bits], np.uint32).view(np.float32)[0]
    nine = min(max(int(np.rint(product)), -256), 255) + offset
    return min(max(nine, -128), 127) if signed else min(max(nine, 0), 255)


@pytest.mark.parametrize("half", [False, True])
@pytest.mark.parametrize("signed", [False, True])
@given(data=st.data(), scale=st.floats(-2, 2, width=32), offset=st.integers(-256, 255))
def test_int16_dequantisation(signed, half, data, scale, offset):
    source = data.draw(values(I16, 40))
    dtype = np.int8 if signed else np.uint8
    dst = np.full(3 * 32, 55, dtype)
    state = VectorState()
    run("set_deq_scale", Context(state=state, scale=scale, offset=offset, signMode=signed))
    run("cast_deq", Context(attrs={"halfBlock": half}, state=state, dst=dst, src=source, calCount=40))
    expected = np.full(3 * 32, 55, dtype)
    for i, value in enumerate(source):
        expected[i // 16 * 32 + i % 16 + 16 * half] = dequantized(value, scale, offset, signed)
    assert dst.tolist() == expected.tolist()


@given(data=st.data())
def test_vector_dequantisation_uses_one_word_per_lane(data):
    source = data.draw(values(I16, 32))
    scales = [float(np.float32(i / 8)) for i in range(16)]
    offsets, signs = [i - 8 for i in range(16)], [i % 2 == 0 for i in range(16)]
    table = np.zeros(16, np.uint64)
    state = VectorState()
    info = params(scale=scales, offset=offsets, sign_mode=signs)
    run("set_deq_scale_l4", Context(state=state, vdeq=table, vdeqInfo=info))
    assert table.all()
    dst = np.zeros(64, np.uint8)
    run("cast_deq", Context(attrs={"isVecDeq": True}, state=state, dst=dst, src=source, calCount=32))
    for i, value in enumerate(source):
        lane = i % 16
        expected = dequantized(value, scales[lane], offsets[lane], signs[lane]) & 0xFF
        assert dst[i // 16 * 32 + lane] == expected


def test_atomic_configuration():
    state = VectorState()
    assert run("get_store_atomic_config", Context(state=state)) == (0, 0)
    run("set_store_atomic_config", Context(attrs={"atomicType": "ATOMIC_S32", "atomicOp": "ATOMIC_SUM"}, state=state))
    assert state.atomic_op == "add"
    assert run("get_store_atomic_config", Context(state=state)) == (4, 0)
    run("set_atomic_max", Context(attrs={"dtype": "float16"}, state=state))
    run("set_atomic_type", Context(attrs={"dtype": "float32"}, state=state))
    assert (state.atomic_op, state.atomic_dtype.value) == ("max", "float32")


@given(value=st.integers(0, ONES))
def test_bit_operations(value):
    text = f"{value:064b}"
    assert run("scalar_count_leading_zero", Context(valueIn=value)) == len(text) - len(text.lstrip("0"))
    for wanted in (0, 1):
        assert run("scalar_get_count_of_value", Context(valueIn=value, countValue=wanted)) == text.count(str(wanted))
        assert run("scalar_get_sff_value", Context(valueIn=value, countValue=wanted)) == text[::-1].find(str(wanted))
    rest = text[1:]
    same = len(rest) - len(rest.lstrip(text[0]))
    expected = -1 if value in (0, ONES) else same
    assert run("count_bits_cnt_same_as_sign_bit", Context(valueIn=value)) == expected


@pytest.mark.parametrize(
    ("value", "mode", "expected"), [(2.5, "CAST_ROUND", 3), (2.5, "CAST_RINT", 2), (2.1, "CAST_CEIL", 3)]
)
def test_scalar_cast(value, mode, expected):
    assert run("scalar_cast", Context(attrs={"dtype": "int32", "roundMode": mode}, valueIn=value)) == expected


def test_sort_sizes():
    assert run("get_sort_len", Context(elemCount=100)) == 200
    assert run("get_sort_offset", Context(elemOffset=10)) == 20
