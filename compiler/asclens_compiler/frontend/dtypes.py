# SPDX-License-Identifier: Apache-2.0
"""dtypes as values of a kernel (`asc.float16`, `x.dtype`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from asclens_compiler.ascir.types import ScalarType
from asclens_compiler.frontend.static import StaticValue
from asclens_compiler.frontend.values import POISON, KernelValue, Operator
from asclens_compiler.hardware.dtypes import DType

if TYPE_CHECKING:
    from asclens_compiler.frontend.context import Context
    from asclens_compiler.source.span import Span

_TESTS: dict[str, Callable[[DType], bool]] = {
    "is_int": lambda dtype: dtype.is_int,
    "is_float": lambda dtype: dtype.is_float,
    "is_numeric": lambda dtype: dtype.is_int or dtype.is_float,
    "is_signed": lambda dtype: dtype.is_signed and dtype.is_int,
    "is_unsigned": lambda dtype: dtype.is_int and not dtype.is_signed,
    "is_void": lambda _dtype: False,
}
MEMBERS = ("name", "bitwidth", "sizeof", *_TESTS)


@dataclass(slots=True, eq=False)
class DTypeValue(KernelValue):
    """A dtype; `DType.UNKNOWN` when only a launch knows it."""

    dtype: DType
    kind = "dtype"

    def describe(self) -> str:
        """Return for example `the dtype float16`."""
        return f"the dtype {self.dtype.value}"

    def getattr(self, ctx: Context, name: str, span: Span) -> KernelValue:
        """Read `name`, `bitwidth`, or a method."""
        if name not in MEMBERS:
            return ctx.no_member(self, name, span)
        if self.dtype is DType.UNKNOWN:
            return POISON if name in ("name", "bitwidth") else _DTypeMethod(self.dtype, name)
        if name == "name":
            return StaticValue(self.dtype.value)
        if name == "bitwidth":
            return StaticValue(self.dtype.bits)
        return _DTypeMethod(self.dtype, name)

    def compare(
        self, ctx: Context, op: Operator, other: KernelValue, reflected: bool, span: Span
    ) -> KernelValue | None:
        """Test for equality."""
        del ctx, reflected, span
        if op not in (Operator.EQ, Operator.NE):
            return None
        if isinstance(other, DTypeValue):
            if DType.UNKNOWN in (self.dtype, other.dtype):
                return POISON
            return StaticValue((self.dtype is other.dtype) == (op is Operator.EQ))
        return StaticValue(op is Operator.NE) if isinstance(other, StaticValue) else None

    def is_compile_time(self) -> bool:
        """Return True."""
        return True

    def truth(self, ctx: Context, span: Span) -> bool:
        """Return True, as Python does for any object."""
        del ctx, span
        return True


@dataclass(slots=True, eq=False)
class _DTypeMethod(KernelValue):
    dtype: DType
    name: str
    kind = "dtype method"

    def call(
        self, ctx: Context, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue:
        """Call the method (no arguments)."""
        if args or kwargs:
            return ctx.not_supported(f"`{self.name}` takes no arguments", span)
        if self.dtype is DType.UNKNOWN:
            return _unknown_size(ctx, span) if self.name == "sizeof" and not ctx.static else POISON
        if self.name == "sizeof":
            return StaticValue(self.dtype.size_bytes)
        return StaticValue(_TESTS[self.name](self.dtype))


def _unknown_size(ctx: Context, span: Span) -> KernelValue:
    """Return a number that only a launch knows."""
    from asclens_compiler.frontend.scalars import Scalar  # noqa: PLC0415  values know each other

    attrs = {"what": "sizeof", "predicate": ""}
    (value,) = ctx.builder.op("unknown_scalar", [[]], attrs=attrs, results=[ScalarType(DType.INT32)], span=span)
    return Scalar(value, DType.INT32, unknown_const=True)
