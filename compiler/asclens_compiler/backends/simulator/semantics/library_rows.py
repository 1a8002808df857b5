# SPDX-License-Identifier: Apache-2.0
"""`asc.adv` functions of whole rows: softmax, RMS normalisation, quantisation.

Steps follow the vendor pages SoftMax, RmsNorm and AscendQuant. Sums run in float32: 64 lanes are
added over the row, then their tree; the device's order depends on tiling and is unspecified.
"""

from __future__ import annotations

import math

import numpy as np

from asclens_compiler.backends.simulator.dtypes import numpy_dtype
from asclens_compiler.backends.simulator.semantics.api import Array, OpContext, full
from asclens_compiler.backends.simulator.semantics.blocks import BLOCK_BYTES
from asclens_compiler.backends.simulator.semantics.convert import RoundMode, converter
from asclens_compiler.backends.simulator.semantics.reduce import tree_sum
from asclens_compiler.hardware.dtypes import DType

_LANES = 64
_NZ_WIDTH = 16


def row_sum(rows: Array) -> Array:
    """Return the float32 sum of each row."""
    count, width = rows.shape
    padded = np.zeros((count, -(-width // _LANES) * _LANES), np.float32)
    padded[:, :width] = rows
    lanes = np.zeros((count, _LANES), np.float32)
    for first in range(0, padded.shape[1], _LANES):
        lanes += padded[:, first : first + _LANES]
    return tree_sum(lanes)


def _shape(ctx: OpContext) -> tuple[int, int]:
    """Return rows and row length of a softmax: from the shape info, else the source's shape, else the tiling."""
    shape = [dim for dim in ctx.shape("src") or () if dim]
    tiling = ctx.struct("tiling")
    rows, width = int(tiling.get("src_m") or 0), int(tiling.get("src_k") or 0)
    if len(shape) > 1:
        rows, width = math.prod(shape[:-1]), shape[-1]
    if ctx.has("softmaxShapeInfo"):
        info = ctx.struct("softmaxShapeInfo")
        rows, width = int(info.get("src_m") or rows), int(info.get("src_k") or width)
    return rows, width


def _read_rows(ctx: OpContext, rows: int, width: int, *, nz: bool) -> Array:
    values = ctx.read("src", rows * width).astype(np.float32)
    if not nz:
        return np.reshape(values, (rows, width))
    columns = np.reshape(values, (width // _NZ_WIDTH, rows, _NZ_WIDTH))
    return np.reshape(np.copy(np.transpose(columns, (1, 0, 2))), (rows, width))


def _write_rows(ctx: OpContext, values: Array, *, nz: bool) -> None:
    rows, width = values.shape
    if nz:
        values = np.transpose(np.reshape(values, (rows, width // _NZ_WIDTH, _NZ_WIDTH)), (1, 0, 2))
    ctx.write("dst", rows * width)[:] = np.ravel(np.copy(values))


def _write_blocks(ctx: OpContext, operand: str, values: Array) -> None:
    """Write one value per row, each filling a 32-byte block."""
    lanes = BLOCK_BYTES // ctx.dtype(operand).size_bytes
    ctx.write(operand, len(values) * lanes)[:] = np.repeat(values, lanes)


@full("softmax")
def softmax(ctx: OpContext) -> None:
    """Write exp(x - max) / sum of each row, and its maximum and sum, one 32-byte block each."""
    rows, width = _shape(ctx)
    if not rows or not width:
        return
    nz = bool(ctx.attr("dataFormatNZ", False))
    values = _read_rows(ctx, rows, width, nz=nz)
    top = np.max(values, axis=-1)
    powers = np.exp(values - top[:, None])
    total = row_sum(powers)
    _write_blocks(ctx, "maxTensor", top)
    _write_blocks(ctx, "sumTensor", total)
    _write_rows(ctx, powers / total[:, None], nz=nz)


@full("simple_softmax")
def simple_softmax(ctx: OpContext) -> None:
    """Write exp(x - max) / sum of each row with given maxima and sums (32-byte blocks)."""
    rows, width = _shape(ctx)
    if not rows or not width:
        return
    nz = bool(ctx.attr("dataFormatNZ", False))
    top, total = (
        ctx.read(name, rows * lanes)[::lanes].astype(np.float32)
        for name in ("maxTensor", "sumTensor")
        for lanes in (BLOCK_BYTES // ctx.dtype(name).size_bytes,)
    )
    values = _read_rows(ctx, rows, width, nz=nz)
    _write_rows(ctx, np.exp(values - top[:, None]) / total[:, None], nz=nz)


@full("rmsnorm")
def rmsnorm(ctx: OpContext) -> None:
    """Write x / sqrt(mean(x * x) + epsilon) * gamma for each of b * s rows of h elements."""
    tiling = ctx.struct("tiling")
    rows = int(tiling.get("b_length")) * int(tiling.get("s_length"))
    width = int(tiling.get("h_length"))
    if not rows or not width:
        return
    scale = float(tiling.get("reciprocal_of_h_length") or 1 / (int(tiling.get("original_h_length") or 0) or width))
    values = np.reshape(ctx.read("src", rows * width).astype(np.float32), (rows, width))
    mean = row_sum(values * values) * np.float32(scale) + np.float32(ctx.scalar("epsilon"))
    gamma = ctx.read("gamma", width).astype(np.float32)
    result = values / np.sqrt(mean)[:, None] * gamma
    ctx.write("dst", rows * width)[:] = np.ravel(result)


@full("quant")
def quant(ctx: OpContext) -> None:
    """Write round(src * scale + offset) as int8; computed in float16, rounded to even, saturated."""
    count = int(ctx.scalar("calCount") or 0)
    if not count and ctx.has("config"):
        count = int(ctx.struct("config").get("calc_count") or 0)
    count = count or ctx.size("srcTensor")
    half = np.float16
    values = ctx.read("srcTensor", count).astype(half) * half(ctx.scalar("scale")) + half(ctx.scalar("offset"))
    out = ctx.write("dst", count)
    result: Array = np.empty(count, numpy_dtype(ctx.dtype("dst")))
    converter(DType.FLOAT16, ctx.dtype("dst"), RoundMode.RINT)(values, out=result)
    out[:] = result
