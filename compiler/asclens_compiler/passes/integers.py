# SPDX-License-Identifier: Apache-2.0
"""Integer arithmetic that is done while compiling where it can be, else by int32 ops."""

from __future__ import annotations

from dataclasses import dataclass

from asclens_compiler.ascir.builder import Builder
from asclens_compiler.ascir.values import IRValue
from asclens_compiler.errors import InternalError
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.source.span import Span


@dataclass(frozen=True, slots=True)
class Integer:
    """A number known while compiling, or an int32 value."""

    known: int | None
    run_time: IRValue | None = None


class Integers:
    """Compute with integers at one place of a program."""

    def __init__(self, builder: Builder, span: Span) -> None:
        self._builder = builder
        self._span = span

    def number(self, value: int) -> Integer:
        """Return a known number."""
        return Integer(value)

    def wrap(self, literal: float | bool | None, value: IRValue) -> Integer:
        """Return a literal as a known number, anything else as a run-time value."""
        return Integer(int(literal)) if literal is not None else Integer(None, value)

    def value(self, item: Integer) -> IRValue:
        """Return an int32 value."""
        if item.known is not None:
            return self._builder.constant(item.known, DType.INT32, self._span)
        if item.run_time is None:
            raise InternalError("an integer without value", span=self._span)
        return item.run_time

    def plus(self, left: Integer, right: Integer) -> Integer:
        """Return the sum."""
        if left.known is not None and right.known is not None:
            return Integer(left.known + right.known)
        if 0 in (left.known, right.known):
            return right if left.known == 0 else left
        return self._op("addi", left, right)

    def minus(self, left: Integer, right: Integer) -> Integer:
        """Return the difference."""
        if left.known is not None and right.known is not None:
            return Integer(left.known - right.known)
        return left if right.known == 0 else self._op("subi", left, right)

    def times(self, left: Integer, right: Integer | int) -> Integer:
        """Return the product."""
        factor = right if isinstance(right, Integer) else Integer(right)
        if left.known is not None and factor.known is not None:
            return Integer(left.known * factor.known)
        if 0 in (left.known, factor.known):
            return Integer(0)
        if 1 in (left.known, factor.known):
            return factor if left.known == 1 else left
        return self._op("muli", left, factor)

    def ceil(self, item: Integer, unit: int) -> Integer:
        """Return how many units hold a non-negative number."""
        if item.known is not None:
            return Integer(-(-item.known // unit))
        return self._op("divsi", self.plus(item, Integer(unit - 1)), Integer(unit))

    def minimum(self, item: Integer, limit: int) -> Integer:
        """Return the smaller of two numbers."""
        if item.known is not None:
            return Integer(min(item.known, limit))
        return self._op("minsi", item, Integer(limit))

    def _op(self, name: str, left: Integer, right: Integer) -> Integer:
        operands = [self.value(left), self.value(right)]
        return Integer(None, self._builder.arith(name, operands, DType.INT32, self._span))
