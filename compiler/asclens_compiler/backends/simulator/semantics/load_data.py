# SPDX-License-Identifier: Apache-2.0
"""Loads of fractals into L0A, L0B and L1.

Sources: vendor pages LoadData (2D, 2D V2), LoadDataWithTranspose, LoadDataWithSparse, Fill and
their reference scripts; CCE guide, load_cbuf_to_ca.
"""

from __future__ import annotations

import numpy as np

from asclens_compiler.backends.simulator.dtypes import numpy_dtype
from asclens_compiler.backends.simulator.semantics.api import Array, Index, OpContext, full
from asclens_compiler.backends.simulator.semantics.blocks import BLOCK_BYTES
from asclens_compiler.backends.simulator.semantics.fractal import FRACTAL_BYTES, SIDE, chunk_elems
from asclens_compiler.backends.simulator.semantics.mmad import SPARSE_INDEX
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Memory

_INDEX_FRACTAL_BYTES = 128  # 2 bits for each of the 512 values of an 8-bit fractal


def _consecutive(numbers: Index) -> bool:
    return bool(len(numbers)) and bool(np.all(np.diff(numbers) == 1))


def _read_fractals(ctx: OpContext, operand: str, first: Index) -> Array:
    """Return fractals by number, shape (n, elements)."""
    elems = FRACTAL_BYTES // ctx.dtype(operand).size_bytes
    if _consecutive(first):
        values = ctx.read(operand, len(first) * elems, int(first[0]) * elems)
        return np.reshape(values, (len(first), elems))
    return ctx.gather(operand, first[:, None] * elems + np.arange(elems))


def _write_fractals(ctx: OpContext, operand: str, first: Index, values: Array) -> None:
    """Write fractals by number from shape (n, elements)."""
    elems = FRACTAL_BYTES // ctx.dtype(operand).size_bytes
    if _consecutive(first):
        ctx.write(operand, len(first) * elems, int(first[0]) * elems)[:] = np.ravel(values)
    else:
        ctx.scatter(operand, first[:, None] * elems + np.arange(elems), values)


def _transposed(fractals: Array) -> Array:
    """Return each 16 x 16 fractal transposed."""
    square = np.reshape(fractals, (-1, SIDE, SIDE))
    return np.reshape(np.copy(np.transpose(square, (0, 2, 1))), fractals.shape)


@full("load_data_2d")
def load_data_2d(ctx: OpContext) -> None:
    """Copy `repeat_times` fractals; source steps are head to head, destination gaps tail to head.

    `if_transpose` transposes each 16-bit fractal; `addr_mode` 1 walks the source downwards.
    """
    params = ctx.struct("loadDataParams")
    steps = np.arange(int(params.get("repeat_times")))
    down = -1 if params.get("addr_mode", 0) else 1
    source = int(params.get("start_index")) + down * steps * int(params.get("src_stride"))
    values = _read_fractals(ctx, "src", source)
    if params.get("if_transpose", False) and ctx.dtype("src").size_bytes == 2:
        values = _transposed(values)
    _write_fractals(ctx, "dst", steps * (1 + int(params.get("dst_gap"))), values)


@full("load_data_2d_v2")
def load_data_2d_v2(ctx: OpContext) -> None:
    """Copy a block of `k_step` columns of `m_step` fractals of an NZ matrix.

    Strides are distances in fractals between columns.
    """
    params = ctx.struct("loadDataParams")
    column, row = np.arange(int(params.get("k_step")))[:, None], np.arange(int(params.get("m_step")))
    step = int(params.get("src_stride"))
    start = int(params.get("k_start_position")) * abs(step) + int(params.get("m_start_position"))
    values = _read_fractals(ctx, "src", np.ravel(start + column * step + row))
    if params.get("if_transpose", False) and ctx.dtype("src").size_bytes == 2:
        values = _transposed(values)
    _write_fractals(ctx, "dst", np.ravel(column * int(params.get("dst_stride")) + row), values)


@full("load_data_with_transpose")
def load_data_with_transpose(ctx: OpContext) -> None:
    """Transpose squares: 16 x 16 of one 16-bit, 32 x 32 of two 8-bit, 16 x 16 of two 32-bit fractals.

    `start_index` and `src_stride` count squares, `dst_gap` fractals between the first fractals
    of two squares, `dst_frac_gap` (and `src_frac_gap`) fractals between those of one square.
    """
    params = ctx.struct("loadDataParams")
    size = ctx.dtype("src").size_bytes
    pieces = 1 if size == 2 else 2
    within = np.arange(pieces)
    source_step = int(params.get("src_frac_gap", 0) or 0) + 1
    target_step = int(params.get("dst_frac_gap", 0) or 0) + 1
    down = -1 if params.get("addr_mode", 0) else 1
    for step in range(int(params.get("repeat_times"))):
        square = int(params.get("start_index")) + down * step * int(params.get("src_stride"))
        fractals = _read_fractals(ctx, "src", square * pieces + within * source_step)
        target = step * (1 + int(params.get("dst_gap"))) + within * target_step
        _write_fractals(ctx, "dst", target, transpose_square(fractals, size))


def transpose_square(fractals: Array, size: int) -> Array:
    """Return the fractals of the transposed square; 32-bit fractals lie side by side in it."""
    chunk = chunk_elems(size)
    parts = np.reshape(fractals, (-1, SIDE, chunk))
    if size == 4:
        square = np.concatenate(list(parts), axis=1)
        return np.reshape(np.stack(np.split(np.transpose(square), 2, axis=1)), fractals.shape)
    square = np.reshape(parts, (-1, chunk))
    return np.reshape(np.copy(np.transpose(square)), fractals.shape)


@full("load_data_with_sparse")
def load_data_with_sparse(ctx: OpContext) -> None:
    """Load fractals of a 4:2 sparse B one after another, and their 2-bit indexes aside."""
    params = ctx.struct("loadDataParam")
    count, first = int(params.get("repeat_times")), int(params.get("start_index"))
    fractals = np.arange(count)
    _write_fractals(ctx, "dst", fractals, _read_fractals(ctx, "src", first + fractals))
    length = count * _INDEX_FRACTAL_BYTES
    raw = ctx.read("idx", length, first * _INDEX_FRACTAL_BYTES, dtype=DType.UINT8)
    # The index buffer runs along with L0B: the place of dst there says where these bytes go.
    shift = ctx.address("dst") // FRACTAL_BYTES * _INDEX_FRACTAL_BYTES * 8
    old = int(ctx.state.more.get(SPARSE_INDEX, 0))
    clear = ((1 << (length * 8)) - 1) << shift
    ctx.state.more[SPARSE_INDEX] = (old & ~clear) | int.from_bytes(raw.tobytes(), "little") << shift


@full("init_const_value")
def init_const_value(ctx: OpContext) -> None:
    """Fill runs of `block_num` units with a number: units of 32 bytes in L1, 512 in L0."""
    params = ctx.struct("initConstValueParams")
    dtype = ctx.dtype("dst")
    unit = (BLOCK_BYTES if ctx.memory("dst") is Memory.L1 else FRACTAL_BYTES) // dtype.size_bytes
    run = int(params.get("block_num"))
    value = np.array([params.get("init_value")]).astype(numpy_dtype(dtype))[0]
    for step in range(int(params.get("repeat_times"))):
        start = step * (run + int(params.get("dst_gap"))) * unit
        ctx.write("dst", run * unit, start)[:] = value
