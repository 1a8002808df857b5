# SPDX-License-Identifier: Apache-2.0
"""Fractal loads, matrix products and the way out of L0C, against plain matrices."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from asclens_compiler.backends.simulator.semantics.api import VectorState
from asclens_compiler.backends.simulator.semantics.mmad import round_hf32
from asclens_compiler.hardware.pipes import Memory
from hypothesis import strategies as st
from numerics_fake import Context, Tensor, params, run, same_bits
from numerics_strategies import BF16, given, values

F16, F32, S8, I32 = np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.int8), np.dtype(np.int32)
SIZES = st.integers(1, 40)


def blocks(value, unit):
    return -(-value // unit)


def to_zz(matrix):
    """A row-major matrix as L0A holds it."""
    rows, columns = matrix.shape
    k0 = 32 // matrix.itemsize
    out = np.zeros((blocks(rows, 16), blocks(columns, k0), 16, k0), matrix.dtype)
    for i in range(rows):
        for j in range(columns):
            out[i // 16, j // k0, i % 16, j % k0] = matrix[i, j]
    return out.ravel()


def to_zn(matrix):
    """A (k, n) matrix as L0B holds it."""
    depth, columns = matrix.shape
    k0 = 32 // matrix.itemsize
    out = np.zeros((blocks(depth, k0), blocks(columns, 16), 16, k0), matrix.dtype)
    for i in range(depth):
        for j in range(columns):
            out[i // k0, j // 16, j % 16, i % k0] = matrix[i, j]
    return out.ravel()


def to_nz(matrix, dtype=None):
    """A matrix as L0C holds it."""
    rows, columns = matrix.shape
    out = np.zeros((blocks(columns, 16), blocks(rows, 16) * 16, 16), dtype or matrix.dtype)
    for i in range(rows):
        for j in range(columns):
            out[j // 16, i, j % 16] = matrix[i, j]
    return out.ravel()


def from_nz(memory, rows, columns):
    whole = memory.reshape(blocks(columns, 16), blocks(rows, 16) * 16, 16)
    return np.ascontiguousarray(whole.transpose(1, 0, 2).reshape(-1, blocks(columns, 16) * 16)[:rows, :columns])


def small_matrix(rng, shape, dtype):
    if dtype == S8:
        return rng.integers(-128, 128, shape).astype(S8)
    return rng.standard_normal(shape).astype(np.float32).astype(dtype)


def expected_product(a, b, start):
    """Chunk by chunk of 32 bytes, each inner product rounded once."""
    if a.dtype == S8:
        return start.astype(I32) + (a.astype(np.int64) @ b.astype(np.int64)).astype(I32)
    k0 = 32 // a.itemsize
    total = start.astype(F32)
    for first in range(0, a.shape[1], k0):
        part = a[:, first : first + k0].astype(np.float64) @ b[first : first + k0].astype(np.float64)
        total = total + part.astype(F32)
    return total


@pytest.mark.parametrize("dtype", [F16, BF16, F32, S8])
@given(m=st.integers(2, 40), n=SIZES, k=SIZES, keep=st.booleans(), seed=st.integers(0, 1000))
def test_mmad(dtype, m, n, k, keep, seed):
    rng = np.random.default_rng(seed)
    a, b = small_matrix(rng, (m, k), dtype), small_matrix(rng, (k, n), dtype)
    out = I32 if dtype == S8 else F32
    start = rng.integers(-9, 9, (m, n)).astype(out)
    memory = to_nz(start)
    info = params(m=m, n=n, k=k, cmatrix_init_val=not keep)
    run("mmad", Context(dst=memory, fm=to_zz(a), filter=to_zn(b), mmadParams=info))
    expected = expected_product(a, b, start if keep else np.zeros_like(start))
    assert same_bits(from_nz(memory, m, n), expected)
    exact = a.astype(np.float64) @ b.astype(np.float64) + keep * start
    assert np.allclose(from_nz(memory, m, n), exact, rtol=1e-4, atol=1e-3)


def test_one_row_is_a_plain_vector():
    rng = np.random.default_rng(1)
    a, b = small_matrix(rng, (1, 64), F16), small_matrix(rng, (64, 20), F16)
    memory = np.zeros(2 * 256, F32)
    run("mmad", Context(dst=memory, fm=a.ravel(), filter=to_zn(b), mmadParams=params(m=1, n=20, k=64)))
    assert same_bits(from_nz(memory, 1, 20), expected_product(a, b, np.zeros((1, 20), F32)))


@pytest.mark.parametrize("in_l0c", [False, True])
def test_mmad_with_bias(in_l0c):
    rng = np.random.default_rng(2)
    m, n, k = 20, 24, 32
    a, b = small_matrix(rng, (m, k), F16), small_matrix(rng, (k, n), F16)
    bias = rng.standard_normal((m, n) if in_l0c else (1, n)).astype(F32)
    operand = Tensor(to_nz(bias), memory=Memory.L0C) if in_l0c else Tensor(bias.ravel(), memory=Memory.BT)
    memory = np.zeros(2 * 32 * 16, F32)
    info = params(m=m, n=n, k=k)
    run("mmad_with_bias", Context(dst=memory, fm=to_zz(a), filter=to_zn(b), bias=operand, mmadParams=info))
    assert same_bits(from_nz(memory, m, n), expected_product(a, b, np.broadcast_to(bias, (m, n))))


def test_zero_sizes_do_nothing():
    memory = np.full(256, 7, F32)
    run("mmad", Context(dst=memory, fm=np.ones(256, F16), filter=np.ones(256, F16), mmadParams=params(m=0, n=16, k=16)))
    assert (memory == 7).all()


def test_sparse_product():
    rng = np.random.default_rng(3)
    m, n, k = 32, 32, 64
    a = rng.integers(1, 10, (m, k)).astype(S8)
    whole = np.zeros((k, n), S8)
    dense, position = np.zeros((k // 2, n), S8), np.zeros((k // 2, n), np.uint8)
    for column in range(n):
        for group in range(k // 4):
            first, second = sorted(rng.choice(4, 2, replace=False))
            pair = rng.integers(1, 10, 2)
            whole[group * 4 + first, column], whole[group * 4 + second, column] = pair
            dense[group * 2 : group * 2 + 2, column] = pair
            position[group * 2 : group * 2 + 2, column] = first, second - 1
    packed = to_zn(position.view(S8)).view(np.uint8).reshape(-1, 4)
    index = (packed[:, 0] | packed[:, 1] << 2 | packed[:, 2] << 4 | packed[:, 3] << 6).astype(np.uint8)
    source = to_zn(dense)
    loaded = np.zeros_like(source)
    state = VectorState()
    info = params(repeat_times=len(source) // 512, start_index=0)
    run("load_data_with_sparse", Context(state=state, dst=loaded, src=source, idx=index, loadDataParam=info))
    memory = np.zeros(m * n, I32)
    run(
        "mmad_with_sparse",
        Context(state=state, dst=memory, fm=to_zz(a), filter=loaded, mmadParams=params(m=m, n=n, k=k)),
    )
    assert from_nz(memory, m, n).tolist() == (a.astype(I32) @ whole.astype(I32)).tolist()


@given(
    count=st.integers(0, 4), start=st.integers(0, 3), step=st.integers(0, 3), gap=st.integers(0, 2), turn=st.booleans()
)
def test_load_2d(count, start, step, gap, turn):
    source = np.arange(16 * 256, dtype=np.int16).view(F16)
    dst = np.zeros(16 * 256, F16)
    expected = dst.copy()
    for r in range(count):
        fractal = source[(start + r * step) * 256 :][:256].reshape(16, 16)
        expected[r * (1 + gap) * 256 :][:256] = (fractal.T if turn else fractal).ravel()
    info = params(start_index=start, repeat_times=count, src_stride=step, dst_gap=gap, if_transpose=turn, addr_mode=0)
    run("load_data_2d", Context(dst=dst, src=source, loadDataParams=info))
    assert same_bits(dst, expected)


def test_load_2d_v2_takes_a_block():
    source = np.arange(25 * 256, dtype=np.int16).view(F16)
    dst = np.zeros(9 * 256, F16)
    info = params(m_start_position=2, k_start_position=2, m_step=2, k_step=3, src_stride=5, dst_stride=3)
    run("load_data_2d_v2", Context(dst=dst, src=source, loadDataParams=info))
    for k in range(3):
        for m in range(2):
            got = dst[(k * 3 + m) * 256 :][:256]
            assert same_bits(got, source[(12 + k * 5 + m) * 256 :][:256])


@pytest.mark.parametrize("dtype", [S8, F16, F32])
@given(gap=st.integers(0, 2), inner=st.integers(0, 1))
def test_load_transposed_squares(dtype, gap, inner):
    elems, k0 = 512 // dtype.itemsize, 32 // dtype.itemsize
    pieces = 1 if dtype == F16 else 2
    raw = np.arange(4 * pieces * elems * dtype.itemsize // 2, dtype=np.uint16).view(np.uint8)
    source = raw.view(dtype)
    dst = np.zeros(16 * elems, dtype)
    info = params(start_index=1, repeat_times=2, src_stride=2, dst_gap=gap, dst_frac_gap=inner, addr_mode=0)
    run("load_data_with_transpose", Context(dst=dst, src=source, loadDataParams=info))
    expected = np.zeros_like(dst)
    for r in range(2):
        parts = source[(1 + 2 * r) * pieces * elems :][: pieces * elems].reshape(pieces, 16, k0)
        square = np.concatenate(list(parts), axis=1 if dtype == F32 else 0).T
        for j in range(pieces):
            place = (r * (1 + gap) + j * (1 + inner)) * elems
            piece = square[:, j * k0 : (j + 1) * k0] if dtype == F32 else square[j * 16 : (j + 1) * 16]
            expected[place : place + elems] = piece.ravel()
    assert dst.tobytes() == expected.tobytes()


@pytest.mark.parametrize(("memory", "unit"), [(Memory.L1, 32), (Memory.L0A, 512)])
def test_init_const_value(memory, unit):
    dst = np.zeros(8 * unit // 2, F16)
    info = params(repeat_times=2, block_num=2, dst_gap=1, init_value=1.5)
    run("init_const_value", Context(dst=Tensor(dst, memory=memory), initConstValueParams=info))
    filled = (dst.reshape(8, -1) == 1.5).all(axis=1)
    assert filled.tolist() == [True, True, False, True, True, False, False, False]


def fix(dst, src, *, n, m, stride, row_major=True, mode="NoQuant", deq=0, relu=False, split=False, **more):
    fields = {"n_size": n, "m_size": m, "src_stride": blocks(m, 16) * 16, "dst_stride": stride, "quant_pre": mode}
    fields |= {"deq_scalar": deq, "nd_num": 1, "src_nd_stride": 0, "dst_nd_stride": 0, "relu_en": relu}
    info = params(**fields, unit_flag=0, is_channel_split=split)
    config = params(layout="ROW_MAJOR" if row_major else "NZ")
    run("fixpipe", Context(dst=Tensor(dst, memory=Memory.GM), src=src, intriParams=info, fixpipeConfig=config, **more))


@pytest.mark.parametrize(("dtype", "mode"), [(F32, "NoQuant"), (F16, "F322F16"), (BF16, "F322BF16")])
@given(data=st.data(), m=st.integers(1, 20), columns=st.integers(1, 2), extra=st.integers(0, 5), relu=st.booleans())
def test_fixpipe_row_major(dtype, mode, data, m, columns, extra, relu):
    n = columns * 16
    matrix = data.draw(values(F32, m * n)).reshape(m, n)
    dst = np.zeros(m * (n + extra), dtype)
    fix(dst, to_nz(matrix), n=n, m=m, stride=n + extra, mode=mode, relu=relu)
    with np.errstate(all="ignore"):
        expected = (np.maximum(matrix, np.float32(0)) if relu else matrix).astype(dtype)
    assert same_bits(np.ascontiguousarray(dst.reshape(m, n + extra)[:, :n]), expected)


@pytest.mark.parametrize("split", [False, True])
def test_fixpipe_nz_columns(split):
    m, n = 24, 48
    matrix = np.arange(m * n, dtype=F32).reshape(m, n)
    width = 8 if split else 16
    step = 40 * 16 if not split else 30 * 8
    dst = np.zeros(n // width * step, F32)
    fix(dst, to_nz(matrix), n=n, m=m, stride=step // 8, row_major=False, split=split)
    for i in range(m):
        for j in range(n):
            assert dst[j // width * step + i * width + j % width] == matrix[i, j]


def test_fixpipe_bytes_pair_up_in_nz():
    m, n = 16, 48
    matrix = (np.arange(m * n) % 100).astype(F32).reshape(m, n)
    one = int(np.array([1.0], F32).view(np.uint32)[0]) | 1 << 46
    dst = np.zeros(2 * m * 32, S8)
    fix(dst, to_nz(matrix), n=n, m=m, stride=m, row_major=False, mode="QF322B8_PRE", deq=one)
    for i in range(m):
        for j in range(n):
            place = i * 32 + j if j < 32 else m * 32 + i * 16 + j - 32
            assert dst[place] == matrix[i, j]


def word(scale, offset=0, signed=True, shift=None):
    bits = int(np.array([scale], F32).view(np.uint32)[0]) | (offset & 0x1FF) << 37 | int(signed) << 46
    return bits if shift is None else bits | (shift - 1) << 32 | 1 << 36


def requantized(value, scale, offset, signed, shift, relu):
    """The vendor's formula, one value at a time."""
    if shift is not None:
        value = min(max(int(value) >> shift, -32768), 32767)
    factor = np.array([np.array([scale], F32).view(np.uint32)[0] & 0xFFFFE000], np.uint32).view(F32)[0]
    product = np.float32(0) if relu and value < 0 else np.float32(value) * factor
    nine = min(max(int(np.rint(product)), -256), 255) + offset
    return min(max(nine, -128), 127) if signed else min(max(nine, 0), 255)


@pytest.mark.parametrize("relu", [False, True])
@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("mode", ["REQ8", "QF322B8_PRE", "VREQ8"])
@given(seed=st.integers(0, 500), offset=st.integers(-256, 255), shift=st.none() | st.integers(1, 16))
def test_fixpipe_to_bytes(mode, signed, relu, seed, offset, shift):
    rng = np.random.default_rng(seed)
    floats = mode == "QF322B8_PRE"
    shift = None if floats else shift
    matrix = rng.integers(-(2**20), 2**20, (4, 16))
    matrix = (matrix / 512).astype(F32) if floats else matrix.astype(I32)
    scales = rng.uniform(0, 0.01 if not floats else 1, 16).astype(F32)
    words = np.array([word(scale, offset, signed, shift) for scale in scales], np.uint64)
    dst = np.zeros(64, S8 if signed else np.uint8)
    if mode == "VREQ8":
        fix(dst, to_nz(matrix), n=16, m=4, stride=16, mode=mode, relu=relu, cbufWorkspace=words)
        per_column = scales
    else:
        fix(dst, to_nz(matrix), n=16, m=4, stride=16, mode=mode, relu=relu, deq=int(words[0]))
        per_column = np.full(16, scales[0])
    expected = [
        requantized(matrix[i, j], per_column[j], offset, signed, shift, relu) for i in range(4) for j in range(16)
    ]
    assert dst.tolist() == expected


def test_fixpipe_int32_to_half_saturates():
    matrix = np.array([[2**30, -(2**30), 7, -7] * 4], I32)
    dst = np.zeros(16, F16)
    fix(dst, to_nz(matrix), n=16, m=1, stride=16, mode="DEQF16", deq=word(0.5))
    assert dst[:4].tolist() == [65504, -65504, 3.5, -3.5]


def test_copy_out_of_l0c_uses_the_scalar_register():
    state = VectorState()
    run("set_fixpipe_pre_quant_flag", Context(state=state, config=word(2.0)))
    dst = np.zeros(16, F16)
    info = params(
        n_size=16, m_size=1, dst_stride=16, src_stride=16, quant_pre="DEQF16", relu_pre=0, channel_split=False,
        nz2nd_en=True,
    )  # fmt: skip
    matrix = np.arange(16, dtype=I32).reshape(1, 16)
    run("data_copy_co12dst", Context(state=state, dst=dst, src=to_nz(matrix), intriParams=info))
    assert dst.tolist() == [2.0 * i for i in range(16)]


def test_whole_matmul_through_all_layouts():
    """ND in global memory -> NZ in L1 -> L0A / L0B -> L0C -> ND, as a hand-written kernel moves it."""
    rng = np.random.default_rng(5)
    m, n, k = 48, 32, 64
    a, b = small_matrix(rng, (m, k), F16), small_matrix(rng, (k, n), F16)
    l1a, l1b = np.zeros(m * k, F16), np.zeros(k * n, F16)
    for matrix, l1 in ((a, l1a), (b, l1b)):
        rows, columns = matrix.shape
        info = params(
            nd_num=1, n_value=rows, d_value=columns, src_nd_matrix_stride=0, src_d_value=columns,
            dst_nz_c0_stride=rows, dst_nz_n_stride=1, dst_nz_matrix_stride=0,
        )  # fmt: skip
        source = Tensor(matrix.ravel(), memory=Memory.GM)
        run("data_copy_nd2nz", Context(dst=Tensor(l1, memory=Memory.L1), src=source, intriParams=info))
    l0a, l0b = np.zeros(m * k, F16), np.zeros(k * n, F16)
    for row in range(m // 16):  # NZ -> ZZ
        info = params(start_index=row, repeat_times=k // 16, src_stride=m // 16, dst_gap=0)
        run("load_data_2d", Context(dst=l0a[row * k // 16 * 256 :], src=l1a, loadDataParams=info))
    for row in range(k // 16):  # NZ -> ZN: each fractal transposed
        info = params(start_index=row, repeat_times=n // 16, src_stride=k // 16, dst_gap=0, if_transpose=True)
        run("load_data_2d", Context(dst=l0b[row * n // 16 * 256 :], src=l1b, loadDataParams=info))
    assert same_bits(l0a, to_zz(a))
    assert same_bits(l0b, to_zn(b))
    l0c, c = np.zeros(m * n, F32), np.zeros(m * n, F32)
    run("mmad", Context(dst=l0c, fm=l0a, filter=l0b, mmadParams=params(m=m, n=n, k=k)))
    fix(c, l0c, n=n, m=m, stride=n)
    assert np.allclose(c.reshape(m, n), a.astype(np.float64) @ b.astype(np.float64), rtol=1e-5, atol=1e-5)


def test_hf32_rounds_the_mantissa():
    one = np.float32(1.0)
    tie = np.array([1 + 2.0**-12, 1 + 3 * 2.0**-12, 1 + 2.0**-11 + 2.0**-20], np.float32)
    even = round_hf32(tie, toward_zero=False)
    assert even.tolist() == [1.0, 1 + 2 * 2.0**-11, 1 + 2.0**-11]
    assert round_hf32(tie, toward_zero=True).tolist() == [1.0, 1 + 2.0**-11, 1 + 2.0**-11]
    assert round_hf32(np.array([np.inf, one], np.float32), toward_zero=False).tolist() == [np.inf, 1.0]


def test_bfloat16_is_the_ml_dtypes_one():
    assert np.dtype(ml_dtypes.bfloat16) == BF16
