# SPDX-License-Identifier: Apache-2.0
"""Parts of GLOBAL tensors, and elements of LOCAL ones."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from asclens_compiler.ascir.types import GlobalType, ScalarType
from asclens_compiler.frontend.rules import staged_slice
from asclens_compiler.frontend.scalars import Scalar
from asclens_compiler.frontend.staged import contents
from asclens_compiler.frontend.staged.extents import UNKNOWN_EXTENT, Extent, Shape, sizes_of
from asclens_compiler.frontend.staged.linear import LinearForms
from asclens_compiler.frontend.staged.operands import require_local, scalar_operand
from asclens_compiler.frontend.staged.symbolic import has_unknowns
from asclens_compiler.frontend.staged.tensors import GlobalTensor, LocalTensor
from asclens_compiler.frontend.static import SequenceValue, SliceValue, StaticValue
from asclens_compiler.frontend.values import POISON, KernelValue
from asclens_compiler.hardware.dtypes import DType

if TYPE_CHECKING:
    from asclens_compiler.ascir.values import IRValue
    from asclens_compiler.frontend.context import Context
    from asclens_compiler.source.span import Span

Bound = int | Scalar


def part(ctx: Context, tensor: GlobalTensor, index: KernelValue, span: Span) -> KernelValue:
    """Return `tensor[a:b]`, whole rows of a 2-D tensor, or `tensor[i]`, one row of a 2-D tensor."""
    if isinstance(index, SequenceValue):
        return ctx.not_supported(
            "a GLOBAL tensor is sliced along its first axis only", span, "Take whole rows: `x[a:b]`."
        )
    if isinstance(index, SliceValue):
        return _slice(ctx, tensor, index, span)
    if tensor.shape is not None and len(tensor.shape) < 2:
        return ctx.not_supported(
            "elements of a GLOBAL tensor cannot be read", span,
            "Copy it into UB with `to_local()` and read the element in a SCALAR stage.",
        )  # fmt: skip
    start = _bound(index)
    if start is None:
        return POISON if index is POISON else ctx.not_supported(
            f"a row is chosen by an integer, not by {index.describe()}", span
        )  # fmt: skip
    if tensor.shape is None:
        return _at(ctx, tensor, start, None, 1, span)
    row = _at(ctx, tensor, start, tensor.shape[1:], _row_elems(tensor.shape), span)
    count = tensor.shape[0].size
    if isinstance(start, int) and count is not None and not 0 <= start < count:
        return _outside(ctx, tensor, start, start + 1, span)
    return row


def _slice(ctx: Context, tensor: GlobalTensor, index: SliceValue, span: Span) -> KernelValue:
    if index.step is not None and not (isinstance(index.step, StaticValue) and index.step.value in (1, None)):
        return ctx.not_supported("slices of GLOBAL tensors have no step", span)
    count = tensor.shape[0].size if tensor.shape is not None else None
    start = _bound(index.start) if index.start is not None else 0
    stop = _bound(index.stop) if index.stop is not None else count
    if start is None or (stop is None and index.stop is not None):
        wrong = index.start if start is None else index.stop
        return POISON if wrong is POISON else ctx.not_supported(
            f"a slice is bounded by integers, not by {wrong.describe() if wrong is not None else 'nothing'}", span
        )  # fmt: skip
    if count is not None:
        start = start + count if isinstance(start, int) and start < 0 else start
        stop = stop + count if isinstance(stop, int) and stop < 0 else stop
    if isinstance(start, int) and isinstance(stop, int) and not 0 <= start <= stop <= _most(count, stop):
        return _outside(ctx, tensor, start, stop, span)
    first = UNKNOWN_EXTENT if stop is None else _length(ctx, start, stop, span)
    shape: Shape | None = None if tensor.shape is None else (first, *tensor.shape[1:])
    if tensor.shape is None and first is not UNKNOWN_EXTENT:
        shape = (first,)
    return _at(ctx, tensor, start, shape, _row_elems(tensor.shape), span)


def _most(count: int | None, stop: int) -> int:
    return stop if count is None else count


def _outside(ctx: Context, tensor: GlobalTensor, start: int, stop: int, span: Span) -> KernelValue:
    shape = tensor.shape or ()
    unit = "rows" if len(shape) > 1 else "elements"
    extent = shape[0].text() if shape else "?"
    return ctx.fail(staged_slice.RULE.report(span, name=tensor.name, start=start, stop=stop, extent=extent, unit=unit))


def _bound(value: KernelValue) -> Bound | None:
    if isinstance(value, StaticValue) and isinstance(value.value, int):
        return int(value.value)
    return value if isinstance(value, Scalar) and not value.dtype.is_float else None


def _length(ctx: Context, start: Bound, stop: Bound, span: Span) -> Extent:
    """Return the length of a slice: a number when the bounds differ by one, else a run-time length."""
    forms = LinearForms(ctx.builder.unit)
    ends = [item.value if isinstance(item, Scalar) else item for item in (start, stop)]
    difference = forms.of(ends[1]).plus(forms.of(ends[0]), -1)
    if not difference.terms:
        return Extent(max(0, difference.constant))
    bound = forms.bound(difference)
    if bound is None and has_unknowns(ctx):
        return UNKNOWN_EXTENT
    values = [_int32(ctx, item, span) for item in (start, stop)]
    length = ctx.builder.arith("subi", [values[1], values[0]], DType.INT32, span)
    return Extent(value=length, bound=bound)


def _int32(ctx: Context, bound: Bound, span: Span) -> IRValue:
    if isinstance(bound, int):
        return ctx.builder.constant(bound, DType.INT32, span)
    return ctx.builder.cast(bound.value, DType.INT32, span)


def _row_elems(shape: Shape | None) -> int | None:
    """Return the elements of one step along the first axis; None when that is not known."""
    if shape is None:
        return 1
    sizes = sizes_of(shape[1:])
    return None if sizes is None else prod(sizes)


def _at(
    ctx: Context, tensor: GlobalTensor, start: Bound, shape: Shape | None, row_elems: int | None, span: Span
) -> KernelValue:
    builder = ctx.builder
    wide = builder.cast(_int32(ctx, start, span), DType.INT64, span)
    if row_elems != 1:
        factor = builder.constant(row_elems if row_elems is not None else 1, DType.INT64, span)
        wide = builder.arith("muli", [wide, factor], DType.INT64, span)
    kind = GlobalType(tensor.dtype, sizes_of(shape))
    handle = builder.op("global_tensor_subindex", [tensor.handle, wide], results=[kind], span=span)[0]
    return GlobalTensor(handle, tensor.dtype, shape, tensor.name)


def element(ctx: Context, tensor: LocalTensor, index: KernelValue, span: Span) -> KernelValue:
    """Read one element with the scalar unit."""
    place = _element_index(ctx, tensor, index, span)
    if place is None or require_local(ctx, "[]", tensor, span) is None:
        return POISON
    kind = ScalarType(tensor.dtype)
    value = ctx.builder.op("local_tensor_get_value", [tensor.handle, place], results=[kind], span=span)[0]
    return Scalar(value, tensor.dtype)


def set_element(ctx: Context, tensor: LocalTensor, index: KernelValue, value: KernelValue, span: Span) -> None:
    """Write one element with the scalar unit."""
    place = _element_index(ctx, tensor, index, span)
    if place is None:
        return
    number = scalar_operand(ctx, value, tensor.dtype, span)
    if number is None:
        if value is not POISON and not isinstance(value, StaticValue | Scalar):
            ctx.not_supported(f"an element is a number, not {value.describe()}", span)
        return
    contents.stored(ctx, tensor.handle)
    ctx.builder.op("local_tensor_set_value", [tensor.handle, place, number], span=span)


def _element_index(ctx: Context, tensor: LocalTensor, index: KernelValue, span: Span) -> IRValue | None:
    """Return the flat index of an element as uint32; report what is no element."""
    if index is POISON:
        return None
    if isinstance(index, SliceValue):
        ctx.not_supported("LOCAL tensors are not sliced", span, "Slice the GLOBAL tensor instead: `x[a:b].to_local()`.")
        return None
    parts = list(index.items() or [index]) if isinstance(index, SequenceValue) else [index]
    sizes = sizes_of(tensor.shape)
    rank = len(tensor.shape) if tensor.shape is not None else len(parts)
    bounds = [_bound(item) for item in parts]
    if len(parts) != rank or any(bound is None for bound in bounds):
        ctx.not_supported(
            f"an element of {tensor.describe()} is chosen by {rank} integer{'s' if rank > 1 else ''}", span
        )
        return None
    for axis, bound in enumerate(bounds):
        if isinstance(bound, int) and sizes is not None and not 0 <= bound < sizes[axis]:
            ctx.not_supported(f"index {bound} is outside the {sizes[axis]} elements of axis {axis}", span)
            return None
    return _flat(ctx, [bound for bound in bounds if bound is not None], sizes, span)


def _flat(ctx: Context, bounds: list[Bound], sizes: tuple[int, ...] | None, span: Span) -> IRValue:
    builder = ctx.builder
    total = _int32(ctx, bounds[0], span)
    for axis, bound in enumerate(bounds[1:], 1):
        extent = sizes[axis] if sizes is not None else 1
        total = builder.arith("muli", [total, builder.constant(extent, DType.INT32, span)], DType.INT32, span)
        total = builder.arith("addi", [total, _int32(ctx, bound, span)], DType.INT32, span)
    return builder.cast(total, DType.UINT32, span)
