# SPDX-License-Identifier: Apache-2.0
"""Transposes in the unified buffer.

Sources: vendor pages Transpose and TransDataTo5HD; CCE guide, vtranspose.
"""

from __future__ import annotations

import numpy as np

from asclens_compiler.backends.simulator.semantics.api import Array, OpContext, full
from asclens_compiler.backends.simulator.semantics.blocks import BLOCK_BYTES
from asclens_compiler.backends.simulator.semantics.enums import member

_SIDE = 16


@full("transpose")
def transpose(ctx: OpContext) -> None:
    """Transpose a 16 x 16 matrix of 16-bit elements; src and dst may be the same."""
    _transpose_square(ctx)


def _transpose_square(ctx: OpContext) -> None:
    moved = np.transpose(np.reshape(ctx.read("src", _SIDE * _SIDE), (_SIDE, _SIDE)))
    ctx.write("dst", _SIDE * _SIDE)[:] = np.ravel(np.copy(moved))


@full("transpose_ext")
def transpose_ext(ctx: OpContext) -> None:
    """Transpose as the params say: 16 x 16, NCHW -> NHWC or NHWC -> NCHW; else do nothing."""
    params = ctx.struct("params")
    kind = member("TransposeType", params.get("transpose_type"))
    if kind.endswith("ND2ND_B16"):
        _transpose_square(ctx)
        return
    sizes = tuple(int(params.get(f"{axis}_size")) for axis in "nchw")
    if not all(sizes):
        return
    n, c, h, w = sizes
    if kind.endswith("NCHW2NHWC"):
        shape = (n, c, h * w)
    elif kind.endswith("NHWC2NCHW"):
        shape = (n, h * w, c)
    else:
        return
    count = n * c * h * w
    moved = np.swapaxes(np.reshape(ctx.read("src", count), shape), 1, 2)
    ctx.write("dst", count)[:] = np.ravel(np.copy(moved))


@full("trans_data_to_5hd_tensor_list")
def trans_data_to_5hd(ctx: OpContext) -> None:
    """Transpose 16 source blocks per iteration into 16 destination blocks.

    16-bit: dst[e][k] = src[k][e]. 32-bit: the 8 columns of 16 elements fill dst blocks 2e and
    2e + 1. 8-bit: a 16 x 16 transpose between the halves of the blocks that the params choose; the
    other halves of dst keep their bytes. With one iteration both strides shift the start (vendor).
    """
    params = ctx.struct("params")
    repeat = int(params.get("repeat_times"))
    sources, targets = ctx.tensors("srcList"), ctx.tensors("dstList")
    size = ctx.dtype(targets[0]).size_bytes
    lanes = BLOCK_BYTES // size
    for step in range(repeat):
        jump = step if repeat > 1 else 1
        source = jump * int(params.get("src_rep_stride")) * lanes
        target = jump * int(params.get("dst_rep_stride")) * lanes
        if size == 1:
            source += _SIDE if params.get("src_high_half") else 0
            target += _SIDE if params.get("dst_high_half") else 0
        width = min(lanes, _SIDE)
        matrix = np.stack([ctx.read(name, width, source) for name in sources])
        for row, values in enumerate(_five_hd_rows(matrix, size)):
            ctx.write(targets[row], width, target)[:] = values


def _five_hd_rows(matrix: Array, size: int) -> Array:
    """Return the 16 destination rows of a (16, width) source matrix."""
    if size == 4:
        return np.reshape(np.copy(np.transpose(matrix)), (_SIDE, -1))
    return np.copy(np.transpose(matrix))
