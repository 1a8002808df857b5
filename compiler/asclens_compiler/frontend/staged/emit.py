# SPDX-License-Identifier: Apache-2.0
"""Ops that staged operations become: allocation, vector calls, casts, masks, all on whole tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from asclens_compiler.ascir.types import LocalType
from asclens_compiler.frontend.staged.extents import Shape, capacity_of, count_value, sizes_of
from asclens_compiler.hardware.chips import DATA_BLOCK_BYTES, REPEAT_BYTES
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Position
from asclens_compiler.opset.casts import cast_modes
from asclens_compiler.opset.registry import opset

if TYPE_CHECKING:
    from asclens_compiler.ascir.values import IRValue
    from asclens_compiler.frontend.context import Context
    from asclens_compiler.source.span import Span

# Preference among legal round modes: exact, then to nearest; to integers as Python's `int`.
_WIDENING = ("CAST_NONE", "CAST_RINT")
_TO_INTEGER = ("CAST_TRUNC", "CAST_NONE", "CAST_RINT")


def allocate(ctx: Context, dtype: DType, shape: Shape | None, span: Span, name: str = "") -> IRValue:
    """Declare a tensor in UB that the compiler places; unknown sizes stay unknown."""
    kind = LocalType(dtype, Position.VECCALC, capacity_of(shape))
    names = (name,) if name else ()
    return ctx.builder.op("local_tensor_auto", [[]], results=[kind], span=span, names=names)[0]


def int32(ctx: Context, number: int, span: Span) -> IRValue:
    """Return an int32 literal."""
    return ctx.builder.constant(number, DType.INT32, span)


def supports(op: str, operand: str, dtype: DType) -> bool:
    """Tell whether an op takes an element type for one of its operands; an unknown type passes."""
    row = opset().ops[op]
    allowed = row.operands[row.operand_index(operand)].dtypes
    return dtype is DType.UNKNOWN or not allowed or dtype in allowed


def allowed_dtypes(op: str, operand: str) -> tuple[str, ...]:
    """Return the names of the element types that an op takes."""
    row = opset().ops[op]
    return tuple(sorted(dtype.value for dtype in row.operands[row.operand_index(operand)].dtypes))


def vector(ctx: Context, op: str, operands: Sequence[IRValue], span: Span, **attrs: object) -> None:
    """Create a vector call in count form."""
    names = {attr.name for attr in opset().ops[op].attrs}
    given = {"isSetMask": True} if "isSetMask" in names else {}
    ctx.builder.op(op, list(operands), attrs=given | attrs, span=span)


def reinterpret(ctx: Context, tensor: IRValue, dtype: DType, span: Span) -> IRValue:
    """Return the same bytes as another element type."""
    kind = tensor.type
    assert isinstance(kind, LocalType)
    if kind.dtype is dtype:
        return tensor
    shape = None
    if kind.shape is not None and kind.dtype.bits and dtype.bits:
        total = kind.dtype.bits
        for extent in kind.shape:
            total *= extent
        shape = (-(-total // dtype.bits),)
    result = LocalType(dtype, kind.position, shape)
    return ctx.builder.op("reinterpret_cast", [tensor], attrs={"dtype": dtype}, results=[result], span=span)[0]


def part(ctx: Context, tensor: IRValue, index: IRValue, span: Span) -> IRValue:
    """Return a local tensor from an element on."""
    kind = tensor.type
    assert isinstance(kind, LocalType)
    wide = ctx.builder.cast(index, DType.INT64, span)
    return ctx.builder.op(
        "local_tensor_subindex", [tensor, wide], results=[LocalType(kind.dtype, kind.position)], span=span
    )[0]


def halves(ctx: Context, tensor: IRValue, shape: Shape | None, dtype: DType, span: Span) -> tuple[IRValue, IRValue]:
    """Return a tensor as uint16 elements, and how many of them hold its elements."""
    view = reinterpret(ctx, tensor, DType.UINT16, span)
    sizes = sizes_of(shape)
    if sizes is not None and dtype is not DType.UNKNOWN:
        total = dtype.bits
        for size in sizes:
            total *= size
        return view, int32(ctx, -(-total // 16), span)
    count = count_value(ctx, shape, span)
    if dtype.bits > 16:
        count = ctx.builder.arith("muli", [count, int32(ctx, dtype.bits // 16, span)], DType.INT32, span)
    return view, count


def copy_local(ctx: Context, target: IRValue, source: IRValue, shape: Shape | None, dtype: DType, span: Span) -> None:
    """Copy a tensor inside UB, bit for bit, with the vector unit."""
    out, count = halves(ctx, target, shape, dtype, span)
    value, _ = halves(ctx, source, shape, dtype, span)
    vector(ctx, "or_l2", [out, value, value, count], span)


def cast_path(source: DType, target: DType) -> tuple[DType, ...] | None:
    """Return the types a conversion goes through, the target last; None when there is no way."""
    if source is target:
        return ()
    paths: list[tuple[DType, ...]] = [(source,)]
    seen = {source}
    while paths:
        path = paths.pop(0)
        following = [pair[1] for pair in cast_modes() if pair[0] is path[-1] and pair[1] not in seen]
        # Of equally long ways the one through the wider type loses less.
        for dtype in sorted(following, key=lambda item: -item.bits):
            if (path[-1], dtype) == (DType.INT32, DType.FLOAT16):
                continue  # ignores the round mode and needs a scale register
            if dtype is target:
                return (*path[1:], dtype)
            seen.add(dtype)
            paths.append((*path, dtype))
    return None


def round_mode(source: DType, target: DType) -> str:
    """Return the round mode of one conversion step: truncation to integers, else to nearest even."""
    legal = cast_modes()[source, target]
    wanted = _TO_INTEGER if source.is_float and target.is_int else _WIDENING
    return next((mode for mode in wanted if mode in legal), min(legal))


def convert(ctx: Context, tensor: IRValue, shape: Shape | None, source: DType, target: DType, span: Span) -> IRValue:
    """Return a converted copy; the conversion must exist."""
    for dtype in cast_path(source, target) or ():
        out = allocate(ctx, dtype, shape, span)
        mode = round_mode(source, dtype)
        vector(ctx, "cast_l2", [out, tensor, count_value(ctx, shape, span)], span, roundMode=mode)
        tensor, source = out, dtype
    return tensor


def repeat_elems(dtype: DType) -> int:
    """Return the elements of one 256-byte repeat."""
    return REPEAT_BYTES // dtype.size_bytes


def whole_repeats(ctx: Context, shape: Shape | None, dtype: DType, span: Span) -> IRValue:
    """Return the element count rounded up to whole repeats."""
    if dtype is DType.UNKNOWN:
        return count_value(ctx, shape, span)
    unit = repeat_elems(dtype)
    sizes = sizes_of(shape)
    if sizes is not None:
        total = 1
        for size in sizes:
            total *= size
        return int32(ctx, -(-total // unit) * unit, span)
    builder = ctx.builder
    count = count_value(ctx, shape, span)
    more = builder.arith("addi", [count, int32(ctx, unit - 1, span)], DType.INT32, span)
    repeats = builder.arith("divsi", [more, int32(ctx, unit, span)], DType.INT32, span)
    return builder.arith("muli", [repeats, int32(ctx, unit, span)], DType.INT32, span)


def fill_tail(ctx: Context, tensor: IRValue, shape: Shape | None, dtype: DType, span: Span) -> None:
    """Fill what lies between the last element and the end of its repeat, which comparisons read too."""
    if dtype is DType.UNKNOWN:
        return
    unit = repeat_elems(dtype)
    sizes = sizes_of(shape)
    if sizes is None:
        if shape is not None and capacity_of(shape) is not None:
            _fill_run_time_tail(ctx, tensor, shape, dtype, span)
        return
    total = 1
    for size in sizes:
        total *= size
    rest = total % unit
    if rest == 0:
        return
    bits = ((1 << unit) - 1) & ~((1 << rest) - 1)
    words = [ctx.builder.constant((bits >> shift) & 0xFFFF_FFFF_FFFF_FFFF, DType.UINT64, span) for shift in (0, 64)]
    _fill(ctx, part(ctx, tensor, int32(ctx, total - rest, span), span), words, dtype, span)


def _fill(ctx: Context, target: IRValue, words: Sequence[IRValue], dtype: DType, span: Span) -> None:
    numbers = [int32(ctx, number, span) for number in (1, 1, REPEAT_BYTES // DATA_BLOCK_BYTES)]
    zero = ctx.builder.constant(0, dtype, span)
    ctx.builder.op("duplicate_l1", [target, zero, list(words), *numbers], attrs={"isSetMask": True}, span=span)


def _fill_run_time_tail(ctx: Context, tensor: IRValue, shape: Shape, dtype: DType, span: Span) -> None:
    builder, unit = ctx.builder, repeat_elems(dtype)
    count = count_value(ctx, shape, span)
    rest = builder.arith("remsi", [count, int32(ctx, unit, span)], DType.INT32, span)
    some = builder.arith("cmpi", [rest, int32(ctx, 0, span)], DType.INT1, span, "ne")
    branch = builder.branch(some, (), span)
    with branch.then():
        begin = builder.arith("subi", [count, rest], DType.INT32, span)
        wide = builder.cast(rest, DType.INT64, span)
        words = [_mask_word(ctx, wide, first, span) for first in (0, 64)]
        if unit <= 64:
            words[1] = builder.constant(0, DType.INT64, span)
        unsigned = [builder.cast(word, DType.UINT64, span) for word in words]
        _fill(ctx, part(ctx, tensor, begin, span), unsigned, dtype, span)


def _mask_word(ctx: Context, rest: IRValue, first: int, span: Span) -> IRValue:
    """Return the bits of elements `first`..`first + 63` that lie at or behind `rest`."""
    builder = ctx.builder
    zero, all_bits, edge = (builder.constant(number, DType.INT64, span) for number in (0, -1, 64))
    shift = builder.arith("subi", [rest, builder.constant(first, DType.INT64, span)], DType.INT64, span)
    shift = builder.arith("maxsi", [shift, zero], DType.INT64, span)
    inside = builder.arith("cmpi", [shift, edge], DType.INT1, span, "slt")
    safe = builder.arith("minsi", [shift, builder.constant(63, DType.INT64, span)], DType.INT64, span)
    return builder.select(inside, builder.arith("shli", [all_bits, safe], DType.INT64, span), zero, span)
