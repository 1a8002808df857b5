# SPDX-License-Identifier: Apache-2.0
"""Comparisons into masks, and what masks are for: conversion to 0 and 1, selection."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from asclens_compiler.ascir.types import LocalType
from asclens_compiler.frontend.rules import staged_operator, staged_shapes
from asclens_compiler.frontend.staged.emit import (
    allocate,
    cast_path,
    convert,
    fill_tail,
    int32,
    reinterpret,
    vector,
    whole_repeats,
)
from asclens_compiler.frontend.staged.extents import Shape, capacity_of, count_value, may_agree, shape_text, sizes_of
from asclens_compiler.frontend.staged.operands import agree, is_scalar, require_local, scalar_operand
from asclens_compiler.frontend.staged.tensors import LocalTensor, MaskTensor, StagedTensor
from asclens_compiler.frontend.values import POISON, KernelValue, Operator
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Position

if TYPE_CHECKING:
    from asclens_compiler.ascir.values import IRValue
    from asclens_compiler.frontend.context import Context
    from asclens_compiler.source.span import Span

_MODES = {Operator.LT: "LT", Operator.GT: "GT", Operator.EQ: "EQ", Operator.LE: "LE", Operator.GE: "GE",
          Operator.NE: "NE"}  # fmt: skip
_DIRECT = frozenset({DType.FLOAT16, DType.FLOAT32, DType.INT32, DType.UNKNOWN})
# Exact wider types in which narrow ones are compared, and types whose bits select moves for others.
_COMPARED_AS = {DType.BFLOAT16: DType.FLOAT32, DType.INT16: DType.FLOAT32, DType.INT8: DType.FLOAT16,
                DType.UINT8: DType.FLOAT16}  # fmt: skip
_SELECTED_AS = {2: DType.FLOAT16, 4: DType.FLOAT32}
# int32 knows equality only: `a >= b` is `max(a, b) == a`, and so on; the last column inverts the result.
_INT32 = {
    Operator.EQ: ("", False), Operator.NE: ("", True), Operator.GE: ("max_l2", False), Operator.LT: ("max_l2", True),
    Operator.LE: ("min_l2", False), Operator.GT: ("min_l2", True),
}  # fmt: skip
_MASK_UNIT_BITS = 128  # a repeat of 16-bit elements gives 16 bytes


def allocate_mask(ctx: Context, shape: Shape | None, span: Span) -> IRValue:
    """Declare a mask: bits in bytes, in whole repeats."""
    capacity = capacity_of(shape)
    size = None if capacity is None else (-(-prod(capacity) // _MASK_UNIT_BITS) * _MASK_UNIT_BITS // 8,)
    kind = LocalType(DType.UINT8, Position.VECCALC, size)
    return ctx.builder.op("local_tensor_auto", [[]], results=[kind], span=span)[0]


def mask_words(ctx: Context, shape: Shape | None, span: Span) -> IRValue:
    """Return how many 16-bit words hold the bits of a mask."""
    sizes = sizes_of(shape)
    if sizes is not None:
        return int32(ctx, -(-prod(sizes) // 16), span)
    builder = ctx.builder
    more = builder.arith("addi", [count_value(ctx, shape, span), int32(ctx, 15, span)], DType.INT32, span)
    return builder.arith("divsi", [more, int32(ctx, 16, span)], DType.INT32, span)


def beside_unknown(ctx: Context, op: Operator, tensor: LocalTensor, span: Span) -> KernelValue:
    """Return a mask for `tensor op unknown`: the rules see its operation, and nothing can run it."""
    ctx.incomplete = True
    out = allocate_mask(ctx, tensor.shape, span)
    operands = [out, tensor.handle, tensor.handle, count_value(ctx, tensor.shape, span)]
    vector(ctx, "compare_l2", operands, span, cmpMode=_MODES[op])
    return MaskTensor(out, tensor.dtype, tensor.shape)


def compare(ctx: Context, op: Operator, left: StagedTensor, right: KernelValue, span: Span) -> KernelValue | None:
    """Return the mask of `left op right`; the right side may be a number."""
    if not isinstance(right, StagedTensor) and not is_scalar(right):
        return None
    first = require_local(ctx, op.value, left, span)
    if first is None:
        return POISON
    dtype, shape = first.dtype, first.shape
    second: LocalTensor | None = None
    scalar: IRValue | None = None
    if isinstance(right, StagedTensor):
        second = require_local(ctx, op.value, right, span)
        common = agree(ctx, op.value, first, second, span) if second is not None else None
        if second is None or common is None:
            return POISON
        dtype, shape = common
    else:
        scalar = scalar_operand(ctx, right, dtype, span)
        if scalar is None:
            return POISON
    if dtype in _DIRECT:
        return _masked(ctx, op, (first.handle, second.handle if second else None, scalar), dtype, shape, span)
    wider = _COMPARED_AS.get(dtype)
    if wider is None:
        instead = "Convert with `.to(dtype=DataType.FLOAT32)` or another type first."
        return ctx.fail(
            staged_operator.RULE.report(span, operation=op.value, operands=f"{dtype.value} tensors", instead=instead)
        )
    one = convert(ctx, first.handle, shape, dtype, wider, span)
    two = convert(ctx, second.handle, shape, dtype, wider, span) if second is not None else None
    number = ctx.builder.cast(scalar, wider, span) if scalar is not None else None
    return _masked(ctx, op, (one, two, number), wider, shape, span)


def _masked(
    ctx: Context,
    op: Operator,
    sides: tuple[IRValue, IRValue | None, IRValue | None],
    dtype: DType,
    shape: Shape | None,
    span: Span,
) -> MaskTensor:
    left, right, scalar = sides
    invert = False
    if dtype is DType.INT32:
        left, right, scalar = _as_equality(ctx, op, sides, shape, span)
        op, invert = Operator.EQ, _INT32[op][1]
    fill_tail(ctx, left, shape, dtype, span)
    if right is not None:
        fill_tail(ctx, right, shape, dtype, span)
    out = allocate_mask(ctx, shape, span)
    count = whole_repeats(ctx, shape, dtype, span)
    if right is not None:
        vector(ctx, "compare_l2", [out, left, right, count], span, cmpMode=_MODES[op])
    elif scalar is not None:
        vector(ctx, "compare_scalar_l2", [out, left, scalar, count], span, cmpMode=_MODES[op])
    mask = MaskTensor(out, dtype, shape)
    if not invert:
        return mask
    inverted = allocate_mask(ctx, shape, span)
    views = [reinterpret(ctx, item, DType.UINT16, span) for item in (inverted, out)]
    vector(ctx, "not_l2", [*views, mask_words(ctx, shape, span)], span)
    return MaskTensor(inverted, dtype, shape)


def _as_equality(
    ctx: Context, op: Operator, sides: tuple[IRValue, IRValue | None, IRValue | None], shape: Shape | None, span: Span
) -> tuple[IRValue, IRValue | None, IRValue | None]:
    """Return operands whose equality decides the comparison of int32 tensors."""
    left, right, scalar = sides
    choose = _INT32[op][0]
    if not choose:
        return sides
    best = allocate(ctx, DType.INT32, shape, span)
    count = count_value(ctx, shape, span)
    if right is not None:
        vector(ctx, choose, [best, left, right, count], span)
    elif scalar is not None:
        vector(ctx, choose.replace("_l2", "s_l2"), [best, left, scalar, count], span)
    return best, left, None


def mask_to(ctx: Context, mask: MaskTensor, dtype: DType, span: Span) -> KernelValue:
    """Return a tensor of 1 where the mask holds and 0 elsewhere."""
    via = dtype
    if dtype not in (DType.FLOAT16, DType.FLOAT32, DType.UNKNOWN):
        via = DType.FLOAT32 if cast_path(DType.FLOAT32, dtype) is not None and dtype.bits >= 16 else DType.FLOAT16
        if cast_path(via, dtype) is None:
            return ctx.fail(
                staged_operator.RULE.report(
                    span, operation="to", operands=f"a mask and {dtype.value}",
                    instead="Use DataType.FLOAT32, FLOAT16, BFLOAT16, INT32, INT16, INT8 or UINT8.",
                )
            )  # fmt: skip
    count = count_value(ctx, mask.shape, span)
    literal = DType.FLOAT32 if via is DType.UNKNOWN else via
    ones = allocate(ctx, via, mask.shape, span)
    vector(ctx, "duplicate_l2", [ones, ctx.builder.constant(1.0, literal, span), count], span)
    out = allocate(ctx, via, mask.shape, span)
    zero = ctx.builder.constant(0.0, literal, span)
    vector(ctx, "select_scalar_l2", [out, mask.handle, ones, zero, count], span, selMode="VSEL_TENSOR_SCALAR_MODE")
    handle = convert(ctx, out, mask.shape, via, dtype, span) if via is not dtype else out
    return LocalTensor(handle, dtype, mask.shape, depth=ctx.blocks)


def select(ctx: Context, mask: KernelValue, yes: KernelValue, no: KernelValue, span: Span) -> KernelValue:
    """Return `yes` where the mask holds, else `no`; one of both may be a number."""
    if not isinstance(mask, MaskTensor):
        instead = "Make a mask by comparing: `select(x > 0, a, b)`."
        return ctx.fail(
            staged_operator.RULE.report(span, operation="select", operands=mask.describe(), instead=instead)
        )
    sides = [item for item in (yes, no) if not is_scalar(item)]
    if not sides:
        return ctx.not_supported("`select` needs a tensor to choose from", span)
    tensors = [require_local(ctx, "select", item, span) for item in sides]
    first = tensors[0]
    if first is None or tensors[-1] is None:
        return POISON
    common = agree(ctx, "select", first, tensors[-1], span)
    if common is None:
        return POISON
    dtype, shape = common
    if not may_agree(mask.shape, shape):
        texts = (shape_text(mask.shape), shape_text(shape))
        return ctx.fail(staged_shapes.RULE.report(span, operation="select", left=texts[0], right=texts[1]))
    moved = dtype if dtype is DType.UNKNOWN else _SELECTED_AS.get(dtype.size_bytes)
    if moved is None:
        instead = "Convert with `.to(dtype=DataType.FLOAT16)` first."
        return ctx.fail(
            staged_operator.RULE.report(span, operation="select", operands=f"{dtype.value} tensors", instead=instead)
        )
    handles = [_side(ctx, item, dtype, shape, span) for item in (yes, no)]
    if handles[0] is None or handles[1] is None:
        return POISON
    out = allocate(ctx, dtype, shape, span)
    views = [reinterpret(ctx, item, moved, span) for item in (out, handles[0], handles[1])]
    operands = [views[0], mask.handle, views[1], views[2], count_value(ctx, shape, span)]
    vector(ctx, "select_l2", operands, span, selMode="VSEL_TENSOR_TENSOR_MODE")
    return LocalTensor(out, dtype, shape, depth=ctx.blocks)


def _side(ctx: Context, value: KernelValue, dtype: DType, shape: Shape | None, span: Span) -> IRValue | None:
    """Return a side of a selection as a tensor; numbers fill one."""
    if isinstance(value, LocalTensor):
        return value.handle
    scalar = scalar_operand(ctx, value, dtype, span)
    if scalar is None:
        return None
    filled = allocate(ctx, dtype, shape, span)
    vector(ctx, "duplicate_l2", [filled, scalar, count_value(ctx, shape, span)], span)
    return filled
