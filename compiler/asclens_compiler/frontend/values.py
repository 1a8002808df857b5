# SPDX-License-Identifier: Apache-2.0
"""What a name or expression of a kernel stands for while the kernel is traced.

Every abstract value is a `KernelValue`. A method that cannot answer reports a diagnostic and
returns `POISON`; poison flows through all later uses silently, so one mistake gives one message.
`binary` and `compare` return None for "not mine", as Python's NotImplemented.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, ClassVar

from asclens_compiler.frontend.facts import ValueFact

if TYPE_CHECKING:
    from asclens_compiler.ascir.builder import IRValue
    from asclens_compiler.ascir.types import AscType
    from asclens_compiler.frontend.context import Context
    from asclens_compiler.source.span import Span


class Operator(Enum):
    """Name a Python operator by its symbol."""

    ADD = "+"
    SUB = "-"
    MUL = "*"
    DIV = "/"
    FLOORDIV = "//"
    MOD = "%"
    POW = "**"
    MATMUL = "@"
    SHL = "<<"
    SHR = ">>"
    AND = "&"
    OR = "|"
    XOR = "^"
    EQ = "=="
    NE = "!="
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="
    NEG = "unary -"
    POS = "unary +"
    INVERT = "~"
    NOT = "not"

    @property
    def mirrored(self) -> Operator:
        """Return the comparison that holds with the operands exchanged."""
        return _MIRRORED.get(self, self)


_MIRRORED = {Operator.LT: Operator.GT, Operator.GT: Operator.LT, Operator.LE: Operator.GE, Operator.GE: Operator.LE}


class KernelValue:
    """Stand for one value; subclasses override what they support."""

    __slots__ = ()
    kind: ClassVar[str] = "value"

    def describe(self) -> str:
        """Return the words that messages use for this value."""
        return self.kind

    def getattr(self, ctx: Context, name: str, span: Span) -> KernelValue:
        """Read attribute `name`."""
        return ctx.no_member(self, name, span)

    def setattr(self, ctx: Context, name: str, value: KernelValue, span: Span) -> None:
        """Store into attribute `name`."""
        del value
        ctx.no_member(self, name, span)

    def call(
        self, ctx: Context, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue:
        """Call the value."""
        del args, kwargs
        return ctx.not_supported(f"{self.describe()} cannot be called", span)

    def binary(self, ctx: Context, op: Operator, other: KernelValue, reflected: bool, span: Span) -> KernelValue | None:
        """Return `self op other`, or `other op self` when `reflected`; None when not supported."""
        del ctx, op, other, reflected, span
        return None

    def compare(
        self, ctx: Context, op: Operator, other: KernelValue, reflected: bool, span: Span
    ) -> KernelValue | None:
        """Return `self op other` for a comparison, or `other op self` when `reflected`."""
        del ctx, op, other, reflected, span
        return None

    def beside_unknown(self, ctx: Context, op: Operator, span: Span) -> KernelValue:
        """Return what an operator gives when the other operand is not known: nothing is known, mostly."""
        del ctx, op, span
        return POISON

    def undecided(self, ctx: Context, others: Sequence[KernelValue]) -> KernelValue:
        """Return what a name holds that an `if` only a launch decides may have bound to others: mostly unknown."""
        del ctx, others
        return POISON

    def unary(self, ctx: Context, op: Operator, span: Span) -> KernelValue | None:
        """Return `op self`; None when not supported."""
        del ctx, op, span
        return None

    def getitem(self, ctx: Context, index: KernelValue, span: Span) -> KernelValue:
        """Read `self[index]`; a slice arrives as `SliceValue`, several indices as `SequenceValue`."""
        del index
        return ctx.not_supported(f"{self.describe()} cannot be indexed", span)

    def setitem(self, ctx: Context, index: KernelValue, value: KernelValue, span: Span) -> None:
        """Store into `self[index]`."""
        del index, value
        ctx.not_supported(f"{self.describe()} has no element assignment", span)

    def truth(self, ctx: Context, span: Span) -> bool | IRValue | None:
        """Return a compile-time truth value, a one-bit IR value, or None after reporting."""
        ctx.not_supported(f"{self.describe()} is not a condition", span)
        return None

    def enter(self, ctx: Context, span: Span) -> KernelValue:
        """Enter a `with` block and return what `as` binds."""
        return ctx.not_supported(f"{self.describe()} cannot be used in `with`", span)

    def leave(self, ctx: Context, span: Span) -> None:
        """Leave a `with` block."""

    def carries(self) -> bool:
        """Tell whether a run-time block that rebinds a name must pass the value on.

        False for values that are storage: rebinding such a name stores into it (`on_rebind`).
        """
        return True

    def items(self) -> Sequence[KernelValue] | None:
        """Return the elements when their number is known at compile time."""
        return None

    def length(self, ctx: Context, span: Span) -> KernelValue | None:
        """Return `len(self)`; None when it has none."""
        del ctx, span
        return None

    def is_compile_time(self) -> bool:
        """Tell whether this is an object of the compiler, not of the device (numbers, dtypes, enums, functions)."""
        return False

    def api_class(self) -> str:
        """Return the facade class of which this is an instance (`asc.LocalTensor`), else an empty text."""
        return ""

    def is_class_of(self, value: KernelValue) -> bool | None:
        """Answer `isinstance(value, self)`; None when unknown."""
        del value
        return None

    def on_rebind(self, ctx: Context, name: str, new_value: KernelValue, span: Span) -> KernelValue:
        """Return what `name`, which holds this value, holds after `name = new_value`."""
        del ctx, name, span
        return new_value

    def held(self) -> IRValue | None:
        """Return the run-time value that already exists, None for compile-time values."""
        return None

    def fact(self, name: str, span: Span) -> ValueFact:
        """Return what the editor shows for `name` bound to this value."""
        return ValueFact(span=span, name=name, type=self.describe())

    def ir(self, ctx: Context, span: Span) -> IRValue | None:
        """Return the run-time value, made on demand (literals become constants); None when there is none."""
        del ctx, span
        return None

    def ir_type(self) -> AscType | None:
        """Return the type that `ir` would have."""
        return None

    def rebuilt(self, value: IRValue) -> KernelValue:
        """Return this value with another IR value of the same type (a loop argument, a branch result)."""
        del value
        return self

    def restore(self, state: object) -> None:
        """Return to a state that was given to `Context.remember` (values that change in place only)."""
        del state


class PoisonValue(KernelValue):
    """Stand for the result of something wrong or unknown; accepts every use without a message."""

    __slots__ = ()
    kind = "unknown value"

    def getattr(self, ctx: Context, name: str, span: Span) -> KernelValue:
        """Return poison."""
        del ctx, name, span
        return self

    def setattr(self, ctx: Context, name: str, value: KernelValue, span: Span) -> None:
        """Accept anything."""
        del ctx, name, value, span

    def call(
        self, ctx: Context, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue:
        """Return poison."""
        del ctx, args, kwargs, span
        return self

    def binary(self, ctx: Context, op: Operator, other: KernelValue, reflected: bool, span: Span) -> KernelValue:
        """Return poison."""
        del ctx, op, other, reflected, span
        return self

    def compare(self, ctx: Context, op: Operator, other: KernelValue, reflected: bool, span: Span) -> KernelValue:
        """Return poison."""
        del ctx, op, other, reflected, span
        return self

    def unary(self, ctx: Context, op: Operator, span: Span) -> KernelValue:
        """Return poison."""
        del ctx, op, span
        return self

    def getitem(self, ctx: Context, index: KernelValue, span: Span) -> KernelValue:
        """Return poison."""
        del ctx, index, span
        return self

    def setitem(self, ctx: Context, index: KernelValue, value: KernelValue, span: Span) -> None:
        """Accept anything."""
        del ctx, index, value, span

    def truth(self, ctx: Context, span: Span) -> None:
        """Return None: neither known nor a run-time value."""
        del ctx, span


POISON = PoisonValue()
