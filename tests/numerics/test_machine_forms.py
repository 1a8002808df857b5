# SPDX-License-Identifier: Apache-2.0
"""Random masks, strides, repeats and mask modes of vector instructions on the real machine."""

from __future__ import annotations

import numpy as np
import pytest
from asclens_compiler.ascir.types import ScalarType
from asclens_compiler.hardware.dtypes import DType
from hypothesis import strategies as st
from numerics_fake import same_bits, strided
from numerics_machine import Bench, Params
from numerics_strategies import BF16, given, mask_row, masks

F16, F32, I16 = np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.int16)


def numbers(dtype, count, seed):
    return (np.random.default_rng(seed).integers(-100, 100, count)).astype(dtype)


def span(index):
    return int(index.max()) + 1


@pytest.mark.parametrize("dtype", [F16, F32, I16])
@given(data=st.data(), repeat=st.integers(0, 3), seed=st.integers(0, 99))
def test_binary_strides_and_masks(dtype, data, repeat, seed):
    elems = 256 // dtype.itemsize
    blk = [data.draw(st.integers(1, 3)) for _ in range(3)]
    rep = [data.draw(st.integers(24, 30)), data.draw(st.integers(0, 12)), data.draw(st.integers(0, 12))]
    index = [strided(dtype.itemsize, max(repeat, 1), b, r) for b, r in zip(blk, rep, strict=True)]
    dst, src0, src1 = (numbers(dtype, span(place), seed + i) for i, place in enumerate(index))
    mask = data.draw(masks(elems))
    row = mask_row(mask, elems)
    expected = dst.copy()
    for r in range(repeat):
        into, left, right = (place[r][row] for place in index)
        expected[into] = src0[left] + src1[right]
    operands = {"dst": dst, "src0": src0, "src1": src1, "mask": mask, "repeatTimes": repeat}
    operands["repeatParams"] = Params("BinaryRepeatParams", *blk, *rep)
    op = "add_l1" if isinstance(mask, tuple) else "add_l0"
    got, findings, _ = Bench().run(op, operands, {"isSetMask": True})
    assert not findings
    assert same_bits(got["dst"][: len(dst)], expected)


@pytest.mark.parametrize("dtype", [F16, F32])
@given(count=st.integers(1, 250), seed=st.integers(0, 99))
def test_counter_mode_counts_elements(dtype, count, seed):
    index = strided(dtype.itemsize, -(-count // (256 // dtype.itemsize)), 1, 8)
    dst, src = numbers(dtype, span(index), seed), numbers(dtype, span(index), seed + 1)
    expected = dst.copy()
    expected[:count] = np.abs(src[:count])
    bench = Bench()
    bench.kernel.asc("set_mask_count")
    bench.kernel.asc("set_vector_mask_l0", len=count, dtype=dtype.name, mode="COUNTER")
    operands = {"dst": dst, "src": src, "mask": 0, "repeatTimes": 1}
    operands["repeatParams"] = Params("UnaryRepeatParams", 1, 1, 8, 8)
    got, findings, _ = bench.run("abs_l0", operands, {"isSetMask": False})
    assert not findings
    assert same_bits(got["dst"][: len(dst)], expected)


@given(low=st.integers(1, (1 << 64) - 1), high=st.integers(0, (1 << 64) - 1), seed=st.integers(0, 99))
def test_mask_registers_gate_when_the_call_sets_none(low, high, seed):
    dst, src = numbers(F16, 128, seed), numbers(F16, 128, seed + 1)
    row = mask_row((low, high), 128)
    bench = Bench()
    bench.kernel.asc("set_vector_mask_l1", maskHigh=signed(high), maskLow=signed(low), dtype="float16", mode="NORMAL")
    operands = {"dst": dst, "src": src, "mask": 0, "repeatTimes": 1}
    operands["repeatParams"] = Params("UnaryRepeatParams", 1, 1, 8, 8)
    got, findings, _ = bench.run("relu_l0", operands, {"isSetMask": False})
    assert not findings
    assert same_bits(got["dst"], np.where(row, np.maximum(src, F16.type(0)), dst))


def signed(word):
    return word - (1 << 64) if word >> 63 else word


@given(data=st.data(), repeat=st.integers(1, 3), seed=st.integers(0, 99))
def test_accumulation_over_repeats(data, repeat, seed):
    """A destination that does not advance and is read again adds up, repeat by repeat."""
    dst, src = numbers(F32, 64, seed), numbers(F32, 64 * repeat, seed + 1)
    mask = data.draw(st.integers(1, 64))
    expected = dst.copy()
    for r in range(repeat):
        expected[:mask] += src[r * 64 : r * 64 + mask]
    bench = Bench()
    target = bench.tensor("dst", dst)
    source = bench.tensor("src0", src)
    bench.kernel.barrier()
    strides = bench.kernel.struct("BinaryRepeatParams", 1, 1, 1, 0, 8, 0)
    bench.kernel.asc(
        "add_l0", dst=target, src0=source, src1=target, mask=mask, repeatTimes=repeat, repeatParams=strides,
        isSetMask=True,
    )  # fmt: skip
    bench.kernel.barrier()
    bench.kernel.copy(bench.globals["dst"], target, 64)
    result = bench.kernel.run(*bench.pointers)
    assert result.ok
    assert same_bits(bench.memories["dst"], expected)


@given(data=st.data(), repeat=st.integers(1, 3), seed=st.integers(0, 99))
def test_widening_cast_steps_by_the_wider_type(data, repeat, seed):
    mask = data.draw(st.integers(1, 64))
    rep = data.draw(st.integers(4, 8))
    into, source = strided(4, repeat, 1, 8, 64), strided(2, repeat, 1, rep, 64)
    dst, src = numbers(F32, span(into), seed), numbers(F16, span(source), seed + 1)
    expected = dst.copy()
    for r in range(repeat):
        expected[into[r][:mask]] = src[source[r][:mask]].astype(F32)
    operands = {"dst": dst, "src": src, "mask": mask, "repeatTimes": repeat}
    operands["repeatParams"] = Params("UnaryRepeatParams", 1, 1, 8, rep)
    got, findings, _ = Bench().run("cast_l0", operands, {"isSetMask": True, "roundMode": "CAST_NONE"})
    assert not findings
    assert same_bits(got["dst"][: len(dst)], expected)


def test_copies_move_bfloat16():
    dst, src = numbers(BF16, 64, 1), numbers(BF16, 64, 2)
    got, findings, _ = Bench().run("data_copy_l2", {"dst": dst, "src": src, "calCount": 48}, {})
    assert not findings
    assert same_bits(got["dst"], np.concatenate([src[:48], dst[48:]]))


@pytest.mark.parametrize("table", [False, True], ids=["numbers", "tensors of addresses"])
def test_transpose_by_address(table):
    """`get_phy_addr` values name the 16 blocks, as numbers or stored in two tensors of uint64."""
    source, target = numbers(F16, 256, 1), numbers(F16, 256, 2)
    bench = Bench()
    kernel = bench.kernel
    tensors = {"dst": bench.tensor("dst", target), "src": bench.tensor("src", source)}
    tables = {side: bench.tensor(f"{side} table", np.zeros(16, np.uint64)) for side in tensors}
    kernel.barrier()
    addresses = {side: [] for side in tensors}
    for side, tensor in tensors.items():
        for i in range(16):
            part = kernel.at(tensor, 16 * i)
            address = kernel.asc("local_tensor_get_phy_addr", tensor=part, result=ScalarType(DType.UINT64))
            addresses[side].append(address)
            if table:
                kernel.asc("local_tensor_set_value", tensor=tables[side], index=i, value=address)
    kernel.barrier()
    info = kernel.struct("TransDataTo5HDParams", False, False, 1, 0, 0)
    if table:
        kernel.asc("trans_data_to_5hd", dst=tables["dst"], src=tables["src"], params=info)
    else:
        lists = {f"{side}List": tuple(addresses[side]) for side in addresses}
        kernel.asc("trans_data_to_5hd_uint_list", **lists, params=info)
    kernel.barrier()
    kernel.copy(bench.globals["dst"], tensors["dst"], 256)
    result = kernel.run(*bench.pointers)
    assert result.ok, result.error
    assert same_bits(bench.memories["dst"].reshape(16, 16), np.ascontiguousarray(source.reshape(16, 16).T))
