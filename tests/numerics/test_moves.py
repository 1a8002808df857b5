# SPDX-License-Identifier: Apache-2.0
"""Fills, gathers, transposes, masked copies and copies between memories."""

from __future__ import annotations

import numpy as np
import pytest
from asclens_compiler.backends.simulator.semantics.api import VectorState
from asclens_compiler.backends.simulator.semantics.layout_copy import slice_index
from asclens_compiler.hardware.pipes import Memory
from hypothesis import strategies as st
from numerics_fake import Context, Params, Tensor, params, run, same_bits, strided
from numerics_strategies import BF16, given, mask_row, masks, values

F16, F32 = np.dtype(np.float16), np.dtype(np.float32)
TYPES = [F16, F32, BF16, np.dtype(np.int16), np.dtype(np.uint32)]


def counting(dtype, count):
    return (np.arange(count) % 251).astype(dtype)


@pytest.mark.parametrize("dtype", TYPES)
@given(repeat=st.integers(0, 3), blk=st.integers(1, 3), rep=st.integers(0, 30))
def test_brcb(dtype, repeat, blk, rep):
    lanes = 32 // dtype.itemsize
    source = counting(dtype, repeat * 8)
    dst = np.zeros(((max(repeat, 1) - 1) * rep + 7 * blk + 1) * lanes, dtype)
    expected = dst.copy()
    for r in range(repeat):
        for b in range(8):
            at = (r * rep + b * blk) * lanes
            expected[at : at + lanes] = source[r * 8 + b]
    strides = params(dst_blk_stride=blk, dst_rep_stride=rep)
    run("brcb", Context(dst=dst, src0=source, repeatTimes=repeat, repeatParams=strides))
    assert same_bits(dst, expected)


@pytest.mark.parametrize("dtype", TYPES)
@given(data=st.data(), repeat=st.integers(0, 3), blk=st.integers(1, 3), rep=st.integers(8, 20))
def test_copy_with_mask(dtype, data, repeat, blk, rep):
    elems = 256 // dtype.itemsize
    mask = data.draw(masks(elems))
    index = strided(dtype.itemsize, max(repeat, 1), blk, rep)
    source = counting(dtype, int(index.max()) + 1)
    dst = np.zeros_like(source)
    strides = params(dst_stride=blk, src_stride=blk, dst_repeat_size=rep, src_repeat_size=rep)
    op = "copy_l0" if isinstance(mask, tuple) else "copy_l1"
    run("copy", Context(op=op, dst=dst, src=source, mask=mask, repeatTime=repeat, repeatParams=strides))
    expected = np.zeros_like(source)
    for r in range(repeat):
        chosen = index[r][mask_row(mask, elems)]
        expected[chosen] = source[chosen]
    assert same_bits(dst, expected)


def test_copy_in_counter_mode_counts_each_iteration():
    source = counting(np.int32, 18 * 64)
    dst = np.zeros(144, np.int32)
    state = VectorState(mask_counter=True, mask_low=144)
    strides = params(dst_stride=1, src_stride=8, dst_repeat_size=8, src_repeat_size=8)
    run("copy", Context(state=state, dst=dst, src=source, mask=0, isSetMask=False, repeatTime=1, repeatParams=strides))
    assert dst.tolist() == source.reshape(18, 64)[:, :8].ravel().tolist()


@pytest.mark.parametrize("dtype", TYPES)
@given(data=st.data(), base=st.integers(0, 4), count=st.integers(0, 200))
def test_gather_count(dtype, data, base, count):
    source = counting(dtype, 256)
    picks = np.array(data.draw(st.lists(st.integers(0, 251), min_size=count, max_size=count)), np.int64)
    offsets = (picks * dtype.itemsize).astype(np.uint32)
    dst = np.zeros(count, dtype)
    run("gather", Context(dst=dst, src=source, srcOffset=offsets, srcBaseAddr=base * dtype.itemsize, count=count))
    assert same_bits(dst, source[picks + base])


@pytest.mark.parametrize("dtype", [F16, F32])
@given(data=st.data(), repeat=st.integers(1, 3), rep=st.integers(8, 12))
def test_gather_and_scatter_repeats(dtype, data, repeat, rep):
    elems = 256 // dtype.itemsize
    mask = data.draw(masks(elems))
    row = mask_row(mask, elems)
    source = counting(dtype, 512)
    picks = np.array(data.draw(st.lists(st.integers(0, 511), min_size=repeat * elems, max_size=repeat * elems)))
    offsets = (picks * dtype.itemsize).astype(np.uint32)
    index = strided(dtype.itemsize, repeat, 1, rep)
    dst = np.zeros(int(index.max()) + 1, dtype)
    expected = dst.copy()
    for r in range(repeat):
        for e in np.flatnonzero(row):
            expected[index[r, e]] = source[picks[r * elems + e]]
    run(
        "gather",
        Context(dst=dst, src=source, srcOffset=offsets, srcBaseAddr=0, mask=mask, repeatTimes=repeat, dstRepStride=rep),
    )
    assert same_bits(dst, expected)
    into, expected = np.zeros(512, dtype), np.zeros(512, dtype)
    for r in range(repeat):
        for e in np.flatnonzero(row):
            expected[picks[r * elems + e]] = dst[index[r, e]]
    run(
        "scatter",
        Context(dst=into, src=dst, dstOffset=offsets, dstBase=0, mask=mask, repeatTimes=repeat, srcRepStride=rep),
    )
    assert same_bits(into, expected)


@given(blocks=st.lists(st.integers(0, 31), min_size=16, max_size=16), blk=st.integers(0, 2), rep=st.integers(8, 20))
def test_gatherb(blocks, blk, rep):
    source = counting(np.uint16, 32 * 16)
    dst = np.zeros((rep + 7 * max(blk, 1) + 1) * 16, np.uint16)
    expected = dst.copy()
    for at, block in enumerate(blocks):
        place = (at // 8 * rep + at % 8 * (blk or 1)) * 16
        expected[place : place + 16] = source[block * 16 : block * 16 + 16]
    offsets = (np.array(blocks) * 32).astype(np.uint32)
    strides = params(dst_blk_stride=blk, dst_rep_stride=rep)
    run("gatherb", Context(dst=dst, src0=source, offset=offsets, repeatTimes=2, repeatParams=strides))
    assert same_bits(dst, expected)


PATTERN_BITS = {1: "01", 2: "10", 3: "0001", 4: "0010", 5: "0100", 6: "1000", 7: "1"}


@pytest.mark.parametrize("pattern", PATTERN_BITS)
@pytest.mark.parametrize("dtype", [F16, F32])
@given(repeat=st.integers(0, 3), blk=st.integers(1, 2), rep=st.integers(0, 12), counted=st.integers(0, 150))
def test_gather_mask_patterns(dtype, pattern, repeat, blk, rep, counted):
    elems = counted or 256 // dtype.itemsize
    index = strided(dtype.itemsize, max(repeat, 1), blk, rep, elems)
    source = counting(dtype, int(index.max()) + 1)
    bits = PATTERN_BITS[pattern][::-1]
    kept = [source[index[r, e]] for r in range(repeat) for e in range(elems) if bits[e % len(bits)] == "1"]
    dst = np.zeros(repeat * elems, dtype)
    strides = params(src0_block_stride=blk, repeat_times=repeat, src0_repeat_stride=rep, src1_repeat_stride=0)
    context = Context(dst=dst, src0=source, src1Pattern=pattern, reduceMode=bool(counted), mask=counted, params=strides)
    assert run("gather_mask", context) == len(kept)
    assert same_bits(dst[: len(kept)], np.array(kept, dtype))
    assert not dst[len(kept) :].any()


def test_gather_mask_tensor_pattern_as_in_the_vendor_example():
    source = counting(np.uint32, 256)
    pattern = np.full(8, 0x99999999, np.uint32)
    dst = np.zeros(140, np.uint32)
    strides = params(src0_block_stride=1, repeat_times=2, src0_repeat_stride=4, src1_repeat_stride=0)
    context = Context(dst=dst, src0=source, src1Pattern=pattern, reduceMode=True, mask=70, params=strides)
    kept = [r * 32 + e for r in range(2) for e in range(70) if e % 4 in (0, 3)]
    assert run("gather_mask", context) == len(kept)
    assert dst[: len(kept)].tolist() == source[kept].tolist()
    assert context.state.gather_mask_remain == len(kept)


def test_transpose_square():
    source = counting(F16, 256)
    dst = np.zeros_like(source)
    run("transpose", Context(dst=dst, src=source))
    assert same_bits(dst, np.ascontiguousarray(source.reshape(16, 16).T).ravel())


@pytest.mark.parametrize(("kind", "axes"), [("NCHW2NHWC", (0, 2, 3, 1)), ("NHWC2NCHW", (0, 3, 1, 2))])
def test_transpose_images(kind, axes):
    n, c, h, w = 2, 3, 4, 8
    shape = (n, c, h, w) if kind == "NCHW2NHWC" else (n, h, w, c)
    source = counting(F32, n * c * h * w)
    dst = np.zeros_like(source)
    info = params(n_size=n, c_size=c, h_size=h, w_size=w, transpose_type=f"TRANSPOSE_{kind}")
    run("transpose_ext", Context(dst=dst, src=source, params=info))
    assert same_bits(dst, np.ascontiguousarray(source.reshape(shape).transpose(axes)).ravel())


@pytest.mark.parametrize("dtype", [F16, F32, np.dtype(np.int8)])
@pytest.mark.parametrize("high", [False, True])
def test_five_hd(dtype, high):
    lanes = 32 // dtype.itemsize
    repeat, source_step, target_step = 2, 1, 16
    memory = counting(dtype, 16 * 2 * lanes)
    sources = tuple(memory[k * 2 * lanes :] for k in range(16))
    result = np.zeros(32 * lanes, dtype)
    targets = tuple(result[k * lanes :] for k in range(16))
    halves = {"src_high_half": high, "dst_high_half": high}
    info = params(repeat_times=repeat, src_rep_stride=source_step, dst_rep_stride=target_step, **halves)
    run("trans_data_to_5hd_tensor_list", Context(dstList=targets, srcList=sources, params=info))
    shift = 16 if high and dtype.itemsize == 1 else 0
    for r in range(repeat):
        block = np.array([sources[k][r * lanes + shift :][: min(lanes, 16)] for k in range(16)])
        expected = np.ascontiguousarray(block.T).ravel()
        if dtype.itemsize == 1:
            got = np.concatenate([targets[k][r * 16 * lanes + shift :][:16] for k in range(16)])
        else:
            got = result[r * 16 * lanes : (r + 1) * 16 * lanes]
        assert same_bits(got, expected)


def gm(array):
    return Tensor(array, memory=Memory.GM)


@pytest.mark.parametrize("count", [0, 1, 4, 7, 8, 9, 64])
def test_counted_copy_moves_whole_blocks(count):
    """Measured on a 910B4: writing back 4 or 16 bytes does nothing; 32 and 64 bytes are exact."""
    source, dst = np.arange(1, 65, dtype=F32), np.zeros(64, F32)
    run("data_copy", Context(dst=gm(dst), src=source, calCount=count))
    moved = count * 4 // 32 * 8
    assert dst.tolist() == [*source[:moved], *[0] * (64 - moved)]


@given(data=st.data(), dtype=st.sampled_from([np.dtype("int8"), F16, F32]))
def test_burst_copy(data, dtype):
    count, length, source_gap, target_gap = (data.draw(st.integers(0, 4)) for _ in range(4))
    lanes = 32 // dtype.itemsize
    source = counting(dtype, max(count, 1) * (length + source_gap) * lanes + lanes)
    dst = np.zeros(max(count, 1) * (length + target_gap) * lanes + lanes, dtype)
    expected = dst.copy()
    for i in range(count):
        chunk = source[i * (length + source_gap) * lanes :][: length * lanes]
        expected[i * (length + target_gap) * lanes :][: length * lanes] = chunk
    info = params(block_count=count, block_len=length, src_stride=source_gap, dst_stride=target_gap)
    run("data_copy", Context(dst=dst, src=gm(source), repeatParams=info))
    assert same_bits(dst, expected)


@given(data=st.data())
def test_padded_copy_in(data):
    count, length, gap_bytes, gap_blocks = (data.draw(st.integers(low, 5)) for low in (1, 1, 0, 0))
    left, right = data.draw(st.sampled_from([(0, 0), (1, 0), (0, 3), (2, 2)]))
    is_pad = data.draw(st.booleans())
    raw = np.arange(1, 400, dtype=np.uint8)
    source = raw[: len(raw) // 2 * 2].view(np.int16)
    width = -(-(left + length + right) // 16) * 16
    step = width + gap_blocks * 16
    dst = np.zeros(count * step, np.int16)
    expected = dst.copy()
    for i in range(count):
        at = i * (length * 2 + gap_bytes)
        burst = raw[at : at + length * 2].view(np.int16)
        fill = burst[0] if not left and not right else (77 if is_pad else -1)
        expected[i * step : i * step + width] = fill
        expected[i * step + left : i * step + left + length] = burst
    info = params(block_count=count, block_len=length * 2, src_stride=gap_bytes, dst_stride=gap_blocks)
    fields = {"is_pad": is_pad, "left_padding": left, "right_padding": right, "padding_value": 77}
    pads = Params("DataCopyPadExtParams", fields)
    run("data_copy_pad", Context(dst=dst, src=gm(source), dataCopyParams=info, padParams=pads))
    assert dst.tolist() == expected.tolist()


@given(count=st.integers(1, 4), length=st.integers(1, 20), gap_blocks=st.integers(0, 2), gap_bytes=st.integers(0, 5))
def test_padded_copy_out_drops_the_filling(count, length, gap_blocks, gap_bytes):
    step = (-(-length * 4 // 32) + gap_blocks) * 8
    source = counting(np.int32, count * step) + 1
    dst = np.zeros(400, np.uint8)
    expected = dst.copy()
    for i in range(count):
        at = i * (length * 4 + gap_bytes)
        expected[at : at + length * 4] = source[i * step : i * step + length].view(np.uint8)
    info = params(block_count=count, block_len=length * 4, src_stride=gap_blocks, dst_stride=gap_bytes)
    run("data_copy_pad", Context(dst=gm(dst.view(np.int32)), src=source, dataCopyParams=info))
    assert dst.tolist() == expected.tolist()


def test_set_pad_value_fills_the_rest_of_a_block():
    state = VectorState()
    run("set_pad_value", Context(state=state, paddingValue=5))
    dst = np.zeros(16, np.int16)
    pads = Params("DataCopyPadExtParams", {"is_pad": False, "left_padding": 0, "right_padding": 0, "padding_value": 0})
    info = params(block_count=1, block_len=6, src_stride=0, dst_stride=0)
    source = np.array([1, 2, 3], np.int16)
    run("data_copy_pad", Context(state=state, dst=dst, src=gm(source), dataCopyParams=info, padParams=pads))
    assert dst.tolist() == [1, 2, 3] + [5] * 13


@pytest.mark.parametrize("dtype", [F16, F32])
@given(data=st.data())
def test_nd_to_nz_and_back(dtype, data):
    matrices, rows, columns = (data.draw(st.integers(1, high)) for high in (2, 20, 40))
    chunk = 32 // dtype.itemsize
    pitch = columns + data.draw(st.integers(0, 3))
    between = rows * pitch + data.draw(st.integers(0, 3))
    n_stride = data.draw(st.integers(1, 2))
    c0_stride = rows * n_stride + data.draw(st.integers(0, 2))
    nz_matrix = -(-columns // chunk) * c0_stride * chunk
    source = counting(dtype, matrices * between) + dtype.type(1)
    dst = np.full(matrices * nz_matrix, 9, dtype)
    expected = dst.copy()
    for m in range(matrices):
        for r in range(rows):
            for c in range(-(-columns // chunk) * chunk):
                at = m * nz_matrix + (r * n_stride + c // chunk * c0_stride) * chunk + c % chunk
                expected[at] = source[m * between + r * pitch + c] if c < columns else 0
    info = params(
        nd_num=matrices, n_value=rows, d_value=columns, src_nd_matrix_stride=between, src_d_value=pitch,
        dst_nz_c0_stride=c0_stride, dst_nz_n_stride=n_stride, dst_nz_matrix_stride=nz_matrix,
    )  # fmt: skip
    run("data_copy_nd2nz", Context(dst=Tensor(dst, memory=Memory.L1), src=gm(source), intriParams=info))
    assert same_bits(dst, expected)


def test_nz_to_nd_vendor_example():
    source = np.arange(1, 1025).astype(F32)
    dst = np.zeros(1024, F32)
    info = params(
        nd_num=1, n_value=32, d_value=32, src_nd_matrix_stride=1, src_n_stride=32, dst_d_stride=32,
        dst_nd_matrix_stride=1,
    )  # fmt: skip
    run("data_copy_nz2nd", Context(dst=gm(dst), src=source, intriParams=info))
    expected = source.reshape(2, 32, 16).transpose(1, 0, 2).ravel()
    assert same_bits(dst, np.ascontiguousarray(expected))


def test_slice_copy_vendor_example():
    wide = [
        params(start_index=16, end_index=70, stride=7, burst_len=3, shape_value=87),
        params(start_index=0, end_index=2, stride=1, burst_len=1, shape_value=3),
    ]
    index = slice_index(wide, 4)
    expected = [row * 87 + head + lane for row in (0, 2) for head in (16, 47) for lane in range(24)]
    assert index.tolist() == expected
    narrow = [
        params(start_index=0, end_index=47, stride=0, burst_len=3, shape_value=48),
        params(start_index=0, end_index=1, stride=0, burst_len=1, shape_value=2),
    ]
    assert slice_index(narrow, 4).tolist() == list(range(96))


@given(data=st.data())
def test_atomic_state_is_left_to_the_machine(data):
    state = VectorState()
    run("set_atomic_add", Context(attrs={"dtype": "float32"}, state=state))
    assert state.atomic_op == "add"
    run("set_atomic_none", Context(state=state))
    assert not state.atomic_op
    values_ = data.draw(values(F32, 8, finite=True))
    dst = np.zeros(8, F32)
    run("data_copy", Context(state=state, dst=gm(dst), src=values_, calCount=8))
    assert same_bits(dst, values_)
