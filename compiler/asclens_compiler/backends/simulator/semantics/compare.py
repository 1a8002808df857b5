# SPDX-License-Identifier: Apache-2.0
"""Compare into packed bits or into CMPMASK, and select by such bits.

Bits are packed least significant first; one iteration gives 256 bytes' worth of elements. Sources:
CCE guide, vcmp / vcmpv / vcmpvs / vsel.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from asclens_compiler.backends.simulator.dtypes import numpy_dtype
from asclens_compiler.backends.simulator.semantics.api import Array, Bits, OpContext, Struct, full
from asclens_compiler.backends.simulator.semantics.blocks import (
    active,
    active_elements,
    elems_per_repeat,
    gather_active,
    reset_mask,
    scatter_active,
    strides_of,
)
from asclens_compiler.backends.simulator.semantics.kernels import view_as
from asclens_compiler.hardware.dtypes import DType

_RELATIONS: dict[str, Any] = {
    "LT": np.less,
    "GT": np.greater,
    "EQ": np.equal,
    "LE": np.less_equal,
    "GE": np.greater_equal,
    "NE": np.not_equal,
}
_CMPMASK_BITS = 128


def pack(bits: Bits) -> Array:
    """Return bits as bytes, least significant bit first."""
    return np.packbits(bits, bitorder="little")


def unpack(values: Array, count: int) -> Bits:
    """Return the first `count` bits of an array of any type."""
    return view_as(np.unpackbits(view_as(values, np.uint8), count=count, bitorder="little"), np.bool_)


@full("compare")
def compare(ctx: OpContext) -> None:
    """Compare `src0` with `src1` element by element and write one bit for each.

    The mask has no effect. The count form compares whole iterations of 256 bytes and leaves out a
    tail. A NaN compares false, except by NE.
    """
    dtype = ctx.dtype("src0")
    if ctx.has("calCount"):
        count = _whole_count(ctx, dtype)
        _store_bits(ctx, _RELATIONS[ctx.attr("cmpMode")](ctx.read("src0", count), ctx.read("src1", count)))
        return
    params = ctx.struct("repeatParams")
    left, right = (_all_elements(ctx, name, params, name) for name in ("src0", "src1"))
    _store_bits(ctx, _RELATIONS[ctx.attr("cmpMode")](left, right))


@full("compare_scalar")
def compare_scalar(ctx: OpContext) -> None:
    """Compare `src0` with a scalar of its type and write one bit for each element, as `compare`."""
    dtype = ctx.dtype("src0")
    scalar = scalar_as(ctx.scalar("src1Scalar"), dtype)
    if ctx.has("calCount"):
        values = ctx.read("src0", _whole_count(ctx, dtype))
    else:
        values = _all_elements(ctx, "src0", ctx.struct("repeatParams"), "src")
    _store_bits(ctx, _RELATIONS[ctx.attr("cmpMode")](values, scalar))


def scalar_as(value: float, dtype: DType) -> Any:
    """Return a scalar operand as a numpy scalar of an element type."""
    return np.array([value]).astype(numpy_dtype(dtype))[0]


def _whole_count(ctx: OpContext, dtype: DType) -> int:
    elems = elems_per_repeat(dtype)
    return int(ctx.scalar("calCount")) // elems * elems


def _all_elements(ctx: OpContext, operand: str, params: Struct, which: str) -> Array:
    """Return every element of all iterations (1-D); the mask has no effect."""
    elems = elems_per_repeat(ctx.dtype(operand))
    area = active_elements((elems,), True, False, elems, int(ctx.scalar("repeatTimes")))
    return gather_active(ctx, operand, area, strides_of(params, which))


def _store_bits(ctx: OpContext, bits: Bits) -> None:
    packed = pack(bits)
    ctx.write("dst", len(packed), dtype=DType.UINT8)[:] = packed


@full("compare_r")
def compare_to_register(ctx: OpContext) -> None:
    """Compare one iteration of `src0` and `src1` into CMPMASK; bits of masked-out elements stay."""
    dtype = ctx.dtype("src0")
    params = ctx.struct("repeatParams")
    area = active(ctx, 1, dtype)
    left, right = (
        gather_active(ctx, name, area, (int(params.get(f"{name}_blk_stride")), 0)) for name in ("src0", "src1")
    )
    state = np.copy(unpack(_mask_bytes(ctx.state.cmp_mask), _CMPMASK_BITS))
    state[: area.elems][area.bits[0]] = _RELATIONS[ctx.attr("cmpMode")](left, right)
    ctx.state.cmp_mask = int.from_bytes(pack(state).tobytes(), "little")


def _mask_bytes(cmp_mask: int) -> Array:
    return np.frombuffer(cmp_mask.to_bytes(_CMPMASK_BITS // 8, "little"), np.uint8)


@full("get_cmp_mask")
def get_cmp_mask(ctx: OpContext) -> None:
    """Write the 16 bytes of CMPMASK to `dst`."""
    ctx.write("dst", _CMPMASK_BITS // 8, dtype=DType.UINT8)[:] = _mask_bytes(ctx.state.cmp_mask)


@full("set_cmp_mask")
def set_cmp_mask(ctx: OpContext) -> None:
    """Load CMPMASK from the first 16 bytes of `src`."""
    ctx.state.cmp_mask = int.from_bytes(ctx.read("src", _CMPMASK_BITS // 8, dtype=DType.UINT8).tobytes(), "little")


@full("select")
def select(ctx: OpContext) -> None:
    """Choose src0 where a mask bit is 1, else src1 (a tensor or a scalar).

    VSEL_CMPMASK_SPR loads 128 bits from `selMask` into CMPMASK and uses the same bits in each
    iteration; the other modes use one bit of `selMask` per element, running through iterations.
    """
    dtype = ctx.dtype("dst")
    if not ctx.has("calCount"):
        _select_repeats(ctx, dtype)
        return
    count = int(ctx.scalar("calCount"))
    elems = elems_per_repeat(dtype)
    bits = _select_bits(ctx, -(-count // elems), elems, count).ravel()[:count]
    src1 = ctx.read("src1", count) if _is_tensor(ctx) else scalar_as(ctx.scalar("src1"), dtype)
    chosen = np.where(bits, ctx.read("src0", count), src1)
    ctx.write("dst", count)[:] = chosen
    reset_mask(ctx.state)


def _is_tensor(ctx: OpContext) -> bool:
    return ctx.attr("selMode") != "VSEL_TENSOR_SCALAR_MODE"


def _select_repeats(ctx: OpContext, dtype: DType) -> None:
    params = ctx.struct("repeatParams")
    area = active(ctx, int(ctx.scalar("repeatTimes")), dtype)
    bits = _select_bits(ctx, area.repeat, area.elems, area.repeat * area.elems)[area.bits]
    src0 = gather_active(ctx, "src0", area, strides_of(params, "src0"))
    if _is_tensor(ctx):
        src1 = gather_active(ctx, "src1", area, strides_of(params, "src1"))
    else:
        src1 = scalar_as(ctx.scalar("src1"), dtype)
    scatter_active(ctx, "dst", area, strides_of(params, "dst"), np.where(bits, src0, src1))


def _select_bits(ctx: OpContext, repeat: int, elems: int, count: int) -> Bits:
    """Return the selection bits of shape (repeat, elems); those past `count` are arbitrary."""
    if ctx.attr("selMode") == "VSEL_CMPMASK_SPR":
        if ctx.has("selMask"):
            raw = ctx.read("selMask", _CMPMASK_BITS // 8, dtype=DType.UINT8)
            ctx.state.cmp_mask = int.from_bytes(raw.tobytes(), "little")
        row = unpack(_mask_bytes(ctx.state.cmp_mask), elems)
        return np.broadcast_to(row, (repeat, elems))
    packed = np.zeros(repeat * elems // 8, np.uint8)
    used = -(-count // 8)
    packed[:used] = ctx.read("selMask", used, dtype=DType.UINT8)
    return np.reshape(unpack(packed, repeat * elems), (repeat, elems))


@full("select_reg")
def select_by_register(ctx: OpContext) -> None:
    """Choose between src0 and src1 by CMPMASK, gated by the mask registers.

    In VSEL_TENSOR_TENSOR_MODE CMPMASK holds the UB address of the bits.
    """
    dtype = ctx.dtype("dst")
    params = ctx.struct("repeatParams")
    area = active(ctx, int(ctx.scalar("repeatTimes")), dtype)
    if ctx.attr("selMode") == "VSEL_CMPMASK_SPR":
        bits = _select_bits(ctx, area.repeat, area.elems, 0)[area.bits]
    else:
        offset = (ctx.state.cmp_mask & 0xFFFF_FFFF) - ctx.address("src0")
        raw = ctx.read("src0", area.repeat * area.elems // 8, offset, dtype=DType.UINT8)
        bits = np.reshape(unpack(raw, area.bits.size), area.bits.shape)[area.bits]
    src0, src1 = (gather_active(ctx, name, area, strides_of(params, name)) for name in ("src0", "src1"))
    scatter_active(ctx, "dst", area, strides_of(params, "dst"), np.where(bits, src0, src1))


@full("select_scalar_reg")
def select_scalar_by_register(ctx: OpContext) -> None:
    """Choose src0 where a bit of `selMask` is 1, else the constant in CMPMASK's low bits."""
    dtype = ctx.dtype("dst")
    params = ctx.struct("repeatParams")
    area = active(ctx, int(ctx.scalar("repeatTimes")), dtype)
    raw = ctx.read("selMask", area.repeat * area.elems // 8, dtype=DType.UINT8)
    bits = np.reshape(unpack(raw, area.bits.size), area.bits.shape)[area.bits]
    constant = view_as(_mask_bytes(ctx.state.cmp_mask), numpy_dtype(dtype))[0]
    src0 = gather_active(ctx, "src0", area, strides_of(params, "src0"))
    scatter_active(ctx, "dst", area, strides_of(params, "dst"), np.where(bits, src0, constant))
