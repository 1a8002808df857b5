# SPDX-License-Identifier: Apache-2.0
"""Compile-time values: Python numbers and text, sequences, slices, dtypes, enums."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from asclens_compiler.frontend.facts import ValueFact
from asclens_compiler.frontend.rules import arithmetic
from asclens_compiler.frontend.values import POISON, KernelValue, Operator

if TYPE_CHECKING:
    from asclens_compiler.ascir.builder import IRValue
    from asclens_compiler.ascir.types import AscType
    from asclens_compiler.frontend.context import Context
    from asclens_compiler.source.span import Span

# Compile-time results beyond these sizes are refused: the editor must not hang on `2 ** 10 ** 9`.
MAX_INT_BITS = 4096
MAX_SEQUENCE = 100_000

_BINARY: dict[Operator, Callable[[Any, Any], Any]] = {
    Operator.ADD: lambda left, right: left + right,
    Operator.SUB: lambda left, right: left - right,
    Operator.MUL: lambda left, right: left * right,
    Operator.DIV: lambda left, right: left / right,
    Operator.FLOORDIV: lambda left, right: left // right,
    Operator.MOD: lambda left, right: left % right,
    Operator.POW: lambda left, right: left**right,
    Operator.SHL: lambda left, right: left << right,
    Operator.SHR: lambda left, right: left >> right,
    Operator.AND: lambda left, right: left & right,
    Operator.OR: lambda left, right: left | right,
    Operator.XOR: lambda left, right: left ^ right,
}
_COMPARE: dict[Operator, Callable[[Any, Any], Any]] = {
    Operator.EQ: operator.eq, Operator.NE: operator.ne, Operator.LT: operator.lt,
    Operator.LE: operator.le, Operator.GT: operator.gt, Operator.GE: operator.ge,
}  # fmt: skip
_UNARY: dict[Operator, Callable[[Any], Any]] = {
    Operator.NEG: operator.neg, Operator.POS: operator.pos, Operator.INVERT: operator.invert,
    Operator.NOT: operator.not_,
}  # fmt: skip


@dataclass(slots=True, eq=False)
class StaticValue(KernelValue):
    """A Python number, bool, text, bytes or None known while compiling."""

    value: int | float | bool | str | bytes | None
    kind = "compile-time value"

    def fact(self, name: str, span: Span) -> ValueFact:
        """Show the constant."""
        return ValueFact(span=span, name=name, type=type(self.value).__name__, constant=repr(self.value)[:80])

    def describe(self) -> str:
        """Return for example `the int 3`."""
        return "None" if self.value is None else f"the {type(self.value).__name__} {self.value!r}"

    def binary(self, ctx: Context, op: Operator, other: KernelValue, reflected: bool, span: Span) -> KernelValue | None:
        """Compute with another compile-time value."""
        function = _BINARY.get(op)
        if function is None or not isinstance(other, StaticValue):
            return None
        left, right = (other.value, self.value) if reflected else (self.value, other.value)
        if _too_large(op, left, right):
            return ctx.fail(arithmetic.report(f"{left!r} {op.value} {right!r}", "the result is too large", span))
        try:
            return StaticValue(function(left, right))
        except (ArithmeticError, TypeError, ValueError) as error:
            return ctx.fail(arithmetic.report(f"{left!r} {op.value} {right!r}", str(error), span))

    def compare(
        self, ctx: Context, op: Operator, other: KernelValue, reflected: bool, span: Span
    ) -> KernelValue | None:
        """Compare with another compile-time value."""
        if not isinstance(other, StaticValue):
            return StaticValue(op is Operator.NE) if self.value is None and op in (Operator.EQ, Operator.NE) else None
        left, right = (other.value, self.value) if reflected else (self.value, other.value)
        try:
            return StaticValue(bool(_COMPARE[op](left, right)))
        except TypeError as error:
            return ctx.fail(arithmetic.report(f"{left!r} {op.value} {right!r}", str(error), span))

    def unary(self, ctx: Context, op: Operator, span: Span) -> KernelValue | None:
        """Apply a unary operator."""
        try:
            return StaticValue(_UNARY[op](self.value))
        except TypeError as error:
            return ctx.fail(arithmetic.report(f"{op.value} {self.value!r}", str(error), span))

    def getitem(self, ctx: Context, index: KernelValue, span: Span) -> KernelValue:
        """Index text."""
        if isinstance(self.value, str) and isinstance(index, StaticValue) and isinstance(index.value, int):
            if -len(self.value) <= index.value < len(self.value):
                return StaticValue(self.value[index.value])
            return ctx.not_supported(f"index {index.value} is outside text of length {len(self.value)}", span)
        return ctx.not_supported(f"{self.describe()} cannot be indexed", span)

    def getattr(self, ctx: Context, name: str, span: Span) -> KernelValue:
        """Read a method of text or of a number."""
        if isinstance(self.value, str) and name in ("format", "upper", "lower", "startswith", "endswith", "replace"):
            return _TextMethod(self.value, name)
        return ctx.no_member(self, name, span)

    def truth(self, ctx: Context, span: Span) -> bool:
        """Return Python's truth value."""
        del ctx, span
        return bool(self.value)

    def is_compile_time(self) -> bool:
        """Return True."""
        return True

    def ir(self, ctx: Context, span: Span) -> IRValue | None:
        """Make a constant: int32, float32 or one bit."""
        from asclens_compiler.frontend.scalars import materialize  # noqa: PLC0415 (values know each other)

        scalar = materialize(ctx, self, None, span)
        return scalar.value if scalar is not None else None

    def ir_type(self) -> AscType | None:
        """Return the type that a literal takes on the device."""
        from asclens_compiler.frontend.scalars import literal_type  # noqa: PLC0415 (values know each other)

        return literal_type(self)

    def rebuilt(self, value: IRValue) -> KernelValue:
        """Return the scalar that the literal becomes when a run-time block changes it."""
        from asclens_compiler.frontend.scalars import Scalar, literal_type  # noqa: PLC0415 (values know each other)

        kind = literal_type(self)
        return POISON if kind is None else Scalar(value, kind.dtype)


def _too_large(op: Operator, left: object, right: object) -> bool:
    if op is Operator.POW and isinstance(left, int) and isinstance(right, int):
        return left.bit_length() * max(right, 0) > MAX_INT_BITS
    if op is Operator.SHL and isinstance(left, int) and isinstance(right, int):
        return left.bit_length() + max(right, 0) > MAX_INT_BITS
    if op is Operator.MUL:
        if isinstance(left, str | bytes) and isinstance(right, int):
            return len(left) * right > MAX_SEQUENCE
        if isinstance(right, str | bytes) and isinstance(left, int):
            return len(right) * left > MAX_SEQUENCE
        if isinstance(left, int) and isinstance(right, int):
            return left.bit_length() + right.bit_length() > MAX_INT_BITS
    # `%` formats text, with widths that a kernel may make huge.
    return op is Operator.MOD and isinstance(left, str | bytes)


@dataclass(slots=True, eq=False)
class _TextMethod(KernelValue):
    text: str
    name: str
    kind = "text method"

    def call(
        self, ctx: Context, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue:
        """Call the method with compile-time arguments."""
        plain = [item.value for item in args if isinstance(item, StaticValue)]
        if len(plain) != len(args) or kwargs or self.name == "format":
            return ctx.not_supported(f"`str.{self.name}` needs compile-time positional arguments", span,
                                     "Use an f-string.")  # fmt: skip
        try:
            return StaticValue(getattr(self.text, self.name)(*plain))
        except TypeError as error:
            return ctx.not_supported(f"`str.{self.name}`: {error}", span)


@dataclass(slots=True, eq=False)
class SliceValue(KernelValue):
    """`start:stop:step` between brackets; None where a part is absent."""

    start: KernelValue | None
    stop: KernelValue | None
    step: KernelValue | None
    kind = "slice"


@dataclass(slots=True, eq=False)
class SequenceValue(KernelValue):
    """A tuple or list whose length is known while compiling."""

    elements: list[KernelValue]
    is_list: bool = False
    kind = "sequence"

    def describe(self) -> str:
        """Return for example `a list of 3`."""
        return f"a {'list' if self.is_list else 'tuple'} of {len(self.elements)}"

    def items(self) -> Sequence[KernelValue]:
        """Return the elements."""
        return self.elements

    def is_compile_time(self) -> bool:
        """Return True."""
        return True

    def getitem(self, ctx: Context, index: KernelValue, span: Span) -> KernelValue:
        """Index or slice with compile-time numbers."""
        if isinstance(index, SliceValue):
            parts = [None if p is None else p.value if isinstance(p, StaticValue) else p
                     for p in (index.start, index.stop, index.step)]  # fmt: skip
            if all(part is None or isinstance(part, int) for part in parts) and parts[2] != 0:
                bounds: list[Any] = list(parts)
                return SequenceValue(self.elements[slice(*bounds)], self.is_list)
        elif isinstance(index, StaticValue) and isinstance(index.value, int):
            if -len(self.elements) <= index.value < len(self.elements):
                return self.elements[index.value]
            return ctx.not_supported(f"index {index.value} is outside {self.describe()}", span)
        elif index is POISON:
            return POISON
        return ctx.not_supported(
            f"{self.describe()} needs a compile-time index",
            span,
            "Use `asc.static_range`, or `asc.array` on the device.",
        )

    def setitem(self, ctx: Context, index: KernelValue, value: KernelValue, span: Span) -> None:
        """Replace an element of a list."""
        inside = isinstance(index, StaticValue) and isinstance(index.value, int)
        if not self.is_list or not inside or not -len(self.elements) <= index.value < len(self.elements):  # pyright: ignore
            ctx.not_supported(f"{self.describe()} has no such element to assign", span)
            return
        ctx.remember(self, list(self.elements))
        self.elements[index.value] = value  # pyright: ignore

    def restore(self, state: object) -> None:
        """Restore the elements."""
        if isinstance(state, list):
            self.elements = state  # pyright: ignore[reportUnknownMemberType]

    def getattr(self, ctx: Context, name: str, span: Span) -> KernelValue:
        """Read `append` of a list."""
        if self.is_list and name == "append":
            return _Append(self)
        return ctx.no_member(self, name, span)

    def binary(self, ctx: Context, op: Operator, other: KernelValue, reflected: bool, span: Span) -> KernelValue | None:
        """Concatenate or repeat."""
        del ctx, span
        if op is Operator.ADD and isinstance(other, SequenceValue) and other.is_list == self.is_list:
            first, second = (other, self) if reflected else (self, other)
            return SequenceValue(first.elements + second.elements, self.is_list)
        if op is Operator.MUL and isinstance(other, StaticValue) and isinstance(other.value, int):
            if len(self.elements) * other.value > MAX_SEQUENCE:
                return None
            return SequenceValue(self.elements * other.value, self.is_list)
        return None

    def compare(
        self, ctx: Context, op: Operator, other: KernelValue, reflected: bool, span: Span
    ) -> KernelValue | None:
        """Compare element by element where all are compile-time values."""
        del reflected
        if op not in (Operator.EQ, Operator.NE) or not isinstance(other, SequenceValue):
            return None
        same = len(self.elements) == len(other.elements) and self.is_list == other.is_list
        for mine, theirs in zip(self.elements, other.elements, strict=False):
            result = mine.compare(ctx, Operator.EQ, theirs, False, span)
            if not isinstance(result, StaticValue):
                return result
            same = same and bool(result.value)
        return StaticValue(same == (op is Operator.EQ))

    def truth(self, ctx: Context, span: Span) -> bool:
        """Tell whether there are elements."""
        del ctx, span
        return bool(self.elements)


@dataclass(slots=True, eq=False)
class DictValue(KernelValue):
    """A dict of the host with compile-time keys; kernels may read it."""

    pairs: list[tuple[KernelValue, KernelValue]]
    kind = "dict"

    def is_compile_time(self) -> bool:
        """Return True."""
        return True

    def getitem(self, ctx: Context, index: KernelValue, span: Span) -> KernelValue:
        """Return the value of a compile-time key."""
        for key, value in self.pairs:
            same = key.compare(ctx, Operator.EQ, index, False, span)
            if isinstance(same, StaticValue) and same.value is True:
                return value
        return ctx.not_supported(f"the dict has no key {index.describe()}", span)


@dataclass(slots=True, eq=False)
class _Append(KernelValue):
    target: SequenceValue
    kind = "list method"

    def call(
        self, ctx: Context, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue:
        """Append one element."""
        if len(args) != 1 or kwargs:
            return ctx.not_supported("`append` takes one argument", span)
        if len(self.target.elements) < MAX_SEQUENCE:
            ctx.remember(self.target, list(self.target.elements))
            self.target.elements.append(args[0])
        return StaticValue(None)


NONE = StaticValue(None)
