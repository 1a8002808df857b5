# SPDX-License-Identifier: Apache-2.0
"""Python builtins that kernels may use, and `range` in its three kinds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from asclens_compiler.frontend.static import SequenceValue, StaticValue
from asclens_compiler.frontend.values import POISON, KernelValue

if TYPE_CHECKING:
    from asclens_compiler.frontend.context import Context
    from asclens_compiler.source.span import Span

MAX_LISTED_RANGE = 100_000


@dataclass(slots=True, eq=False)
class RangeCall(KernelValue):
    """`range(...)`, `asc.range(...)` or (`unrolled`) `asc.static_range(...)`."""

    start: KernelValue
    stop: KernelValue
    step: KernelValue
    unrolled: bool = False
    kind = "range"

    def parts(self) -> tuple[KernelValue, KernelValue, KernelValue]:
        """Return start, stop and step."""
        return self.start, self.stop, self.step

    def items(self) -> Sequence[KernelValue] | None:
        """Return the numbers when all parts are compile-time values."""
        numbers = [part.value for part in self.parts() if isinstance(part, StaticValue)]
        if len(numbers) != 3 or not all(isinstance(number, int) for number in numbers) or not numbers[2]:
            return None
        trips = range(*(int(number or 0) for number in numbers))
        return [StaticValue(number) for number in trips] if len(trips) <= MAX_LISTED_RANGE else None


@dataclass(frozen=True, slots=True, eq=False)
class RangeType(KernelValue):
    """The callable `range`."""

    name: str
    unrolled: bool = False
    kind = "range"

    def describe(self) -> str:
        """Return the name."""
        return f"`{self.name}`"

    def call(
        self, ctx: Context, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue:
        """Take one to three bounds."""
        if kwargs or not 1 <= len(args) <= 3:
            return ctx.not_supported(
                f"`{self.name}` takes 1 to 3 positional arguments, {len(args) + len(kwargs)} were given", span
            )
        zero, one = StaticValue(0), StaticValue(1)
        if len(args) == 1:
            return RangeCall(zero, args[0], one, self.unrolled)
        return RangeCall(args[0], args[1], args[2] if len(args) == 3 else one, self.unrolled)


def _number(ctx: Context, name: str, args: Sequence[KernelValue], span: Span) -> KernelValue:
    convert = {"int": int, "float": float, "bool": bool}[name]
    value = args[0] if args else StaticValue(0)
    if isinstance(value, StaticValue) and value.value is not None and not isinstance(value.value, bytes):
        try:
            return StaticValue(convert(value.value))
        except (ValueError, OverflowError) as error:
            return ctx.not_supported(f"`{name}({value.value!r})`: {error}", span)
    return ctx.not_supported(
        f"`{name}` takes a compile-time value, not {value.describe()}", span, "Use `.cast(asc.int32)` or another dtype."
    )


def _length(ctx: Context, _name: str, args: Sequence[KernelValue], span: Span) -> KernelValue:
    value = args[0]
    items = value.items()
    if items is not None:
        return StaticValue(len(items))
    if isinstance(value, StaticValue) and isinstance(value.value, str | bytes):
        return StaticValue(len(value.value))
    length = value.length(ctx, span)
    return length if length is not None else ctx.not_supported(f"{value.describe()} has no length", span)


def _text(ctx: Context, name: str, args: Sequence[KernelValue], span: Span) -> KernelValue:
    if args[0].held() is not None:
        return ctx.not_supported(
            f"`{name}` takes a compile-time value, not {args[0].describe()}",
            span,
            "Print run-time values with `asc.printf`.",
        )
    value = args[0].value if isinstance(args[0], StaticValue) else args[0].describe()
    return StaticValue(repr(value) if name == "repr" else str(value))


def _sequence(ctx: Context, name: str, args: Sequence[KernelValue], span: Span) -> KernelValue:
    items = args[0].items() if args else ()
    if items is None:
        return ctx.not_supported(f"`{name}` takes a compile-time sequence, not {args[0].describe()}", span)
    return SequenceValue(list(items), is_list=name == "list")


_TYPE_TESTS: dict[str, Callable[[KernelValue], bool]] = {
    "int": lambda value: isinstance(value, StaticValue) and isinstance(value.value, int),
    "float": lambda value: isinstance(value, StaticValue) and isinstance(value.value, float),
    "bool": lambda value: isinstance(value, StaticValue) and isinstance(value.value, bool),
    "str": lambda value: isinstance(value, StaticValue) and isinstance(value.value, str),
    "list": lambda value: isinstance(value, SequenceValue) and value.is_list,
    "tuple": lambda value: isinstance(value, SequenceValue) and not value.is_list,
}


def _is_instance(ctx: Context, _name: str, args: Sequence[KernelValue], span: Span) -> KernelValue:
    if len(args) != 2:
        return ctx.not_supported("`isinstance` takes two arguments", span)
    kinds = args[1].items() or (args[1],)
    result = False
    for kind in kinds:
        if isinstance(kind, BuiltinFunction) and kind.name in _TYPE_TESTS:
            result = result or _TYPE_TESTS[kind.name](args[0])
            continue
        answer = kind.is_class_of(args[0])
        if answer is None:
            return POISON
        result = result or answer
    return StaticValue(result)


def _type_of(ctx: Context, _name: str, args: Sequence[KernelValue], span: Span) -> KernelValue:
    for name, test in _TYPE_TESTS.items():
        if name != "int" and test(args[0]):
            return BUILTINS[name]
    if _TYPE_TESTS["int"](args[0]):
        return BUILTINS["int"]
    return ctx.not_supported(f"`type` does not know the class of {args[0].describe()}", span, "Use `isinstance`.")


_FUNCTIONS: dict[str, Callable[[Context, str, Sequence[KernelValue], Span], KernelValue]] = {
    "int": _number, "float": _number, "bool": _number, "len": _length, "str": _text, "repr": _text, "list": _sequence,
    "tuple": _sequence, "isinstance": _is_instance, "type": _type_of,
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class BuiltinFunction(KernelValue):
    """A builtin function or type."""

    name: str
    kind = "builtin"

    def describe(self) -> str:
        """Return the name."""
        return f"`{self.name}`"

    def call(
        self, ctx: Context, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue:
        """Evaluate while compiling."""
        if any(item is POISON for item in args):
            return POISON
        if kwargs or (not args and self.name not in ("int", "float", "list", "tuple", "bool")):
            return ctx.not_supported(f"`{self.name}` takes positional arguments", span)
        return _FUNCTIONS[self.name](ctx, self.name, args, span)


# The names that the toolchain's front end has; others are undefined in a kernel.
BUILTINS: dict[str, KernelValue] = {
    "range": RangeType("range"),
    **{name: BuiltinFunction(name) for name in _FUNCTIONS if name != "bool"},
}
