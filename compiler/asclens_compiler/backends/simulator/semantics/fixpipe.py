# SPDX-License-Identifier: Apache-2.0
"""The way out of L0C: conversion, ReLU and layout change on the way to global memory or L1.

Sources: vendor pages Fixpipe, on-the-fly quantisation and its reference scripts, NZ2ND, NZ2NZ,
channel split and merge. Integer results saturate; DEQF16 saturates to +-65504; float32 to float16
overflows to infinity (unspecified).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from asclens_compiler.backends.simulator.dtypes import numpy_dtype
from asclens_compiler.backends.simulator.semantics.api import Array, Index, OpContext, full
from asclens_compiler.backends.simulator.semantics.blocks import BLOCK_BYTES
from asclens_compiler.backends.simulator.semantics.enums import member
from asclens_compiler.backends.simulator.semantics.fractal import SIDE, nd_index, nz_index
from asclens_compiler.backends.simulator.semantics.kernels import clip, view_as
from asclens_compiler.hardware.dtypes import DType

QUANT_SCALAR = "fixpipe_pre_quant"  # state.more: the scalar word of SetFixpipePreQuantFlag
_SCALE_BITS = 0xFFFF_E000  # (1, 8, 10) floats
_HALF_LIMIT = 65504.0
_TO_BYTES = ("QF322B8_PRE", "VQF322B8_PRE", "REQ8", "VREQ8")
_TO_HALF = ("DEQF16", "VDEQF16")


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """What one fixpipe does to each m x n matrix; strides in the units of the params structs."""

    m: int
    n: int
    source_stride: int
    target_stride: int
    row_major: bool
    relu: bool
    split: bool
    mode: str
    words: Array


@full("fixpipe")
def fixpipe(ctx: OpContext) -> None:
    """Move `nd_num` matrices from L0C, row-major or as NZ columns."""
    params, config = ctx.struct("intriParams"), ctx.struct("fixpipeConfig")
    mode = member("QuantModes", params.get("quant_pre"))
    row_major = member("CO2Layout", config.get("layout")) == "ROW_MAJOR"
    n = int(params.get("n_size"))
    move = Move(
        m=int(params.get("m_size")),
        n=n,
        source_stride=int(params.get("src_stride")),
        target_stride=int(params.get("dst_stride")),
        row_major=row_major,
        relu=bool(params.get("relu_en")),
        split=bool(params.get("is_channel_split")),
        mode=mode,
        words=_words(ctx, mode, n, int(params.get("deq_scalar"))),
    )
    count = int(params.get("nd_num")) if row_major else 1
    for matrix in range(count):
        source = matrix * int(params.get("src_nd_stride") or 0) * SIDE * SIDE
        target = matrix * int(params.get("dst_nd_stride") or 0)
        _move(ctx, move, source, target)


def _words(ctx: OpContext, mode: str, n: int, scalar: int) -> Array:
    """Return a quantisation word per column (or one for all)."""
    if not mode.startswith("V"):
        return np.array([scalar & (1 << 64) - 1], np.uint64)
    if ctx.has("cbufWorkspace"):
        return ctx.read("cbufWorkspace", n, dtype=DType.UINT64)
    return np.zeros(n, np.uint64)


@full("data_copy_co12dst")
def data_copy_co12dst(ctx: OpContext) -> None:
    """Move one matrix from L0C by the params of DataCopy; scalar words come from the register."""
    params = ctx.struct("intriParams")
    mode = member("QuantModes", params.get("quant_pre"))
    n = int(params.get("n_size"))
    move = Move(
        m=int(params.get("m_size")),
        n=n,
        source_stride=int(params.get("src_stride")),
        target_stride=int(params.get("dst_stride")),
        row_major=bool(params.get("nz2nd_en")),
        relu=bool(params.get("relu_pre")),
        split=bool(params.get("channel_split")),
        mode=mode,
        words=_words(ctx, mode, n, int(ctx.state.more.get(QUANT_SCALAR, 0))),
    )
    _move(ctx, move, 0, 0)


@full("set_fixpipe_pre_quant_flag")
def set_fixpipe_pre_quant_flag(ctx: OpContext) -> None:
    """Set the scalar quantisation word that copies out of L0C use."""
    ctx.state.more[QUANT_SCALAR] = int(ctx.scalar("config"))


def _move(ctx: OpContext, move: Move, source: int, target: int) -> None:
    if not move.m or not move.n:
        return
    index = nz_index(move.m, move.n, move.source_stride * SIDE)
    values = ctx.gather("src", index + source if source else index)
    dtype = ctx.dtype("dst")
    into = target_index(move, dtype.size_bytes)
    ctx.scatter("dst", into + target if target else into, convert(values, move, dtype))


def target_index(move: Move, size: int) -> Index:
    """Return where each element of an m x n matrix goes, in elements of `size` bytes.

    NZ columns are 16 wide, 8 with channel split; 8-bit results pair up to 32 wide, an odd last
    column staying 16 wide.
    """
    if move.row_major:
        return nd_index(move.m, move.n, move.target_stride)
    step = move.target_stride * BLOCK_BYTES // size
    if move.split:
        return nz_index(move.m, move.n, step, 8)
    if size > 1:
        return nz_index(move.m, move.n, step)
    paired = move.n // (2 * SIDE) * 2 * SIDE
    merged = nz_index(move.m, paired, step, 2 * SIDE)
    rest = nz_index(move.m, move.n - paired, step) + paired // (2 * SIDE) * step
    return np.concatenate((merged, rest), axis=1)


def convert(values: Array, move: Move, dtype: DType) -> Array:
    """Return float32 or int32 results after quantisation and ReLU in the destination type."""
    if move.mode in _TO_BYTES:
        return view_as(np.ascontiguousarray(quantize_bytes(values, move.words, relu=move.relu)), numpy_dtype(dtype))
    if move.mode in _TO_HALF:
        scaled = _scaled(values, move.words, relu=move.relu)
        return clip(scaled, -_HALF_LIMIT, _HALF_LIMIT).astype(np.float16)
    if move.relu:
        values = np.maximum(values, values.dtype.type(0))
    return values.astype(numpy_dtype(dtype))


def _scaled(values: Array, words: Array, *, relu: bool) -> Array:
    """Return values times their scale in float32; negative ones times 0 with ReLU.

    With the mode control bit (36) an integer is shifted right by bits 35:32 plus 1 and saturated
    to 16 bits before.
    """
    scale = view_as((words & np.uint64(_SCALE_BITS)).astype(np.uint32), np.float32)
    if values.dtype.kind == "i":
        shift = ((words >> np.uint64(32)) & np.uint64(0xF)).astype(np.int32) + 1
        shifted = clip(values >> shift, -32768, 32767)
        values = np.where((words >> np.uint64(36)) & np.uint64(1) == 1, shifted, values)
    floats = values.astype(np.float32)
    return np.where((floats < 0) & relu, np.float32(0), floats * scale)


def quantize_bytes(values: Array, words: Array, *, relu: bool) -> Array:
    """Return 8-bit results as bytes: scaled, rounded to even, plus offset, saturated.

    The intermediate saturates to 9 bits; bits 45:37 hold the offset, bit 46 says signed.
    """
    scaled = np.rint(_scaled(values, words, relu=relu))
    scaled[np.isnan(scaled)] = 0
    offset = ((words >> np.uint64(37)) & np.uint64(0x1FF)).astype(np.int32)
    offset -= (offset & 0x100) << 1
    signed = (words >> np.uint64(46)) & np.uint64(1) == 1
    total = clip(scaled, -256, 255).astype(np.int32) + offset
    low: Array = np.where(signed, -128, 0)
    high: Array = np.where(signed, 127, 255)
    return clip(total, low, high).astype(np.uint8)
