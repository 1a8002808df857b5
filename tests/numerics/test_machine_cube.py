# SPDX-License-Identifier: Apache-2.0
"""A hand-written matrix product on the real machine: L1, L0, mmad, fixpipe."""

from __future__ import annotations

import numpy as np
import pytest
from asclens_compiler.ascir.program import CoreKind
from asclens_compiler.backends.simulator.dtypes import dtype_of
from asclens_compiler.hardware.dtypes import DType
from kernel_dsl import Kernel
from numerics_fake import same_bits
from numerics_strategies import BF16
from test_cube import expected_product

F16, F32, S8 = np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.int8)


def matmul_kernel(m, n, k, dtype, *, bias=False):
    """One tile: ND -> NZ -> fractals -> product -> ND."""
    kind = dtype_of(np.empty(0, dtype))
    out = DType.INT32 if kind is DType.INT8 else DType.FLOAT32
    chunk, size = 32 // kind.size_bytes, kind.size_bytes
    k_blocks, n_blocks = k // chunk, n // 16
    kernel = Kernel("matmul", kind=CoreKind.AIC)
    a, b, c = (kernel.gm(kernel.pointer(name, t), dtype=t) for name, t in (("a", kind), ("b", kind), ("c", out)))
    l1a, l1b = kernel.local(0, m * k, "A1", kind), kernel.local(m * k * size, k * n, "B1", kind)
    l0a, l0b = kernel.local(0, m * k, "A2", kind), kernel.local(0, k * n, "B2", kind)
    l0c = kernel.local(0, m * n, "CO1", out)
    for target, source, rows, columns in ((l1a, a, m, k), (l1b, b, k, n)):
        layout = kernel.struct("Nd2NzParams", 1, rows, columns, 0, columns, rows, 1, 0)
        kernel.asc("data_copy_nd2nz", dst=target, src=source, intriParams=layout)
    kernel.barrier()
    for row in range(m // 16):
        part = kernel.struct("LoadData2DParams", row, k_blocks, m // 16, 0, 0, False, 0)
        kernel.asc("load_data_l0", dst=kernel.at(l0a, row * k_blocks * 16 * chunk), src=l1a, loadDataParams=part)
    if size == 2:
        for row in range(k // 16):
            part = kernel.struct("LoadData2DParams", row, n_blocks, k // 16, 0, 0, True, 0)
            kernel.asc("load_data_l0", dst=kernel.at(l0b, row * n_blocks * 256), src=l1b, loadDataParams=part)
    else:
        # Squares of one column of L1: 8-bit two fractals down, 32-bit two fractals across.
        squares(kernel, l0b, l1b, k, n, size)
    kernel.barrier()
    info = (m, n, k, False, 0, False, False, False, 0, False, True)
    if bias:
        add_bias(kernel, l0c, l0a, l0b, n, info)
    else:
        kernel.asc("mmad", dst=l0c, fm=l0a, filter=l0b, mmadParams=kernel.struct("MmadParams", *info))
    kernel.barrier()
    move = kernel.struct("FixpipeParamsV220", n, m, m, n, 0, 0, 1, 0, 0, False, 0, False)
    layout = kernel.struct("FixpipeConfig", 1)
    kernel.asc("fixpipe", dst=c, src=l0c, intriParams=move, fixpipeConfig=layout)
    kernel.barrier()
    return kernel


def squares(kernel, l0b, l1b, k, n, size):
    """Transpose B from NZ in L1 to ZN in L0B with load_data_with_transpose."""
    chunk = 32 // size
    side = 32 if size == 1 else 16
    n_blocks = n // 16
    for row in range(k // side):
        for column in range(n // side):
            step = 0 if size == 1 else k // 16 - 1
            first = (column * side // chunk) * (k // 16) + row * side // 16
            target = (row * side // chunk) * n_blocks + column * side // 16
            inner = 0 if size == 1 else n_blocks - 1
            source = kernel.at(l1b, first * 16 * chunk)
            into = kernel.at(l0b, target * 16 * chunk)
            part = kernel.struct("LoadData2dTransposeParamsV2", 0, 1, 0, 0, inner, step, 0)
            kernel.asc("load_data_with_transpose_v2", dst=into, src=source, loadDataParams=part)


def add_bias(kernel, l0c, l0a, l0b, n, info):
    pointer = kernel.pointer("bias", DType.FLOAT32)
    l1 = kernel.local(400000, n, "C1", DType.FLOAT32)
    table = kernel.local(0, n, "C2", DType.FLOAT32)
    kernel.copy(l1, kernel.gm(pointer, dtype=DType.FLOAT32), n)
    kernel.barrier()
    burst = kernel.struct("DataCopyParams", 1, n * 4 // 64, 0, 0)
    kernel.asc("data_copy_l0", dst=table, src=l1, repeatParams=burst)
    kernel.barrier()
    params = kernel.struct("MmadParams", *info)
    kernel.asc("mmad_with_bias", dst=l0c, fm=l0a, filter=l0b, bias=table, mmadParams=params)


def matrices(m, n, k, dtype, seed=3):
    rng = np.random.default_rng(seed)
    if dtype == S8:
        return [rng.integers(-128, 128, shape).astype(S8) for shape in ((m, k), (k, n))]
    return [rng.standard_normal(shape).astype(F32).astype(dtype) for shape in ((m, k), (k, n))]


@pytest.mark.parametrize("dtype", [F16, BF16, F32, S8])
@pytest.mark.parametrize(("m", "n", "k"), [(16, 32, 32), (48, 64, 96)])
def test_matmul(dtype, m, n, k):
    a, b = matrices(m, n, k, dtype)
    c = np.zeros((m, n), np.int32 if dtype == S8 else F32)
    result = matmul_kernel(m, n, k, dtype).run(a.ravel(), b.ravel(), c.reshape(-1))
    assert result.ok, result.error
    assert [(item.code, item.message) for item in result.violations] == []
    assert same_bits(c, expected_product(a, b, np.zeros_like(c)))


def test_matmul_with_bias():
    m, n, k = 32, 48, 64
    a, b = matrices(m, n, k, F16)
    bias, c = np.arange(n, dtype=F32), np.zeros((m, n), F32)
    result = matmul_kernel(m, n, k, F16, bias=True).run(a.ravel(), b.ravel(), c.reshape(-1), bias)
    assert result.ok, result.error
    assert [(item.code, item.message) for item in result.violations] == []
    assert same_bits(c, expected_product(a, b, np.broadcast_to(bias, (m, n))))
