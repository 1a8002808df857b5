# SPDX-License-Identifier: Apache-2.0
"""Staged tensors as values of a kernel: in global memory, in UB, and masks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from asclens_compiler.ascir.types import AscType
from asclens_compiler.frontend.dtypes import DTypeValue
from asclens_compiler.frontend.facts import CallFact, ValueFact
from asclens_compiler.frontend.rules import no_member, staged_rebind
from asclens_compiler.frontend.scalars import Scalar
from asclens_compiler.frontend.staged import contents
from asclens_compiler.frontend.staged.extents import Shape, elems_of, shape_text, sizes_of
from asclens_compiler.frontend.static import SequenceValue, StaticValue
from asclens_compiler.frontend.values import POISON, KernelValue, Operator
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Pipe
from asclens_compiler.opset.registry import opset

if TYPE_CHECKING:
    from asclens_compiler.ascir.values import IRValue
    from asclens_compiler.frontend.context import Context
    from asclens_compiler.source.span import Span

METHODS = ("to_local", "copy_from", "to")
_ATTRIBUTES = ("dtype", "shape", "size")


@dataclass(frozen=True, slots=True, eq=False)
class StagedTensor(KernelValue):
    """A tensor; `shape` is None when nothing is known about it."""

    handle: IRValue
    dtype: DType
    shape: Shape | None
    kind = "tensor"

    def describe(self) -> str:
        """Return for example `a LOCAL tensor of float32 (1024,)`."""
        dtype = "" if self.dtype is DType.UNKNOWN else f" of {self.dtype.value}"
        return f"a {self.kind}{dtype} {shape_text(self.shape)}"

    def api_class(self) -> str:
        """Return the facade class."""
        return "asc.Tensor"

    def held(self) -> IRValue:
        """Return the handle."""
        return self.handle

    def ir(self, ctx: Context, span: Span) -> IRValue:
        """Return the handle."""
        del ctx, span
        return self.handle

    def ir_type(self) -> AscType:
        """Return the handle's type."""
        return self.handle.type

    def rebuilt(self, value: IRValue) -> KernelValue:
        """Return the tensor behind another handle."""
        return replace(self, handle=value)

    def length(self, ctx: Context, span: Span) -> KernelValue | None:
        """Return the first extent."""
        shape = self.getattr(ctx, "shape", span)
        items = shape.items()
        return items[0] if items else POISON

    def getattr(self, ctx: Context, name: str, span: Span) -> KernelValue:
        """Read an attribute, or a method."""
        if name == "dtype":
            return DTypeValue(self.dtype)
        if name == "shape":
            return POISON if self.shape is None else SequenceValue([_extent(item) for item in self.shape])
        if name == "size":
            count = elems_of(self.shape)
            return POISON if count is None else StaticValue(count)
        if name in METHODS:
            return TensorMethod(self, name)
        end = span.end_column
        place = type(span)(span.file, span.end_line, end - len(name), span.end_line, end)
        return ctx.fail(no_member.report("`Tensor`", name, (*_ATTRIBUTES, *METHODS), span, place))

    def truth(self, ctx: Context, span: Span) -> None:
        """Tensors are no conditions."""
        ctx.not_supported(
            f"{self.describe()} is not a condition",
            span,
            "Use `select(mask, a, b)` for elements, or read one element in a SCALAR stage.",
        )

    def binary(self, ctx: Context, op: Operator, other: KernelValue, reflected: bool, span: Span) -> KernelValue | None:
        """Compute element by element."""
        from asclens_compiler.frontend.staged import operations  # noqa: PLC0415  operations make tensors

        return operations.binary(ctx, op, self, other, reflected, span)

    def compare(
        self, ctx: Context, op: Operator, other: KernelValue, reflected: bool, span: Span
    ) -> KernelValue | None:
        """Compare element by element; gives a mask."""
        from asclens_compiler.frontend.staged import comparisons  # noqa: PLC0415  comparisons make masks

        if isinstance(other, StaticValue) and not isinstance(other.value, int | float):
            return StaticValue(op is Operator.NE) if op in (Operator.EQ, Operator.NE) else None
        return comparisons.compare(ctx, op.mirrored if reflected else op, self, other, span)

    def unary(self, ctx: Context, op: Operator, span: Span) -> KernelValue | None:
        """Negate, or invert bits."""
        from asclens_compiler.frontend.staged import operations  # noqa: PLC0415  operations make tensors

        return operations.unary(ctx, op, self, span)

    def fact(self, name: str, span: Span) -> ValueFact:
        """Show element type, shape, bytes and memory."""
        count = elems_of(self.shape)
        memory = "GM" if isinstance(self, GlobalTensor) else "UB"
        return ValueFact(
            span=span, name=name, type=self.describe(), dtype=_known(self.dtype), shape=sizes_of(self.shape),
            bytes=count * self.dtype.size_bytes if count is not None and self.dtype.bits else None, memory=memory,
            position="GM" if memory == "GM" else "VECCALC",
        )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class GlobalTensor(StagedTensor):
    """A tensor in global memory, or a part of one; `name` is that of the whole."""

    name: str = ""
    kind = "GLOBAL tensor"

    def getitem(self, ctx: Context, index: KernelValue, span: Span) -> KernelValue:
        """Return a part: a slice of a 1-D tensor, or whole rows of a 2-D one."""
        from asclens_compiler.frontend.staged import slices  # noqa: PLC0415  slices make tensors

        return slices.part(ctx, self, index, span)

    def setitem(self, ctx: Context, index: KernelValue, value: KernelValue, span: Span) -> None:
        """Global memory is written by `copy_from`."""
        del index, value
        ctx.not_supported(
            "elements of a GLOBAL tensor cannot be assigned", span, f"Use `{self.name}[a:b].copy_from(tensor)`."
        )


@dataclass(frozen=True, slots=True, eq=False)
class LocalTensor(StagedTensor):
    """A tensor in UB. `declared` marks a name's own allocation; `depth` counts run-time blocks around its making."""

    declared: bool = False
    depth: int = 0
    kind = "LOCAL tensor"

    def getitem(self, ctx: Context, index: KernelValue, span: Span) -> KernelValue:
        """Read an element, in a SCALAR stage."""
        from asclens_compiler.frontend.staged import slices  # noqa: PLC0415  slices make tensors

        return slices.element(ctx, self, index, span)

    def setitem(self, ctx: Context, index: KernelValue, value: KernelValue, span: Span) -> None:
        """Write an element, in a SCALAR stage."""
        from asclens_compiler.frontend.staged import slices  # noqa: PLC0415  slices make tensors

        slices.set_element(ctx, self, index, value, span)

    def beside_unknown(self, ctx: Context, op: Operator, span: Span) -> KernelValue:
        """Return what the operation gives whatever the other operand is: a tensor or a mask of this shape."""
        from asclens_compiler.frontend.staged import comparisons, operations  # noqa: PLC0415  both make tensors

        if ctx.static:
            return POISON
        compared = op in (Operator.EQ, Operator.NE, Operator.LT, Operator.LE, Operator.GT, Operator.GE)
        return (comparisons if compared else operations).beside_unknown(ctx, op, self, span)

    def undecided(self, ctx: Context, others: Sequence[KernelValue]) -> KernelValue:
        """Return this tensor for others of its kind: the rules see what is done with it, and nothing can run it."""
        if not all(isinstance(other, LocalTensor) and _same_kind(self, other) for other in others):
            return POISON
        ctx.incomplete = True
        return self

    def on_rebind(self, ctx: Context, name: str, new_value: KernelValue, span: Span) -> KernelValue:
        """Keep a declaration: the value must match it, and the name stays declared."""
        changed = isinstance(new_value, LocalTensor) and not _same_kind(self, new_value)
        if not self.declared and not (changed and ctx.blocks > self.depth):
            return new_value
        if new_value is POISON:
            contents.stored(ctx, self.handle)
            return self
        if not isinstance(new_value, LocalTensor) or changed:
            declared = self.describe().removeprefix("a ")
            ctx.fail(staged_rebind.RULE.report(span, name=name, declared=f"a {declared}", given=new_value.describe()))
            return self
        return replace(new_value, declared=self.declared)


@dataclass(frozen=True, slots=True, eq=False)
class MaskTensor(StagedTensor):
    """One bit per element, packed into bytes in UB; `dtype` is that of the compared tensors."""

    kind = "mask"

    def describe(self) -> str:
        """Return for example `a mask of (1024,)`."""
        return f"a mask of {shape_text(self.shape)}"

    def getattr(self, ctx: Context, name: str, span: Span) -> KernelValue:
        """Read `shape`, `dtype` or `to`."""
        if name == "dtype":
            return DTypeValue(DType.UINT8)
        if name in ("shape", "size", "to"):
            return StagedTensor.getattr(self, ctx, name, span)
        return ctx.not_supported(
            f"a mask has no `{name}`", span, "Convert it first: `mask.to(dtype=DataType.FLOAT32)` gives 0 and 1."
        )

    def compare(
        self, ctx: Context, op: Operator, other: KernelValue, reflected: bool, span: Span
    ) -> KernelValue | None:
        """Masks are not compared."""
        del op, other, reflected
        return ctx.not_supported("masks cannot be compared", span, "Combine them with `&`, `|` and `~`.")


@dataclass(frozen=True, slots=True, eq=False)
class TensorMethod(KernelValue):
    """A method together with its tensor."""

    owner: StagedTensor
    name: str
    kind = "tensor method"

    def describe(self) -> str:
        """Return for example `the method Tensor.to_local`."""
        return f"the method `Tensor.{self.name}`"

    def call(
        self, ctx: Context, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue:
        """Call the method."""
        from asclens_compiler.frontend.staged import methods  # noqa: PLC0415  methods make tensors

        note_call(ctx, f"Tensor.{self.name}", span)
        return methods.CALLS[self.name](ctx, self.owner, args, kwargs, span)


# The direction of a whole-tensor copy follows from its name.
_COPY_PIPES = {"Tensor.to_local": Pipe.MTE2.name, "Tensor.copy_from": Pipe.MTE3.name}


def note_call(ctx: Context, name: str, span: Span) -> None:
    """Record a call of the staged function `name` for the editor."""
    row = opset().apis.get(f"staged.{name}")
    if not ctx.record_facts or row is None:
        return
    op = opset().ops.get(row.overloads[0].op) if row.overloads else None
    ctx.note(
        CallFact(
            span=span,
            api=name,
            op=op.name if op is not None else "",
            pipe=_COPY_PIPES.get(name) or (op.pipe.name if op is not None and isinstance(op.pipe, Pipe) else ""),
            cpp=op.cpp if op is not None else "",
            summary=row.summary,
        )
    )


def _same_kind(left: LocalTensor, right: LocalTensor) -> bool:
    from asclens_compiler.frontend.staged.extents import may_agree  # noqa: PLC0415  kept beside its only use

    known = DType.UNKNOWN not in (left.dtype, right.dtype)
    return (not known or left.dtype is right.dtype) and may_agree(left.shape, right.shape)


def _extent(extent: object) -> KernelValue:
    size, value = getattr(extent, "size", None), getattr(extent, "value", None)
    if size is not None:
        return StaticValue(size)
    return Scalar(value, DType.INT32) if value is not None else POISON


def _known(dtype: DType) -> str | None:
    return None if dtype is DType.UNKNOWN else dtype.value
