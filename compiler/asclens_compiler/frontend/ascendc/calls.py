# SPDX-License-Identifier: Apache-2.0
"""API calls: overload by the opset's row, operands by its binding, then one op."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from asclens_compiler.ascir.types import AscType, GlobalType, HandleType, LocalType, PointerType, ScalarType, StructType
from asclens_compiler.ascir.values import IRValue
from asclens_compiler.frontend.asc_names import AscModule
from asclens_compiler.frontend.ascendc.matching import Match, explain, match, signature
from asclens_compiler.frontend.ascendc.objects import (
    DeviceObject,
    GlobalTensorValue,
    LocalTensorValue,
    PointerValue,
)
from asclens_compiler.frontend.context import Context
from asclens_compiler.frontend.dtypes import DTypeValue
from asclens_compiler.frontend.enums import EnumClass, EnumValue
from asclens_compiler.frontend.facts import CallFact
from asclens_compiler.frontend.rules import constexpr_argument, no_overload, unset_buffer, unsupported_api
from asclens_compiler.frontend.scalars import Scalar, materialize
from asclens_compiler.frontend.static import NONE, SequenceValue, StaticValue
from asclens_compiler.frontend.values import POISON, KernelValue
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.paths import copy_path
from asclens_compiler.hardware.pipes import Memory, Pipe, Position
from asclens_compiler.opset.model import NO_DEFAULT, ApiRow, AttrRow, OperandRow, OpRow, Overload, PipeRule, Role
from asclens_compiler.opset.registry import opset
from asclens_compiler.source.span import Span


@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    """How one operand or attribute of an op comes from a call.

    `source` is a parameter's name, `self`, or empty for an absent one; `literal` is a fixed value.
    `same_as` is the position of the operand whose element type a scalar takes, -1 for none.
    """

    row: OperandRow | AttrRow
    source: str
    literal: KernelValue | None = None
    wanted: DType | None = None
    same_as: int = -1


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """An overload prepared for lowering."""

    op: OpRow | None
    operands: tuple[_Step, ...]
    attrs: tuple[_Step, ...]
    defaults: dict[str, KernelValue]


# Rows live as long as the program, so their ids name them; hashing a row would walk all of it.
_PLANS: dict[int, Plan] = {}


def plan_of(overload: Overload) -> Plan:
    """Return the plan of an overload."""
    found = _PLANS.get(id(overload))
    if found is None:
        found = _PLANS[id(overload)] = _make_plan(overload)
    return found


def _make_plan(overload: Overload) -> Plan:
    binding = dict(overload.binding)
    defaults = {param.name: literal(param.default) for param in overload.params if param.default != NO_DEFAULT}
    names = {param.name for param in overload.params}
    op = opset().ops.get(overload.op)

    def step(row: OperandRow | AttrRow) -> _Step:
        source = binding.get(row.name, row.name if row.name in names else "")
        if source.startswith("="):
            return _Step(row, "", literal(source[1:]))
        if not isinstance(row, OperandRow) or op is None:
            return _Step(row, source)
        wanted = next(iter(row.dtypes)) if len(row.dtypes) == 1 else None
        return _Step(row, source, None, wanted, op.operand_index(row.same_as) if row.same_as else -1)

    rows = (op.operands, op.attrs) if op is not None else ((), ())
    return Plan(op, tuple(step(row) for row in rows[0]), tuple(step(row) for row in rows[1]), defaults)


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """A call whose overload is chosen; what special lowerings work on."""

    ctx: Context
    row: ApiRow
    match: Match
    owner: DeviceObject | None
    args: Sequence[KernelValue]
    kwargs: Mapping[str, KernelValue]
    span: Span

    def value(self, name: str) -> KernelValue:
        """Return a parameter's value, its default when it was not given."""
        found = self.match.values.get(name)
        if found is not None:
            return found
        return plan_of(self.match.overload).defaults.get(name, NONE)

    def constant(self, name: str) -> int | None:
        """Return a parameter as a compile-time int, None when it is none."""
        value = self.value(name)
        if isinstance(value, EnumValue):
            return value.number
        return int(value.value) if isinstance(value, StaticValue) and isinstance(value.value, int) else None


def call_path(
    ctx: Context,
    path: str,
    args: Sequence[KernelValue],
    kwargs: Mapping[str, KernelValue],
    span: Span,
    *,
    owner: DeviceObject | None = None,
) -> KernelValue:
    """Call the API `path`; report what does not fit."""
    row = opset().apis.get(path)
    if row is None:
        return ctx.not_supported(f"`{path}` cannot be called in a kernel", span)
    if row.unsupported:
        return ctx.fail(unsupported_api.report(path, row.unsupported, span))
    free = FREE_FORM.get(path)
    if free is not None:
        found: Match | None = Match(row.overloads[0], {})
    else:
        found = match(row, args, kwargs)
    if found is None:
        return _refuse(ctx, row, args, kwargs, span)
    call = Call(ctx, row, found, owner, args, kwargs, span)
    note(call)
    if POISON in args or POISON in kwargs.values():
        ctx.incomplete = True
        return poisoned(call)
    if free is not None:
        return free(call)
    special = LOWERINGS.get(found.overload.lower)
    return special(call) if special is not None else lower(call)


def _refuse(
    ctx: Context, row: ApiRow, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
) -> KernelValue:
    reason = explain(row, args, kwargs)
    for overload in row.overloads:
        given = [*zip(overload.params, args, strict=False)]
        given += [(param, kwargs[param.name]) for param in overload.params if param.name in kwargs]
        for param, value in given:
            if param.kind.name.startswith("CONST_") and isinstance(value, Scalar):
                return ctx.fail(constexpr_argument.report(param.name, value.describe(), span))
    forms = [signature(row, overload) for overload in row.overloads]
    return ctx.fail(no_overload.report(row.name, reason, forms, span))


def poisoned(call: Call) -> KernelValue:
    """Return what a call with an unknown argument gives: unknown; so is a tensor whose buffer is unknown."""
    if isinstance(call.owner, GlobalTensorValue):
        call.owner.unknown = call.owner.handle is None
    return POISON


def note(call: Call) -> None:
    """Record the call for the editor."""
    if not call.ctx.record_facts:
        return
    overload = call.match.overload
    op = opset().ops.get(overload.op)
    pipe = _pipe(call, op) if op is not None else ""
    call.ctx.facts.append(
        CallFact(
            span=call.span,
            api=call.row.name,
            op=overload.op,
            pipe=pipe,
            cpp=op.cpp if op is not None else "",
            summary=call.row.summary,
            overload=signature(call.row, overload),
        )
    )


def _pipe(call: Call, op: OpRow) -> str:
    """Return the pipe that the op runs on; of a copy it follows from the two memories."""
    if isinstance(op.pipe, Pipe):
        return op.pipe.name
    if op.pipe is not PipeRule.COPY_PATH:
        return ""
    target, source = (_memory(call.match.values.get(name)) for name in ("dst", "src"))
    path = copy_path(source, target) if source is not None and target is not None else None
    return path.pipe.name if path is not None else ""


def _memory(value: KernelValue | None) -> Memory | None:
    if isinstance(value, GlobalTensorValue):
        return Memory.GM
    return value.position.memory if isinstance(value, LocalTensorValue) else None


def lower(call: Call, results: Sequence[AscType] | None = None) -> KernelValue:
    """Make the op of the chosen overload; `results` overrides the result types of the row."""
    row = plan_of(call.match.overload).op
    if row is None:
        return call.ctx.not_supported(f"`{call.row.name}` cannot be called in a kernel", call.span)
    built = build(call)
    if built is None:
        return POISON
    operands, attrs = built
    if results is None:
        results = [result_type(call, name) for name in row.results]
    values = call.ctx.builder.op(row.name, operands, attrs=attrs, results=results, span=call.span)
    if not values:
        return NONE
    made = [wrap(call, name, value) for name, value in zip(row.results, values, strict=True)]
    return made[0] if len(made) == 1 else SequenceValue(made)


Attributes = dict[str, bool | int | float | str | tuple[object, ...]]


def build(call: Call) -> tuple[list[IRValue | list[IRValue] | None], Attributes] | None:
    """Return operands and attributes of the op; None after a report."""
    plan = plan_of(call.match.overload)
    operands: list[IRValue | list[IRValue] | None] = []
    for step in plan.operands:
        assert isinstance(step.row, OperandRow)
        made = _operand(call, step, step.row, operands)
        if made is _FAILED:
            return None
        operands.append(made)  # pyright: ignore[reportArgumentType]  _FAILED is excluded above
    attrs: Attributes = {}
    for step in plan.attrs:
        value = _bound(call, step)
        if value is not None and isinstance(step.row, AttrRow):
            attrs[step.row.name] = attribute(step.row, value)
    return operands, attrs


_FAILED = object()


def _bound(call: Call, step: _Step) -> KernelValue | None:
    source = step.source
    if source == "self":
        return call.owner
    return call.value(source) if source else step.literal


def _operand(
    call: Call, step: _Step, row: OperandRow, before: Sequence[object]
) -> IRValue | list[IRValue] | object | None:
    value = _bound(call, step)
    if value is None or (isinstance(value, StaticValue) and value.value is None):
        return [] if row.variadic else None
    if row.role is Role.SCALAR:
        return _scalar_operand(call, step, row, value, before)
    ctx, span = call.ctx, call.span
    held = value.ir(ctx, span)
    if held is None:
        if isinstance(value, GlobalTensorValue):
            if not value.unknown:
                ctx.fail(unset_buffer.report(span))
        else:
            ctx.not_supported(f"`{call.row.name}` cannot take {value.describe()} here", span)
        return _FAILED
    return [held] if row.variadic else held


def _scalar_operand(
    call: Call, step: _Step, row: OperandRow, value: KernelValue, before: Sequence[object]
) -> IRValue | list[IRValue] | object:
    ctx, span, wanted = call.ctx, call.span, step.wanted
    exact = step.same_as >= 0
    if exact:
        kind = getattr(before[step.same_as], "type", None)
        dtype = getattr(kind, "dtype", None)
        wanted = dtype if isinstance(dtype, DType) and dtype is not DType.UNKNOWN else None
    items = value.items() if row.variadic else None
    if items is None:
        made = number(ctx, value, wanted, span, exact=exact)
        if made is not None:
            return [made] if row.variadic else made
    else:
        several = [number(ctx, item, wanted, span, exact=exact) for item in items]
        found = [item for item in several if item is not None]
        if len(found) == len(several):
            return found
    ctx.not_supported(f"`{call.row.name}` needs a number for `{row.name}`, not {value.describe()}", span)
    return _FAILED


# Literals for narrow unsigned operands (addresses, counts) are made as plain int32.
_NARROW = frozenset({DType.UINT8, DType.UINT16, DType.UINT32})


def number(ctx: Context, value: KernelValue, wanted: DType | None, span: Span, *, exact: bool) -> IRValue | None:
    """Return a number operand: literals in the wanted type, run-time integers as they are unless `exact`."""
    if isinstance(value, EnumValue):
        value = StaticValue(value.number)
    if isinstance(value, Scalar):
        if value.dtype is DType.UNKNOWN or wanted is None:
            return value.value
        if exact or value.dtype.is_float != wanted.is_float:
            return ctx.builder.cast(value.value, wanted, span)
        return value.value
    if wanted in _NARROW and not exact and isinstance(value, StaticValue) and isinstance(value.value, int):
        wanted = DType.INT32 if 0 <= value.value < 1 << 31 else wanted
    scalar = materialize(ctx, value, wanted, span)
    return scalar.value if scalar is not None else None


def attribute(row: AttrRow, value: KernelValue) -> bool | int | float | str | tuple[object, ...]:
    """Return an attribute's plain value."""
    if isinstance(value, EnumValue):
        return value.member
    if row.enum and isinstance(value, StaticValue) and isinstance(value.value, int):
        members = opset().enums[row.enum].members
        return next((member for member, number in members if number == value.value), "")
    if isinstance(value, DTypeValue):
        return value.dtype.value
    if isinstance(value, StaticValue) and isinstance(value.value, bool | int | float | str):
        return bool(value.value) if row.kind is bool else value.value
    items = value.items()
    if items is not None:
        return tuple(item.value for item in items if isinstance(item, StaticValue))
    return {bool: False, int: 0, float: 0.0}.get(row.kind, "")


def result_type(call: Call, name: str) -> AscType:
    """Return the type of a result from the row's name for it."""
    owner = call.owner
    if name == "element":
        return ScalarType(_element(call))
    if name in ("LocalTensor", "LocalTensorAuto"):
        dtype = call.match.values.get("dtype") or call.match.values.get("data_type")
        place = call.match.values.get("pos")
        position = getattr(owner, "position", Position.VECCALC)
        if isinstance(place, EnumValue) and place.member in Position.__members__:
            position = Position[place.member]
        return LocalType(dtype.dtype if isinstance(dtype, DTypeValue) else _element(call), position)
    if name == "GlobalTensor":
        assert owner is not None
        kind = owner.ir_type()
        return kind if kind is not None else GlobalType(DType.UNKNOWN)
    if name == "GlobalAddress":
        dtype = call.match.values.get("dtype")
        return PointerType(dtype.dtype if isinstance(dtype, DTypeValue) else getattr(owner, "dtype", DType.UINT8))
    if name in ("dtype", "struct"):
        dtype = call.match.values.get("dtype")
        return ScalarType(dtype.dtype if isinstance(dtype, DTypeValue) else DType.UNKNOWN)
    if name in _SCALARS:
        return ScalarType(_SCALARS[name])
    return StructType(name) if name in opset().structs else HandleType(name)


_SCALARS = {dtype.value: dtype for dtype in DType}


def _element(call: Call) -> DType:
    for value in (call.owner, *call.args, *call.kwargs.values()):
        dtype = getattr(value, "dtype", None)
        if isinstance(value, DeviceObject) and isinstance(dtype, DType):
            return dtype
    return DType.UNKNOWN


def wrap(call: Call, name: str, value: IRValue) -> KernelValue:
    """Return a result as a value of the kernel."""
    kind = value.type
    if isinstance(kind, ScalarType):
        return Scalar(value, kind.dtype)
    if isinstance(kind, LocalType):
        return LocalTensorValue("LocalTensor", value, kind.dtype, kind.position, kind.shape)
    if isinstance(kind, PointerType):
        return PointerValue("GlobalAddress", value, kind.dtype)
    if name == "GlobalTensor":
        return GlobalTensorValue("GlobalTensor", value, getattr(kind, "dtype", DType.UNKNOWN))
    del call
    return DeviceObject(name, value)


@cache
def literal(text: str) -> KernelValue:
    """Return the value of a literal of the opset (`HardEvent.V_S`, `()`, `UnaryRepeatParams()`)."""
    return _evaluate(ast.parse(text, mode="eval").body)


# Special lowerings by `Overload.lower`, and calls without a row's overloads; filled by `lowerings`.
LOWERINGS: dict[str, Callable[[Call], KernelValue]] = {}
FREE_FORM: dict[str, Callable[[Call], KernelValue]] = {}


def _evaluate(node: ast.expr) -> KernelValue:
    if isinstance(node, ast.Tuple | ast.List):
        return SequenceValue([_evaluate(item) for item in node.elts], isinstance(node, ast.List))
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        owner = AscModule("asc").member(node.value.id)
        if isinstance(owner, EnumClass):
            return next(
                EnumValue(owner.row.name, name, number) for name, number in owner.row.members if name == node.attr
            )
        return DefaultStruct(f"{node.value.id}.{node.attr}")
    if isinstance(node, ast.Name):
        return AscModule("asc").member(node.id) or NONE
    if isinstance(node, ast.Call):
        return DefaultStruct(ast.unparse(node.func))
    value = ast.literal_eval(node)
    return StaticValue(value)


@dataclass(frozen=True, slots=True, eq=False)
class DefaultStruct(KernelValue):
    """A parameter struct with all defaults, made where it is used."""

    name: str
    kind = "parameter struct"

    def ir(self, ctx: Context, span: Span) -> IRValue | None:
        """Construct it."""
        module = "asc" if f"asc.{self.name}" in opset().apis else "asc.adv"
        return call_path(ctx, f"{module}.{self.name}", [], {}, span).held()
