# SPDX-License-Identifier: Apache-2.0
"""Copies between memories: by count, by bursts, and with padding.

Sources: vendor pages DataCopy and DataCopyPad; CCE guide, copy_gm_to_ubuf and
copy_gm_to_ubuf_align; measured on 910B4: a copy to global memory moves whole 32-byte blocks only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from asclens_compiler.backends.simulator.dtypes import numpy_dtype
from asclens_compiler.backends.simulator.semantics.api import Array, OpContext, Struct, full
from asclens_compiler.backends.simulator.semantics.blocks import BLOCK_BYTES
from asclens_compiler.backends.simulator.semantics.bursts import Bursts, load, save
from asclens_compiler.backends.simulator.semantics.kernels import view_as
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Memory

PAD_VALUE = "pad_value"  # state.more[PAD_VALUE]: what SetPadValue set; absent when never called


@full("data_copy")
def data_copy(ctx: OpContext) -> None:
    """Copy `calCount` elements rounded down to whole 32-byte blocks, or bursts as the params say."""
    if not ctx.has("calCount"):
        data_copy_params(ctx)
        return
    block = BLOCK_BYTES // ctx.dtype("dst").size_bytes
    count = int(ctx.scalar("calCount")) // block * block
    if not count:
        return
    values = ctx.read("src", count)
    if ctx.memory("dst") is Memory.GM:
        ctx.store("dst", values)
    else:
        ctx.write("dst", count)[:] = values


@full("data_copy_enhanced")
def data_copy_params(ctx: OpContext) -> None:
    """Copy `block_count` bursts of `block_len` blocks; strides are gaps from tail to head.

    Units are 32 bytes; into the bias table 64 bytes of dst and into the fixpipe buffer 128 bytes
    with head-to-head strides. float16 and float32 sources become float32 in the bias table.
    """
    params = ctx.struct("repeatParams" if ctx.has("repeatParams") else "intriParams")
    count, length = int(params.get("block_count")), int(params.get("block_len"))
    if not count or not length:
        return
    source_gap, target_gap = int(params.get("src_stride")), int(params.get("dst_stride"))
    target = ctx.memory("dst")
    size = ctx.dtype("dst").size_bytes
    if target is Memory.FB:
        unit = 128 // size
        save(
            ctx,
            "dst",
            load(ctx, "src", Bursts(count, length * unit, source_gap * unit)),
            Bursts(count, length * unit, target_gap * unit),
        )
        return
    if target is Memory.BT:
        _copy_to_bias_table(ctx, count, length, source_gap, target_gap)
        return
    unit = BLOCK_BYTES // size
    values = load(ctx, "src", Bursts(count, length * unit, (length + source_gap) * unit))
    save(ctx, "dst", values, Bursts(count, length * unit, (length + target_gap) * unit))


def _copy_to_bias_table(ctx: OpContext, count: int, length: int, source_gap: int, target_gap: int) -> None:
    target_unit = 64 // ctx.dtype("dst").size_bytes
    elems = length * target_unit
    source_block = BLOCK_BYTES // ctx.dtype("src").size_bytes
    values = load(ctx, "src", Bursts(count, elems, elems + source_gap * source_block))
    converted = values.astype(numpy_dtype(ctx.dtype("dst")))
    save(ctx, "dst", converted, Bursts(count, elems, (length + target_gap) * target_unit))


@full("data_copy_pad")
def data_copy_pad(ctx: OpContext) -> None:
    """Copy bursts of `block_len` bytes between global memory and UB.

    UB bursts start at 32-byte boundaries with gaps in blocks; gaps in global memory are bytes.
    Into UB: padding elements and what is left of the last block take the padding value when
    `is_pad` holds, else the value of SetPadValue, else they are unspecified (poison). With no
    padding elements the block is filled up with the value of SetPadValue when one was set and
    `is_pad` is off, else with the burst's first element.
    """
    params = ctx.struct("dataCopyParams")
    if ctx.memory("src") is Memory.GM:
        _pad_in(ctx, params, _padding(ctx))
    else:
        _pad_out(ctx, params)


def _pad_out(ctx: OpContext, params: Struct) -> None:
    size = ctx.dtype("dst").size_bytes
    count, length = int(params.get("block_count")), int(params.get("block_len")) // size
    if not count or not length:
        return
    block = BLOCK_BYTES // size
    step = (-(-length // block) + int(params.get("src_stride"))) * block
    values = load(ctx, "src", Bursts(count, length, step))
    _save_bytes(ctx, values, length * size + int(params.get("dst_stride")))


def _save_bytes(ctx: OpContext, values: Array, step_bytes: int) -> None:
    """Write bursts to global memory at a byte stride that need not be whole elements."""
    count, length = values.shape
    if step_bytes % values.dtype.itemsize == 0:
        save(ctx, "dst", values, Bursts(count, length, step_bytes // values.dtype.itemsize))
        return
    row_bytes = length * values.dtype.itemsize
    raw = np.reshape(view_as(np.ravel(values), np.uint8), (count, row_bytes))
    ctx.scatter("dst", Bursts(count, row_bytes, step_bytes).index(), raw, dtype=DType.UINT8)


@dataclass(frozen=True, slots=True)
class Padding:
    """Elements added left and right of each burst; `value` None means the first element."""

    left: int = 0
    right: int = 0
    value: Any = None


def _padding(ctx: OpContext) -> Padding:
    dtype = numpy_dtype(ctx.dtype("dst"))
    register = ctx.state.more.get(PAD_VALUE)
    preset = None if register is None else np.array([register]).astype(dtype)[0]
    if not ctx.has("padParams"):
        return Padding(value=preset)
    pads = ctx.struct("padParams")
    left, right = int(pads.get("left_padding")), int(pads.get("right_padding"))
    if not left and not right:
        return Padding(value=None if pads.get("is_pad") else preset)
    if pads.get("is_pad"):
        return Padding(left, right, _pad_scalar(pads, dtype))
    return Padding(left, right, _poison(dtype) if preset is None else preset)


def _pad_scalar(pads: Struct, dtype: np.dtype[Any]) -> Any:
    """Return the padding value: a number of the element type, or raw bits in the plain struct."""
    value = pads.get("padding_value")
    if pads.name == "DataCopyPadParams":
        raw = (int(value) & (1 << 64) - 1).to_bytes(8, "little")[: dtype.itemsize]
        return np.frombuffer(raw, dtype)[0]
    return np.array([value]).astype(dtype)[0]


def _pad_in(ctx: OpContext, params: Struct, pad: Padding) -> None:
    dtype = ctx.dtype("dst")
    size = dtype.size_bytes
    count, length = int(params.get("block_count")), int(params.get("block_len")) // size
    if not count or not length:
        return
    values = load_bytes(ctx, count, length, length * size + int(params.get("src_stride")))
    block = BLOCK_BYTES // size
    width = -(-(pad.left + length + pad.right) // block) * block
    padded: Array = np.empty((count, width), values.dtype)
    padded[:] = values[:, :1] if pad.value is None else pad.value
    padded[:, pad.left : pad.left + length] = values
    save(ctx, "dst", padded, Bursts(count, width, width + int(params.get("dst_stride")) * block))


def _poison(dtype: np.dtype[Any]) -> Any:
    return np.frombuffer(b"\xff" * dtype.itemsize, dtype)[0]


def load_bytes(ctx: OpContext, count: int, length: int, step_bytes: int) -> Array:
    """Read bursts from global memory at a byte stride that need not be whole elements."""
    dtype = numpy_dtype(ctx.dtype("src"))
    if step_bytes % dtype.itemsize == 0:
        return load(ctx, "src", Bursts(count, length, step_bytes // dtype.itemsize))
    raw = load(ctx, "src", Bursts(count, length * dtype.itemsize, step_bytes), dtype=DType.UINT8)
    return np.reshape(view_as(np.ravel(raw), dtype), (count, length))


@full("set_pad_value")
def set_pad_value(ctx: OpContext) -> None:
    """Set what later padding copies without a value of their own fill up with."""
    ctx.state.more[PAD_VALUE] = ctx.scalar("paddingValue")
