# SPDX-License-Identifier: Apache-2.0
"""Run-time scalars: the left operand of an operator decides the type, as in pyasc 1.1.1."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from asclens_compiler.ascir.types import AscType, ScalarType
from asclens_compiler.frontend.enums import EnumValue
from asclens_compiler.frontend.facts import ValueFact
from asclens_compiler.frontend.rules import (
    arithmetic,
    constant_overflow,
    int_true_division,
    scalar_cast,
    scalar_narrowing,
    toolchain_negative,
    toolchain_unsigned,
)
from asclens_compiler.frontend.static import StaticValue
from asclens_compiler.frontend.values import POISON, KernelValue, Operator
from asclens_compiler.hardware.dtypes import DType

if TYPE_CHECKING:
    from asclens_compiler.ascir.builder import IRValue
    from asclens_compiler.frontend.context import Context
    from asclens_compiler.source.span import Span

# operator -> (signed integer op, unsigned integer op, float op); empty where floats have none
_ARITH: dict[Operator, tuple[str, str, str]] = {
    Operator.ADD: ("addi", "addi", "addf"),
    Operator.SUB: ("subi", "subi", "subf"),
    Operator.MUL: ("muli", "muli", "mulf"),
    Operator.DIV: ("divsi", "divui", "divf"),
    Operator.FLOORDIV: ("divsi", "divui", "divf"),
    Operator.MOD: ("remsi", "remui", ""),
    Operator.SHL: ("shli", "shli", ""),
    Operator.SHR: ("shrsi", "shrui", ""),
    Operator.AND: ("andi", "andi", ""),
    Operator.OR: ("ori", "ori", ""),
    Operator.XOR: ("xori", "xori", ""),
}
# comparison -> (signed predicate, unsigned predicate, float predicate)
_PREDICATES: dict[Operator, tuple[str, str, str]] = {
    Operator.EQ: ("eq", "eq", "oeq"),
    Operator.NE: ("ne", "ne", "one"),
    Operator.LT: ("slt", "ult", "olt"),
    Operator.LE: ("sle", "ule", "ole"),
    Operator.GT: ("sgt", "ugt", "ogt"),
    Operator.GE: ("sge", "uge", "oge"),
}
# Operators that the toolchain's IR refuses on unsigned values.
_SIGNLESS_ONLY = frozenset(
    {Operator.ADD, Operator.SUB, Operator.MUL, Operator.DIV, Operator.FLOORDIV, Operator.LT, Operator.GT}
)
_DIVIDES = frozenset({Operator.DIV, Operator.FLOORDIV, Operator.MOD})
BIT = DType.INT1


@dataclass(slots=True, eq=False)
class Scalar(KernelValue):
    """A number in a register. `unknown_const` marks a compile-time number that only a launch knows."""

    value: IRValue
    dtype: DType
    unknown_const: bool = False
    kind = "run-time scalar"

    def describe(self) -> str:
        """Return for example `a run-time int32`."""
        return f"a run-time {self.dtype.value}" if self.dtype is not DType.UNKNOWN else "a run-time scalar"

    def held(self) -> IRValue:
        """Return the register."""
        return self.value

    def fact(self, name: str, span: Span) -> ValueFact:
        """Show the type."""
        return ValueFact(span=span, name=name, type=self.dtype.value, dtype=self.dtype.value)

    def ir(self, ctx: Context, span: Span) -> IRValue:
        """Return the register."""
        del ctx, span
        return self.value

    def ir_type(self) -> AscType:
        """Return the register's type."""
        return ScalarType(self.dtype)

    def rebuilt(self, value: IRValue) -> KernelValue:
        """Return a scalar in another register of the same type."""
        return Scalar(value, self.dtype, self.unknown_const)

    def binary(self, ctx: Context, op: Operator, other: KernelValue, reflected: bool, span: Span) -> KernelValue | None:
        """Compute in the type of the left scalar (of the right one when the left is a literal)."""
        if op is Operator.POW:
            return ctx.not_supported("a run-time value has no power operator", span, "Multiply repeatedly.")
        names = _ARITH.get(op)
        if names is None or not isinstance(other, Scalar | StaticValue) or _is_text(other):
            return None
        operands = _operands(ctx, self, other, reflected, span)
        if operands is None:
            return POISON
        left, right, dtype = operands
        signed, unsigned, floating = names
        name = floating if dtype.is_float else unsigned if dtype.is_int and not dtype.is_signed else signed
        if not name:
            return ctx.not_supported(f"`{op.value}` is not defined for {dtype.value} scalars", span)
        if op is Operator.DIV and dtype.is_int:
            ctx.report(int_true_division.report(dtype.value, span))
        if op in _DIVIDES and _is_zero(self if reflected else other):
            return ctx.fail(arithmetic.report(f"x {op.value} 0", "division by zero", span))
        _check_unsigned(ctx, op, dtype, span)
        return Scalar(ctx.builder.arith(name, [left, right], dtype, span), dtype, self.stays_unknown(other))

    def compare(
        self, ctx: Context, op: Operator, other: KernelValue, reflected: bool, span: Span
    ) -> KernelValue | None:
        """Compare in the type of the left scalar; the result is one bit."""
        if isinstance(other, EnumValue):
            other = StaticValue(other.number)
        if not isinstance(other, Scalar | StaticValue) or _is_text(other):
            return None
        operands = _operands(ctx, self, other, reflected, span)
        if operands is None:
            return POISON
        left, right, dtype = operands
        signed, unsigned, floating = _PREDICATES[op]
        _check_unsigned(ctx, op, dtype, span)
        name, predicate = (
            ("cmpf", floating)
            if dtype.is_float
            else (
                "cmpi",
                unsigned if dtype.is_int and not dtype.is_signed else signed,
            )
        )
        value = ctx.builder.arith(name, [left, right], BIT, span, predicate=predicate)
        return Scalar(value, BIT, self.stays_unknown(other))

    def unary(self, ctx: Context, op: Operator, span: Span) -> KernelValue | None:
        """Negate, or test for zero."""
        if op is Operator.POS:
            return self
        if op is Operator.NOT:
            return self.compare(ctx, Operator.EQ, StaticValue(0), False, span)
        if op is Operator.NEG and self.dtype.is_float:
            ctx.report(toolchain_negative.report(span))
            return Scalar(ctx.builder.arith("negf", [self.value], self.dtype, span), self.dtype, self.unknown_const)
        if op is Operator.NEG:
            return self.binary(ctx, Operator.MUL, StaticValue(-1), False, span)
        return None

    def stays_unknown(self, other: KernelValue) -> bool:
        """Tell whether a result with `other` is a compile-time number that only a launch knows."""
        return self.unknown_const and (not isinstance(other, Scalar) or other.unknown_const)

    def truth(self, ctx: Context, span: Span) -> IRValue | None:
        """Return one bit that is set when the value is not zero."""
        if self.dtype is BIT:
            return self.value
        if self.dtype.is_float:
            ctx.not_supported(f"a {self.dtype.value} is not a condition", span, "Compare it, for example `x != 0.0`.")
            return None
        bit = self.compare(ctx, Operator.NE, StaticValue(0), False, span)
        return bit.value if isinstance(bit, Scalar) else None

    def getattr(self, ctx: Context, name: str, span: Span) -> KernelValue:
        """Read `dtype`, `cast` or `ceildiv`."""
        if name == "dtype":
            from asclens_compiler.frontend.dtypes import DTypeValue  # noqa: PLC0415 (values know each other)

            return DTypeValue(self.dtype)
        if name in ("cast", "ceildiv", "logical_and", "logical_or"):
            return _ScalarMethod(self, name)
        return ctx.no_member(self, name, span)


@dataclass(slots=True, eq=False)
class _ScalarMethod(KernelValue):
    owner: Scalar
    name: str
    kind = "scalar method"

    def call(
        self, ctx: Context, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue:
        """Call the method."""
        from asclens_compiler.frontend.dtypes import DTypeValue  # noqa: PLC0415 (values know each other)

        values = [*args, *kwargs.values()]
        if len(values) != 1:
            return ctx.not_supported(f"`{self.name}` takes one argument", span)
        other = values[0]
        if other is POISON:
            return POISON
        if self.name == "cast":
            if not isinstance(other, DTypeValue):
                return ctx.not_supported(f"`cast` takes a dtype, not {other.describe()}", span)
            return cast(ctx, self.owner, other.dtype, span)
        if self.name == "ceildiv":
            return ceildiv(ctx, self.owner, other, span) or POISON
        return logical(ctx, "andi" if self.name == "logical_and" else "ori", self.owner, other, span)


def ceildiv(ctx: Context, left: KernelValue, right: KernelValue, span: Span) -> KernelValue | None:
    """Divide rounding up; None when an operand is no number."""
    if isinstance(left, StaticValue) and isinstance(right, StaticValue):
        total = left.binary(ctx, Operator.ADD, right, False, span)
        less = total.binary(ctx, Operator.SUB, StaticValue(1), False, span) if total is not None else None
        return less.binary(ctx, Operator.FLOORDIV, right, False, span) if less is not None else None
    owner, other, reflected = (left, right, False) if isinstance(left, Scalar) else (right, left, True)
    if not isinstance(owner, Scalar):
        return None
    operands = _operands(ctx, owner, other, reflected, span)
    if operands is None or not operands[2].is_int:
        return ctx.not_supported("`ceildiv` needs integers", span)
    first, second, dtype = operands
    name = "ceildivsi" if dtype.is_signed else "ceildivui"
    return Scalar(ctx.builder.arith(name, [first, second], dtype, span), dtype, owner.stays_unknown(other))


def logical(ctx: Context, name: str, left: KernelValue, right: KernelValue, span: Span) -> KernelValue:
    """Combine two truth values, without short circuit; `name` is `andi` or `ori`."""
    bits: list[IRValue] = []
    unknown = all(is_unknown(side) or isinstance(side, StaticValue) for side in (left, right))
    for side in (left, right):
        bit = side.truth(ctx, span)
        if bit is None:
            return POISON
        bits.append(ctx.constant(bit, BIT, span) if isinstance(bit, bool) else bit)
    return Scalar(ctx.builder.arith(name, bits, BIT, span), BIT, unknown)


def is_unknown(value: KernelValue) -> bool:
    """Tell whether a value is a compile-time number that only a launch knows."""
    return isinstance(value, Scalar) and value.unknown_const


def literal_type(literal: StaticValue) -> ScalarType | None:
    """Return the device type of a literal: one bit, int32 (int64 when it needs more), float32."""
    value = literal.value
    if isinstance(value, bool):
        return ScalarType(BIT)
    if isinstance(value, int):
        return ScalarType(DType.INT32 if _fits(value, DType.INT32) else DType.INT64)
    return ScalarType(DType.FLOAT32) if isinstance(value, float) else None


def materialize(ctx: Context, value: KernelValue, dtype: DType | None, span: Span) -> Scalar | None:
    """Return `value` as a scalar of `dtype` (its own or the literal's type when None).

    None when it is no number (nothing is reported) or poison.
    """
    if isinstance(value, Scalar):
        return value if dtype is None else cast(ctx, value, dtype, span, implicit=True)
    if not isinstance(value, StaticValue) or not isinstance(value.value, int | float):
        return None
    if dtype is None or dtype is DType.UNKNOWN:
        kind = literal_type(value)
        assert kind is not None
        dtype = kind.dtype
        if dtype is DType.INT64:
            ctx.fail(constant_overflow.report(value.value, DType.INT32, span))
    number = convert(ctx, value.value, dtype, span)
    return Scalar(ctx.constant(number, dtype, span), dtype)


def convert(ctx: Context, number: int | float, dtype: DType, span: Span) -> int | float | bool:
    """Return a literal as a number of `dtype`; report what is lost."""
    if dtype is BIT:
        return bool(number)
    if dtype.is_float or dtype is DType.UNKNOWN:
        return float(number) if dtype.is_float else number
    if isinstance(number, float):
        if not math.isfinite(number):
            ctx.fail(constant_overflow.report(number, dtype, span))
            return 0
        if not number.is_integer():
            ctx.report(scalar_narrowing.report_constant(number, int(number), dtype.value, span))
        number = int(number)
    if not _fits(int(number), dtype):
        ctx.fail(constant_overflow.report(number, dtype, span))
        return 0
    return int(number)


def cast(ctx: Context, scalar: Scalar, dtype: DType, span: Span, *, implicit: bool = False) -> Scalar:
    """Convert a scalar; an implicit conversion that loses information is reported."""
    source = scalar.dtype
    if source is dtype or DType.UNKNOWN in (source, dtype):
        return scalar
    if source.is_float != dtype.is_float and source.bits != dtype.bits:
        ctx.fail(scalar_cast.report(source.value, dtype.value, span))
    elif implicit and _loses(source, dtype):
        ctx.report(scalar_narrowing.report(source.value, dtype.value, span))
    return Scalar(ctx.builder.cast(scalar.value, dtype, span), dtype, scalar.unknown_const)


def _loses(source: DType, target: DType) -> bool:
    if source.is_float:
        return not target.is_float or source.bits > target.bits
    return not target.is_float and source.bits > target.bits and target is not BIT


def _fits(number: int, dtype: DType) -> bool:
    if dtype is BIT:
        return number in (-1, 0, 1)
    low = -(1 << (dtype.bits - 1)) if dtype.is_signed else 0
    return low <= number < low + (1 << dtype.bits)


def _is_zero(value: KernelValue) -> bool:
    return isinstance(value, StaticValue) and isinstance(value.value, int) and not value.value


def _is_text(value: KernelValue) -> bool:
    return isinstance(value, StaticValue) and not isinstance(value.value, int | float)


def _operands(
    ctx: Context, owner: Scalar, other: KernelValue, reflected: bool, span: Span
) -> tuple[IRValue, IRValue, DType] | None:
    left, right = (other, owner) if reflected else (owner, other)
    dtype = left.dtype if isinstance(left, Scalar) else owner.dtype
    first = materialize(ctx, left, dtype, span)
    second = materialize(ctx, right, dtype, span) if first is not None else None
    if first is None or second is None:
        return None
    return first.value, second.value, dtype


def _check_unsigned(ctx: Context, op: Operator, dtype: DType, span: Span) -> None:
    if op in _SIGNLESS_ONLY and dtype.is_int and not dtype.is_signed:
        ctx.report(toolchain_unsigned.report(op.value, dtype.value, span))
