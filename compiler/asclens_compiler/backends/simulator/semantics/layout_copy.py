# SPDX-License-Identifier: Apache-2.0
"""Copies that change the layout of matrices, and copies of slices.

Sources: vendor pages DataCopy (ND2NZ, NZ2ND, slice) and DataCopyPad to L1; CCE guide,
copy_gm_to_cbuf_multi_nd2nz.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from asclens_compiler.backends.simulator.semantics.api import Array, Index, OpContext, Struct, full
from asclens_compiler.backends.simulator.semantics.blocks import BLOCK_BYTES
from asclens_compiler.backends.simulator.semantics.bursts import Bursts, load
from asclens_compiler.backends.simulator.semantics.data_copy import load_bytes
from asclens_compiler.hardware.pipes import Memory

_NZ_WIDTH = 16


@full("data_copy_nd2nz")
def data_copy_nd2nz(ctx: OpContext) -> None:
    """Copy row-major matrices into columns of 32-byte chunks (NZ), the last chunk zero-padded.

    Row r, chunk k of matrix i goes to i * dst_nz_matrix_stride elements + r * dst_nz_n_stride
    blocks + k * dst_nz_c0_stride blocks.
    """
    params = ctx.struct("intriParams")
    matrices, rows, columns = (int(params.get(name)) for name in ("nd_num", "n_value", "d_value"))
    if not matrices or not rows or not columns:
        return
    source = np.arange(rows)[:, None] * int(params.get("src_d_value")) + np.arange(columns)
    for matrix in range(matrices):
        values = ctx.gather("src", source + matrix * int(params.get("src_nd_matrix_stride")))
        _place_nz(ctx, params, values, matrix * int(params.get("dst_nz_matrix_stride")))


def _place_nz(ctx: OpContext, params: Struct, values: Array, start: int) -> None:
    """Write a row-major matrix as NZ columns of 32-byte chunks."""
    rows, columns = len(values), len(values[0])
    chunk = BLOCK_BYTES // values.dtype.itemsize
    chunks = -(-columns // chunk)
    row: Array = np.arange(rows)[:, None]
    target: Array = row * int(params.get("dst_nz_n_stride")) + np.arange(chunks) * int(params.get("dst_nz_c0_stride"))
    into: Array = target[..., None] * chunk + np.arange(chunk) + start
    padded = np.zeros((rows, chunks * chunk), values.dtype)
    padded[:, :columns] = values
    ctx.scatter("dst", into, np.reshape(padded, into.shape))


@full("data_copy_pad_nd2nz")
def data_copy_pad_nd2nz(ctx: OpContext) -> None:
    """Copy bursts of bytes row by row and arrange the rows as NZ columns.

    Bursts (from global memory at a byte stride, from UB at block boundaries) form a row-major matrix
    of `n_value` rows of `d_value` elements, which the nd2nz params then place in `dst`.
    """
    params, layout = ctx.struct("dataCopyParams"), ctx.struct("nd2nzParams")
    size = ctx.dtype("dst").size_bytes
    count, length = int(params.get("block_count")), int(params.get("block_len")) // size
    if not count or not length:
        return
    if ctx.memory("src") is Memory.GM:
        rows = load_bytes(ctx, count, length, length * size + int(params.get("src_stride")))
    else:
        block = BLOCK_BYTES // size
        rows = load(ctx, "src", Bursts(count, length, (-(-length // block) + int(params.get("src_stride"))) * block))
    flat = np.ravel(rows)
    n, d, pitch = (int(layout.get(name)) for name in ("n_value", "d_value", "src_d_value"))
    source = np.arange(n)[:, None] * pitch + np.arange(d)
    _place_nz(ctx, layout, flat[np.minimum(source, len(flat) - 1)], 0)


@full("data_copy_nz2nd")
def data_copy_nz2nd(ctx: OpContext) -> None:
    """Copy matrices from columns 16 elements wide (NZ) to row-major rows.

    Row r, column c of matrix i comes from i * src_nd_matrix_stride * 256 + c // 16 *
    src_n_stride * 16 + r * 16 + c % 16.
    """
    params = ctx.struct("intriParams")
    matrices, rows, columns = (int(params.get(name)) for name in ("nd_num", "n_value", "d_value"))
    row, column = np.arange(rows)[:, None], np.arange(columns)
    source = column // _NZ_WIDTH * int(params.get("src_n_stride")) * _NZ_WIDTH + row * _NZ_WIDTH + column % _NZ_WIDTH
    target = row * int(params.get("dst_d_stride")) + column
    for matrix in range(matrices):
        values = ctx.gather("src", source + matrix * int(params.get("src_nd_matrix_stride")) * _NZ_WIDTH * _NZ_WIDTH)
        ctx.scatter("dst", target + matrix * int(params.get("dst_nd_matrix_stride")), values)


@full("data_copy_slice")
def data_copy_slice(ctx: OpContext) -> None:
    """Copy the elements that `srcSliceInfo` chooses to the places that `dstSliceInfo` chooses.

    Both run innermost dimension first; a software loop of bursts on the device.
    """
    size = ctx.dtype("dst").size_bytes
    dimensions = int(ctx.scalar("dimValue", 1))
    source, target = (
        slice_index([ctx.struct(name) for name in ctx.tensors(operand)][:dimensions], size)
        for operand in ("srcSliceInfo", "dstSliceInfo")
    )
    count = min(len(source), len(target))
    ctx.scatter("dst", target[:count], ctx.gather("src", source[:count]))


def slice_index(infos: Sequence[Struct], size: int) -> Index:
    """Return the element indexes that slice infos choose, innermost dimension first.

    The first dimension has bursts of burst_len blocks `stride` elements apart; the others single
    rows `stride` rows apart. end_index is inclusive.
    """
    index: Array = np.zeros(1, np.int64)
    pitch = 1
    for dimension, info in enumerate(infos):
        start, end, gap = (int(info.get(name)) for name in ("start_index", "end_index", "stride"))
        burst = int(info.get("burst_len")) * BLOCK_BYTES // size if dimension == 0 else 1
        heads = np.arange(start, end + 1, burst + gap)
        steps = np.ravel(heads[:, None] + np.arange(burst))
        index = np.ravel((steps * pitch)[:, None] + index) if dimension else steps
        pitch *= int(info.get("shape_value"))
    return index
