# SPDX-License-Identifier: Apache-2.0
"""Values of host code as far as they are known without running it: arrays, scalars, structs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from asclens_compiler.frontend.static import StaticValue
from asclens_compiler.frontend.values import POISON, KernelValue, Operator
from asclens_compiler.hardware.dtypes import DType

if TYPE_CHECKING:
    from asclens_compiler.frontend.context import Context
    from asclens_compiler.source.span import Span


@dataclass(frozen=True, slots=True, eq=False)
class HostArray(KernelValue):
    """A numpy array or torch tensor; `shape` is None when unknown."""

    dtype: DType = DType.UNKNOWN
    shape: tuple[int, ...] | None = None
    kind = "host array"

    def describe(self) -> str:
        """Return for example `float32[16384]`."""
        dims = "?" if self.shape is None else ",".join(map(str, self.shape))
        return f"{self.dtype.value}[{dims}]"

    @property
    def elems(self) -> int | None:
        """Return the number of elements, None when unknown."""
        return None if self.shape is None else prod(self.shape)

    def getattr(self, ctx: Context, name: str, span: Span) -> KernelValue:
        """Read an attribute or method, in host code."""
        from asclens_compiler.frontend.libraries import array_attribute  # noqa: PLC0415  libraries make arrays

        value = array_attribute(self, name)
        return value if value is not None else ctx.no_member(self, name, span)

    def binary(self, ctx: Context, op: Operator, other: KernelValue, reflected: bool, span: Span) -> KernelValue | None:
        """Compute elementwise, in host code."""
        from asclens_compiler.frontend.libraries import arithmetic  # noqa: PLC0415  libraries make arrays

        del ctx, reflected, span
        return arithmetic(self, op, other)

    def unary(self, ctx: Context, op: Operator, span: Span) -> KernelValue | None:
        """Negate."""
        del ctx, op, span
        return self

    def getitem(self, ctx: Context, index: KernelValue, span: Span) -> KernelValue:
        """Index: the first dimension goes, or its length becomes unknown."""
        del ctx, span
        if self.shape and isinstance(index, StaticValue):
            return HostArray(self.dtype, self.shape[1:])
        return HostArray(self.dtype)

    def length(self, ctx: Context, span: Span) -> KernelValue | None:
        """Return the first dimension."""
        del ctx, span
        return StaticValue(self.shape[0]) if self.shape else POISON

    def truth(self, ctx: Context, span: Span) -> None:
        """Arrays have no known truth value."""
        del ctx, span

    def is_compile_time(self) -> bool:
        """Return True."""
        return True


@dataclass(frozen=True, slots=True, eq=False)
class HostScalar(KernelValue):
    """A run-time number argument of a given dtype."""

    dtype: DType
    number: int | float
    kind = "host scalar"

    def describe(self) -> str:
        """Return the number."""
        return str(self.number)


@dataclass(frozen=True, slots=True, eq=False)
class HostDescriptor(KernelValue):
    """A staged `Tensor` made on the host; None where it names nothing."""

    dtype: DType | None
    shape: tuple[int, ...] | None
    scope: str | None
    kind = "tensor descriptor"

    def is_compile_time(self) -> bool:
        """Return True."""
        return True


@dataclass(frozen=True, slots=True, eq=False)
class StructClass(KernelValue):
    """A class of host structs: (Python name, type, Ascend C name) per field."""

    name: str
    fields: tuple[tuple[str, DType | StructClass, str], ...]
    kind = "struct class"

    def describe(self) -> str:
        """Return the name."""
        return f"the struct `{self.name}`"

    def call(
        self, ctx: Context, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue:
        """Make a struct: on the host a value, in a kernel an object of the device."""
        return ctx.surface.make_struct(ctx, self, args, kwargs, span)

    def is_compile_time(self) -> bool:
        """Return True."""
        return True


@dataclass(frozen=True, slots=True, eq=False)
class HostStruct(KernelValue):
    """A struct that a launch passes; the kernel sees its fields at run time."""

    cls: StructClass
    kind = "host struct"

    def describe(self) -> str:
        """Return the class name."""
        return self.cls.name

    def is_compile_time(self) -> bool:
        """Return True."""
        return True


@dataclass(frozen=True, slots=True, eq=False)
class Namespace(KernelValue):
    """An object or module of the host, known by the attributes that the kernel reads."""

    name: str
    attrs: Mapping[str, KernelValue]
    kind = "host object"

    def describe(self) -> str:
        """Return the name."""
        return f"`{self.name}`"

    def getattr(self, ctx: Context, name: str, span: Span) -> KernelValue:
        """Return a recorded attribute."""
        value = self.attrs.get(name)
        return value if value is not None else ctx.no_member(self, name, span)

    def is_compile_time(self) -> bool:
        """Return True."""
        return True
