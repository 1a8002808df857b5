# SPDX-License-Identifier: Apache-2.0
"""Stack arrays, tensor lists, allocators: calls whose operands are made here, not by binding."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from asclens_compiler.ascir.types import HandleType, ScalarType
from asclens_compiler.ascir.values import IRValue
from asclens_compiler.frontend.ascendc.calls import Call, lower, number
from asclens_compiler.frontend.ascendc.matching import Match
from asclens_compiler.frontend.ascendc.objects import DeviceObject, unknown_member
from asclens_compiler.frontend.context import Context
from asclens_compiler.frontend.dtypes import DTypeValue
from asclens_compiler.frontend.scalars import Scalar
from asclens_compiler.frontend.static import NONE, StaticValue
from asclens_compiler.frontend.values import POISON, KernelValue
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.opset.registry import opset
from asclens_compiler.source.span import Span

# The device stack holds 32 KiB (`-cce-aicore-stack-size=0x8000` of the real toolchain).
STACK_BYTES = 0x8000


@dataclass(slots=True, eq=False)
class ArrayObject(DeviceObject):
    """An array on the core's stack."""

    dtype: DType = DType.UNKNOWN
    count: int = 0
    kind = "array"

    def describe(self) -> str:
        """Return for example `an array of 4 int32`."""
        return f"an array of {self.count} {self.dtype.value}"

    def getattr(self, ctx: Context, name: str, span: Span) -> KernelValue:
        """Read `dtype` or `length`."""
        if name == "dtype":
            return DTypeValue(self.dtype)
        return StaticValue(self.count) if name == "length" else unknown_member(ctx, self, name, span)

    def getitem(self, ctx: Context, index: KernelValue, span: Span) -> KernelValue:
        """Load an element."""
        place = self._index(ctx, index, span)
        if place is None or self.handle is None:
            return POISON
        wanted = ScalarType(self.dtype)
        (value,) = ctx.builder.op("array_load", [self.handle, place], results=[wanted], span=span)
        return Scalar(value, self.dtype)

    def setitem(self, ctx: Context, index: KernelValue, value: KernelValue, span: Span) -> None:
        """Store an element."""
        place = self._index(ctx, index, span)
        made = number(ctx, value, self.dtype, span, exact=True)
        if made is None:
            ctx.not_supported(f"{self.describe()} cannot hold {value.describe()}", span)
        elif place is not None and self.handle is not None:
            ctx.builder.op("array_store", [self.handle, place, made], span=span)

    def length(self, ctx: Context, span: Span) -> KernelValue:
        """Return the number of elements."""
        del ctx, span
        return StaticValue(self.count)

    def _index(self, ctx: Context, index: KernelValue, span: Span) -> IRValue | None:
        if isinstance(index, StaticValue) and isinstance(index.value, int) and not 0 <= index.value < self.count:
            ctx.not_supported(f"index {index.value} is outside {self.describe()}", span)
            return None
        made = number(ctx, index, DType.INT64, span, exact=False)
        if made is None and index is not POISON:
            ctx.not_supported(f"{self.describe()} is indexed by an integer, not {index.describe()}", span)
        return made


def listed(ctx: Context, value: KernelValue, span: Span) -> list[KernelValue]:
    """Return the elements of a list, or of a stack array (each is loaded)."""
    if isinstance(value, ArrayObject):
        return [value.getitem(ctx, StaticValue(index), span) for index in range(value.count)]
    return list(value.items() or ())


def array(call: Call) -> KernelValue:
    """`array(dtype, length, fill_value)` or `array(dtype, values)`."""
    ctx, dtype, given = call.ctx, call.value("dtype"), call.value("length_or_values")
    element = dtype.dtype if isinstance(dtype, DTypeValue) else DType.UNKNOWN
    items = given.items()
    if items is None:
        count = given.value if isinstance(given, StaticValue) else None
        if not isinstance(count, int) or count <= 0:
            return ctx.not_supported(
                f"the length of an array is a positive compile-time int, not {given.describe()}", call.span
            )
        fill = call.value("fill_value")
        empty = isinstance(fill, StaticValue) and fill.value is None
        items = [StaticValue(0) if empty else fill] * min(count, STACK_BYTES + 1)
    size_bytes = len(items) * max(element.size_bytes, 1)
    if size_bytes > STACK_BYTES:
        return ctx.not_supported(f"an array of {size_bytes} bytes exceeds the stack of {STACK_BYTES} bytes", call.span)
    made = [number(ctx, item, element, call.span, exact=True) for item in items]
    values = [item for item in made if item is not None]
    if len(values) != len(items) or element is DType.UNKNOWN:
        return ctx.not_supported("an array holds numbers of one known dtype", call.span)
    attrs = {"dtype": element.value}
    (handle,) = ctx.builder.op("array", [values], attrs=attrs, results=[HandleType("Array")], span=call.span)
    return ArrayObject("Array", handle, element, len(values))


def tensor_lists(call: Call) -> KernelValue:
    """A call that takes lists of tensors, or with the same signature lists of addresses."""
    items = call.value(call.match.overload.params[0].name).items() or ()
    if any(isinstance(item, Scalar | StaticValue) for item in items):
        for overload in call.row.overloads:
            if overload.lower == "address_lists":
                return with_lists(replace(call, match=Match(overload, call.match.values)))
    return with_lists(call)


def with_lists(call: Call) -> KernelValue:
    """A call that takes lists of tensors, addresses or slices."""
    row = opset().ops[call.match.overload.op]
    binding = dict(call.match.overload.binding)
    operands: list[IRValue | list[IRValue] | None] = []
    for operand in row.operands:
        value = call.value(binding.get(operand.name, operand.name))
        items = value.items()
        held = [number(call.ctx, item, None, call.span, exact=False) or item.held() for item in items or (value,)]
        found = [item for item in held if item is not None]
        if len(found) != len(held):
            return call.ctx.not_supported(f"`{call.row.name}` cannot take {value.describe()}", call.span)
        operands.append(found if items is not None else found[0])
    call.ctx.builder.op(row.name, operands, span=call.span)
    return NONE


def allocator(call: Call) -> KernelValue:
    """`LocalMemAllocator(hard)`."""
    return lower(call, [HandleType("LocalMemAllocator")])


def tensor_desc(call: Call) -> KernelValue:
    """`TensorDesc(dtype)`: its pointers have that element type."""
    value = lower(call, [HandleType("TensorDesc")])
    dtype = call.value("dtype")
    if value.held() is None or not isinstance(dtype, DTypeValue):
        return value
    return DescObject("TensorDesc", value.held(), dtype.dtype)


@dataclass(slots=True, eq=False)
class DescObject(DeviceObject):
    """A tensor descriptor with the element type of its data."""

    dtype: DType = DType.UNKNOWN


LOWERINGS: dict[str, Callable[[Call], KernelValue]] = {
    "array": array,
    "tensor_lists": tensor_lists,
    "address_lists": with_lists,
    "slice_copy": with_lists,
    "allocator": allocator,
    "tensor_desc": tensor_desc,
}
