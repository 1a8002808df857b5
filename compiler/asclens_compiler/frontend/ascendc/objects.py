# SPDX-License-Identifier: Apache-2.0
"""Objects of the Ascend C-level surface: pointers, tensors, queues, pipes, parameter structs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from asclens_compiler.ascir.types import AscType, GlobalType, LocalType, PointerType
from asclens_compiler.frontend.dtypes import DTypeValue
from asclens_compiler.frontend.facts import ValueFact
from asclens_compiler.frontend.rules import no_member, unset_buffer
from asclens_compiler.frontend.static import NONE, SequenceValue, StaticValue
from asclens_compiler.frontend.values import POISON, KernelValue, Operator
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Position
from asclens_compiler.opset.registry import opset

if TYPE_CHECKING:
    from asclens_compiler.ascir.values import IRValue
    from asclens_compiler.frontend.context import Context
    from asclens_compiler.source.span import Span


@dataclass(slots=True, eq=False)
class DeviceObject(KernelValue):
    """An object of the device, made by an op; `cls` is its facade class without `asc.`.

    `handle` is None for an object that has no op yet (a GlobalTensor before its buffer is set).
    """

    cls: str
    handle: IRValue | None
    kind = "device object"

    def describe(self) -> str:
        """Return for example `a TQue`."""
        return f"a {self.cls}"

    def api_class(self) -> str:
        """Return the facade class."""
        return f"asc.{self.cls}"

    def held(self) -> IRValue | None:
        """Return the handle."""
        return self.handle

    def ir(self, ctx: Context, span: Span) -> IRValue | None:
        """Return the handle."""
        del ctx, span
        return self.handle

    def ir_type(self) -> AscType | None:
        """Return the handle's type."""
        return self.handle.type if self.handle is not None else None

    def rebuilt(self, value: IRValue) -> KernelValue:
        """Return the object behind another handle of the same type."""
        return replace(self, handle=value)

    def truth(self, ctx: Context, span: Span) -> bool | IRValue | None:
        """Objects are no conditions."""
        ctx.not_supported(f"{self.describe()} is not a condition", span, "Compare a number.")
        return None

    def getattr(self, ctx: Context, name: str, span: Span) -> KernelValue:
        """Return a method."""
        path = f"asc.{self.cls}.{name}"
        if path in opset().apis:
            return BoundMethod(self, path)
        value = self.attribute(name)
        if value is None and name in self.attribute_names():
            return ctx.fail(unset_buffer.report(span))
        return value if value is not None else unknown_member(ctx, self, name, span)

    def attribute(self, name: str) -> KernelValue | None:
        """Return a plain attribute; None when there is none."""
        del name
        return None

    def attribute_names(self) -> tuple[str, ...]:
        """Return the names of plain attributes (for suggestions)."""
        return ()


def unknown_member(ctx: Context, owner: DeviceObject, name: str, span: Span) -> KernelValue:
    """Report a member that does not exist, with the nearest ones."""
    prefix = f"asc.{owner.cls}."
    methods = [path[len(prefix) :] for path in opset().apis if path.startswith(prefix)]
    known = [item for item in (*methods, *owner.attribute_names()) if not item.startswith("_")]
    place = type(span)(span.file, span.end_line, span.end_column - len(name), span.end_line, span.end_column)
    return ctx.fail(no_member.report(f"`{owner.cls}`", name, known, span, place))


@dataclass(frozen=True, slots=True, eq=False)
class BoundMethod(KernelValue):
    """A method together with its object."""

    owner: DeviceObject
    path: str
    kind = "method"

    def describe(self) -> str:
        """Return for example `the method TQue.enque`."""
        return f"the method `{self.path.removeprefix('asc.')}`"

    def call(
        self, ctx: Context, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue:
        """Call the method."""
        from asclens_compiler.frontend.ascendc.calls import call_path  # noqa: PLC0415  calls make objects

        return call_path(ctx, self.path, args, kwargs, span, owner=self.owner)


@dataclass(slots=True, eq=False)
class BufferOwner(DeviceObject):
    """A queue or buffer; `position` is that of the tensors it gives out."""

    position: Position = Position.VECIN


@dataclass(slots=True, eq=False)
class PointerValue(DeviceObject):
    """A `GlobalAddress`: an address in global memory."""

    dtype: DType = DType.UNKNOWN
    kind = "global address"

    def describe(self) -> str:
        """Return for example `a GlobalAddress of float16`."""
        return f"a {self.cls}{_of(self.dtype)}"

    def attribute(self, name: str) -> KernelValue | None:
        """Return `dtype`."""
        return DTypeValue(self.dtype) if name == "dtype" else None

    def attribute_names(self) -> tuple[str, ...]:
        """Return the plain attributes."""
        return ("dtype",)

    def binary(self, ctx: Context, op: Operator, other: KernelValue, reflected: bool, span: Span) -> KernelValue | None:
        """Move the address on by elements: `pointer + n` only, as the toolchain has it."""
        if op is not Operator.ADD or reflected:
            return None
        from asclens_compiler.frontend.scalars import materialize  # noqa: PLC0415  scalars know no objects

        offset = materialize(ctx, other, None, span)
        if offset is None or self.handle is None:
            return None
        (value,) = ctx.builder.op(
            "ptr_offset", [self.handle, offset.value], results=[PointerType(self.dtype)], span=span
        )
        return PointerValue(self.cls, value, self.dtype)

    def fact(self, name: str, span: Span) -> ValueFact:
        """Show the element type."""
        return ValueFact(span=span, name=name, type=self.describe(), dtype=_known(self.dtype), memory="GM")


@dataclass(slots=True, eq=False)
class GlobalTensorValue(DeviceObject):
    """A `GlobalTensor`; it has an op only after `set_global_buffer`."""

    dtype: DType = DType.UNKNOWN
    size_elems: int | None = None
    unknown: bool = False
    kind = "global tensor"

    def describe(self) -> str:
        """Return for example `a GlobalTensor of float16`."""
        return f"a {self.cls}{_of(self.dtype) if self.handle is not None else ' without buffer'}"

    def attribute(self, name: str) -> KernelValue | None:
        """Return `dtype` or `shape`."""
        if name == "dtype" and (self.handle is not None or self.unknown):
            return DTypeValue(self.dtype)
        return NONE if name == "shape" else None

    def attribute_names(self) -> tuple[str, ...]:
        """Return the plain attributes."""
        return ("dtype", "shape")

    def getitem(self, ctx: Context, index: KernelValue, span: Span) -> KernelValue:
        """Return the tensor from an element on."""
        return _subindex(ctx, self, index, span)

    def call(
        self, ctx: Context, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue:
        """Call the tensor: the element reference."""
        return BoundMethod(self, f"asc.{self.cls}.__call__").call(ctx, args, kwargs, span)

    def restore(self, state: object) -> None:
        """Forget a buffer that was set inside a run-time block."""
        if isinstance(state, GlobalTensorValue):
            self.handle, self.dtype, self.size_elems = state.handle, state.dtype, state.size_elems

    def ir_type(self) -> AscType | None:
        """Return the type of the tensor."""
        return GlobalType(self.dtype) if self.handle is not None else None

    def fact(self, name: str, span: Span) -> ValueFact:
        """Show element type and size."""
        shape = (self.size_elems,) if self.size_elems is not None else None
        size = self.size_elems * self.dtype.size_bytes if self.size_elems is not None and self.dtype.bits else None
        return ValueFact(
            span=span, name=name, type=self.describe(), dtype=_known(self.dtype), shape=shape, bytes=size, memory="GM",
            position="GM",
        )  # fmt: skip


@dataclass(slots=True, eq=False)
class LocalTensorValue(DeviceObject):
    """A `LocalTensor` or `LocalTensorAuto`.

    `elems` and `address` (bytes) are known for tensors made with compile-time numbers.
    """

    dtype: DType = DType.UNKNOWN
    position: Position = Position.VECCALC
    shape: tuple[int, ...] | None = None
    elems: int | None = None
    address: int | None = None
    extra: tuple[str, ...] = field(default=())
    kind = "local tensor"

    def describe(self) -> str:
        """Return for example `a LocalTensor of float16`."""
        return f"a {self.cls}{_of(self.dtype)}"

    def attribute(self, name: str) -> KernelValue | None:
        """Return `dtype` or `shape`."""
        if name == "dtype":
            return DTypeValue(self.dtype)
        if name == "shape":
            return NONE if self.shape is None else SequenceValue([StaticValue(dim) for dim in self.shape])
        return None

    def attribute_names(self) -> tuple[str, ...]:
        """Return the plain attributes."""
        return ("dtype", "shape")

    def getitem(self, ctx: Context, index: KernelValue, span: Span) -> KernelValue:
        """Return the tensor from an element on."""
        return _subindex(ctx, self, index, span)

    def setitem(self, ctx: Context, index: KernelValue, value: KernelValue, span: Span) -> None:
        """Refuse element assignment, which is `set_value`."""
        del index, value
        ctx.not_supported(
            f"{self.describe()} has no element assignment", span, "Write one element with `tensor.set_value(i, value)`."
        )

    def call(
        self, ctx: Context, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue:
        """Call the tensor: the element reference."""
        return BoundMethod(self, f"asc.{self.cls}.__call__").call(ctx, args, kwargs, span)

    def fact(self, name: str, span: Span) -> ValueFact:
        """Show element type, size, memory and address."""
        elems = self.elems
        shape = self.shape if self.shape is not None else (elems,) if elems is not None else None
        size = None
        if shape is not None and self.dtype.bits:
            size = self.dtype.size_bytes
            for dim in shape:
                size *= dim
        return ValueFact(
            span=span, name=name, type=self.describe(), dtype=_known(self.dtype), shape=shape, bytes=size,
            memory=self.position.memory.value, position=self.position.value, address=self.address,
        )  # fmt: skip

    def local_type(self) -> LocalType:
        """Return the type of a view of unknown length."""
        return LocalType(self.dtype, self.position)


def _of(dtype: DType) -> str:
    return "" if dtype is DType.UNKNOWN else f" of {dtype.value}"


def _known(dtype: DType) -> str | None:
    return None if dtype is DType.UNKNOWN else dtype.value


def _subindex(
    ctx: Context, tensor: GlobalTensorValue | LocalTensorValue, index: KernelValue, span: Span
) -> KernelValue:
    if index is POISON:
        return POISON
    return BoundMethod(tensor, f"asc.{tensor.cls}.__getitem__").call(ctx, [index], {}, span)
