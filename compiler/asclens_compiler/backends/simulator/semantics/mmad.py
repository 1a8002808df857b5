# SPDX-License-Identifier: Apache-2.0
"""Matrix multiplication on the cube core.

The k direction is taken in chunks of 32 bytes; each chunk's inner product is rounded once to
float32 and added to the accumulator in float32 (the vendor's reference adds chunk by chunk; the
order inside a chunk is unspecified). Integer products accumulate in int32 and wrap around.
Source: vendor page Mmad and its reference script; CCE guide, mad.
"""

from __future__ import annotations

import numpy as np

from asclens_compiler.backends.simulator.semantics.api import Array, Index, OpContext, Struct, VectorState, full
from asclens_compiler.backends.simulator.semantics.fractal import (
    SIDE,
    ceil_div,
    chunk_elems,
    nz_index,
    zn_index,
    zz_index,
)
from asclens_compiler.backends.simulator.semantics.kernels import view_as
from asclens_compiler.hardware.pipes import Memory

HF32_MODE = "hf32_mode"
HF32_TOWARD_ZERO = "hf32_trans_mode"
SPARSE_INDEX = "sparse_index"  # state.more: the index bytes of the last sparse load, as one number
_HF32_DROPPED_BITS = 12  # 11 of 23 mantissa bits are kept; unspecified for these chips


@full("mmad")
def mmad(ctx: OpContext) -> None:
    """Compute C = A * B, or C += A * B when the params keep the accumulator."""
    params = ctx.struct("mmadParams")
    keep = bool(params.get("is_bias", False)) or not params.get("cmatrix_init_val", True)
    _multiply(ctx, params, keep=keep)


@full("mmad_with_bias")
def mmad_with_bias(ctx: OpContext) -> None:
    """Compute C = A * B + bias: a row in the bias table, or a matrix like C in L0C."""
    params = ctx.struct("mmadParams")
    m, n = int(params.get("m")), int(params.get("n"))
    if ctx.memory("bias") is Memory.L0C:
        start = ctx.gather("bias", _accumulator_index(m, n))
    else:
        start = np.broadcast_to(ctx.read("bias", n), (m, n))
    _multiply(ctx, params, keep=False, start=start)


def _accumulator_index(m: int, n: int) -> Index:
    return nz_index(m, n, ceil_div(m, SIDE) * SIDE * SIDE)


def _multiply(ctx: OpContext, params: Struct, *, keep: bool, start: Array | None = None) -> None:
    m, n, k = (int(params.get(name)) for name in "mnk")
    if not m or not n or not k:
        return
    chunk = chunk_elems(ctx.dtype("fm").size_bytes)
    # With one row A is a plain vector (GEMV).
    left = np.reshape(ctx.read("fm", k), (1, k)) if m == 1 else _load(ctx, "fm", zz_index(m, k, chunk), SIDE, chunk)
    right = _load(ctx, "filter", zn_index(k, n, chunk), chunk, SIDE)
    into = _accumulator_index(m, n)
    if keep:
        start = ctx.gather("dst", into)
    ctx.scatter("dst", into, accumulate(left, right, start, chunk, ctx.state))


def _load(ctx: OpContext, operand: str, index: Index, rows: int, columns: int) -> Array:
    """Read a matrix; whole fractals in one piece, else only the elements that count."""
    if index.shape[0] % rows or index.shape[1] % columns:
        return ctx.gather(operand, index)
    return ctx.read(operand, index.size)[index]


def accumulate(left: Array, right: Array, start: Array | None, chunk: int, state: VectorState) -> Array:
    """Return start + left * right in float32, or in int32 for integers."""
    if left.dtype.kind in "iu":
        # Every partial sum of 8-bit products is exact in float64.
        product = (left.astype(np.float64) @ right.astype(np.float64)).astype(np.int64).astype(np.int32)
        return product if start is None else start + product
    if left.dtype == np.float32 and state.more.get(HF32_MODE):
        left, right = (round_hf32(side, toward_zero=bool(state.more.get(HF32_TOWARD_ZERO))) for side in (left, right))
    wide_left, wide_right = left.astype(np.float64), right.astype(np.float64)
    shape = (left.shape[0], right.shape[1])
    total = np.zeros(shape, np.float32) if start is None else np.array(start, np.float32)
    for first in range(0, left.shape[1], chunk):
        last = first + chunk
        total += (wide_left[:, first:last] @ wide_right[first:last]).astype(np.float32)
    return total


def round_hf32(values: Array, *, toward_zero: bool) -> Array:
    """Round float32 to the shorter mantissa of HF32: to nearest, ties to even or toward zero."""
    bits: Array = view_as(values, np.uint32).astype(np.int64)
    up: Array = (bits >> _HF32_DROPPED_BITS) & (0 if toward_zero else 1)
    up += (1 << (_HF32_DROPPED_BITS - 1)) - 1
    kept: Array = (bits + up) >> _HF32_DROPPED_BITS << _HF32_DROPPED_BITS
    rounded = view_as(kept.astype(np.uint32), np.float32)
    return np.where(np.isfinite(values), rounded, values)


@full("mmad_with_sparse")
def mmad_with_sparse(ctx: OpContext) -> None:
    """Compute C = A * B where B keeps 2 of every 4 values of k; 2-bit indexes say which.

    The first index of a pair counts from 0, the second from 1 (vendor page LoadDataWithSparse).
    """
    params = ctx.struct("mmadParams")
    m, n, k = (int(params.get(name)) for name in "mnk")
    if not m or not n or not k:
        return
    chunk = chunk_elems(1)
    left = _load(ctx, "fm", zz_index(m, k, chunk), SIDE, chunk)
    dense = _load(ctx, "filter", zn_index(k // 2, n, chunk), chunk, SIDE)
    right = _spread(dense, _sparse_positions(ctx.state, k // 2, n), k)
    start = None if params.get("cmatrix_init_val", True) else ctx.gather("dst", _accumulator_index(m, n))
    ctx.scatter("dst", _accumulator_index(m, n), accumulate(left, right, start, chunk, ctx.state))


def _sparse_positions(state: VectorState, depth: int, columns: int) -> Array:
    """Return the 2-bit index of each dense value, shape (depth, columns)."""
    order = zn_index(depth, columns, chunk_elems(1))
    count = int(order.max()) // 4 + 1
    stored = int(state.more.get(SPARSE_INDEX, 0))
    raw = np.frombuffer(stored.to_bytes(max(count, stored.bit_length() // 8 + 1), "little"), np.uint8)
    return (raw[order // 4] >> (order % 4 * 2).astype(np.uint8)) & np.uint8(3)


def _spread(dense: Array, position: Array, depth: int) -> Array:
    """Return B with zeros where a value was dropped."""
    rows: Array = np.arange(len(dense))[:, None]
    target: Array = rows // 2 * 4 + position + rows % 2
    width = len(dense[0])
    full_b: Array = np.zeros((max(depth, int(np.max(target)) + 1), width), dense.dtype)
    columns: Array = np.broadcast_to(np.arange(width), target.shape)
    # Of two values for one place the first wins: the second is a zero that fills up the pair.
    full_b[target[1::2], columns[1::2]] = dense[1::2]
    full_b[target[0::2], columns[0::2]] = dense[0::2]
    return full_b[:depth]


@full("set_hf32_mode")
def set_hf32_mode(ctx: OpContext) -> None:
    """Switch rounding of float32 inputs of matrix products on or off."""
    ctx.state.more[HF32_MODE] = int(bool(ctx.scalar("mode")))


@full("set_hf32_trans_mode")
def set_hf32_trans_mode(ctx: OpContext) -> None:
    """Choose how HF32 rounds ties: 1 toward zero, 0 to even."""
    ctx.state.more[HF32_TOWARD_ZERO] = int(bool(ctx.scalar("trans_mode")))


@full("set_mm_layout_transform")
def set_mm_layout_transform(_ctx: OpContext) -> None:
    """Choose the loop order of mmad; results do not depend on it."""
