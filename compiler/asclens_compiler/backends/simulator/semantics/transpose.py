# SPDX-License-Identifier: Apache-2.0
"""Transposes in the unified buffer.

Sources: vendor pages Transpose and TransDataTo5HD; CCE guide, vtranspose.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, cast

import numpy as np

from asclens_compiler.backends.simulator.semantics.api import Array, OpContext, full
from asclens_compiler.backends.simulator.semantics.blocks import BLOCK_BYTES
from asclens_compiler.backends.simulator.semantics.enums import member
from asclens_compiler.hardware.dtypes import DType

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
def trans_data_to_5hd_tensors(ctx: OpContext) -> None:
    """Transpose 16 source blocks per iteration into 16 destination blocks, given as tensors."""
    _five_hd(ctx, ctx.tensors("dstList"), ctx.tensors("srcList"))


@full("trans_data_to_5hd_uint_list")
def trans_data_to_5hd_addresses(ctx: OpContext) -> None:
    """Transpose blocks given by the addresses of tensors."""
    _five_hd(ctx, _at(ctx, ctx.scalars("dstList")), _at(ctx, ctx.scalars("srcList")))


@full("trans_data_to_5hd")
def trans_data_to_5hd_table(ctx: OpContext) -> None:
    """Transpose blocks whose addresses lie one after another in two tensors of uint64."""
    tables = (ctx.read(name, _SIDE, dtype=DType.UINT64).tolist() for name in ("dst", "src"))
    targets, sources = (_at(ctx, table) for table in tables)
    _five_hd(ctx, targets, sources)


class _Addressable(Protocol):
    def at(self, address: int) -> str:
        """Return an operand name for the tensor that `get_phy_addr` gave this address for."""
        ...


def _at(ctx: OpContext, addresses: Iterable[Any]) -> tuple[str, ...]:
    return tuple(cast(_Addressable, ctx).at(int(address)) for address in addresses)


def _five_hd(ctx: OpContext, targets: tuple[str, ...], sources: tuple[str, ...]) -> None:
    """Transpose: 16-bit elements dst[e][k] = src[k][e].

    32-bit: the 8 columns of 16 elements fill dst blocks 2e and 2e + 1. 8-bit: a 16 x 16 transpose
    between the halves of the blocks that the params choose; the other halves of dst keep their
    bytes. With one iteration both strides shift the start (vendor page).
    """
    params = ctx.struct("params")
    repeat = int(params.get("repeat_times"))
    size = ctx.dtype(targets[0]).size_bytes
    lanes = BLOCK_BYTES // size
    width = min(lanes, _SIDE)
    high = [_SIDE if size == 1 and params.get(f"{side}_high_half") else 0 for side in ("src", "dst")]
    for step in range(repeat):
        jump = (step if repeat > 1 else 1) * lanes
        source = jump * int(params.get("src_rep_stride")) + high[0]
        target = jump * int(params.get("dst_rep_stride")) + high[1]
        matrix = np.stack([ctx.read(name, width, source) for name in sources])
        for row, values in enumerate(_five_hd_rows(matrix, size)):
            ctx.write(targets[row], width, target)[:] = values


def _five_hd_rows(matrix: Array, size: int) -> Array:
    """Return the 16 destination rows of a (16, width) source matrix."""
    if size == 4:
        return np.reshape(np.copy(np.transpose(matrix)), (_SIDE, -1))
    return np.copy(np.transpose(matrix))
