# SPDX-License-Identifier: Apache-2.0
"""Public enums (`asc.HardEvent.MTE2_V`) as values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from asclens_compiler.frontend.facts import ValueFact
from asclens_compiler.frontend.rules import no_member
from asclens_compiler.frontend.static import StaticValue
from asclens_compiler.frontend.values import KernelValue, Operator

if TYPE_CHECKING:
    from asclens_compiler.frontend.context import Context
    from asclens_compiler.opset.model import EnumRow
    from asclens_compiler.source.span import Span


@dataclass(frozen=True, slots=True, eq=False)
class EnumValue(KernelValue):
    """One member."""

    type_name: str
    member: str
    number: int
    kind = "enum member"

    def describe(self) -> str:
        """Return for example `HardEvent.MTE2_V`."""
        return f"`{self.type_name}.{self.member}`"

    def fact(self, name: str, span: Span) -> ValueFact:
        """Show the member."""
        return ValueFact(span=span, name=name, type=self.type_name, constant=self.member)

    def getattr(self, ctx: Context, name: str, span: Span) -> KernelValue:
        """Read `name` or `value`."""
        if name == "name":
            return StaticValue(self.member)
        return StaticValue(self.number) if name == "value" else ctx.no_member(self, name, span)

    def compare(
        self, ctx: Context, op: Operator, other: KernelValue, reflected: bool, span: Span
    ) -> KernelValue | None:
        """Compare with a member or a number."""
        if isinstance(other, EnumValue) and op in (Operator.EQ, Operator.NE):
            same = (other.type_name, other.member) == (self.type_name, self.member)
            return StaticValue(same == (op is Operator.EQ))
        number = StaticValue(other.number) if isinstance(other, EnumValue) else other
        return StaticValue(self.number).compare(ctx, op, number, reflected, span)

    def binary(self, ctx: Context, op: Operator, other: KernelValue, reflected: bool, span: Span) -> KernelValue | None:
        """Compute with the number."""
        number = StaticValue(other.number) if isinstance(other, EnumValue) else other
        return StaticValue(self.number).binary(ctx, op, number, reflected, span)

    def truth(self, ctx: Context, span: Span) -> bool:
        """Return the truth of the number."""
        del ctx, span
        return bool(self.number)

    def is_compile_time(self) -> bool:
        """Return True."""
        return True


@dataclass(frozen=True, slots=True, eq=False)
class EnumClass(KernelValue):
    """An enum class."""

    row: EnumRow
    kind = "enum"

    @property
    def path(self) -> str:
        """Return the facade name."""
        return f"asc.{self.row.name}"

    def describe(self) -> str:
        """Return the name."""
        return f"`{self.path}`"

    def getattr(self, ctx: Context, name: str, span: Span) -> KernelValue:
        """Return a member, or what the surface adds (`PipeStage.start`)."""
        value = ctx.surface.asc_member(ctx, self.path, name, span)
        if value is not None:
            return value
        for member, number in self.row.members:
            if member == name:
                return EnumValue(self.row.name, member, number)
        known = [member for member, _ in self.row.members]
        name_span = type(span)(span.file, span.end_line, span.end_column - len(name), span.end_line, span.end_column)
        return ctx.fail(no_member.report(self.describe(), name, known, span, name_span))

    def call(
        self, ctx: Context, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue:
        """Return the member of a number."""
        if len(args) == 1 and not kwargs and isinstance(args[0], StaticValue):
            for member, number in self.row.members:
                if number == args[0].value:
                    return EnumValue(self.row.name, member, number)
        return ctx.not_supported(f"{self.describe()} has no such member", span)

    def is_class_of(self, value: KernelValue) -> bool:
        """Answer `isinstance`."""
        return isinstance(value, EnumValue) and value.type_name == self.row.name

    def is_compile_time(self) -> bool:
        """Return True."""
        return True
