# SPDX-License-Identifier: Apache-2.0
"""`Builder`: what the frontend and the passes create AscIR with."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Any, cast

from asclens_compiler.ascir import bindings
from asclens_compiler.ascir.attributes import plain
from asclens_compiler.ascir.control import BranchHandle, LoopHandle, WhileHandle
from asclens_compiler.ascir.dialect import OpShape, op_shapes
from asclens_compiler.ascir.insertion import Cursor
from asclens_compiler.ascir.locations import Names, named, resolve
from asclens_compiler.ascir.scalars import PREDICATES, SIGN_CAST, cast_op
from asclens_compiler.ascir.typemap import signless
from asclens_compiler.ascir.types import AscType, ScalarType
from asclens_compiler.ascir.unit import KERNEL_ATTR, Unit
from asclens_compiler.ascir.values import IRValue
from asclens_compiler.errors import InternalError
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.source.span import Span

Operands = Sequence[IRValue | Sequence[IRValue] | None]
_NO_ATTRS: Mapping[str, object] = {}


class Builder:
    """Append ops to a unit: open a kernel, create ops and control flow, close the kernel.

    Every op takes the Python range it stands for. Mistakes in the use of the builder raise
    InternalError; mistakes of the user's program are the caller's diagnostics or show in `verify`.
    """

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.cursor = Cursor(unit)
        self._types = unit.session.types
        self._attrs = unit.session.attrs

    # Kernels

    def begin_kernel(
        self,
        name: str,
        params: Sequence[tuple[str, AscType, Span]],
        span: Span,
        *,
        attrs: Mapping[str, object] = _NO_ATTRS,
    ) -> list[IRValue]:
        """Open a kernel and return its parameters.

        `attrs` may hold `core_kind` (CoreKind), `auto_sync`, `staged` and more plain values.
        """
        ir, context = bindings.ir, self.unit.session.context
        if self.cursor.depth:
            raise InternalError(f"kernel {name} begins inside another kernel", span=span)
        types = [self._types.mlir(type_) for _, type_, _ in params]
        attributes: dict[str, Any] = {
            "sym_name": ir.StringAttr.get(name, context=context),
            "function_type": ir.TypeAttr.get(ir.FunctionType.get(types, [], context=context), context=context),
            KERNEL_ATTR: ir.UnitAttr.get(context=context),
        }
        attributes |= {f"ascir.{key}": self._attrs.mlir(plain(value)) for key, value in attrs.items()}
        self.cursor.enter(self.unit.module.body, span)
        function = self.raw("func.func", (), (), attributes, span, regions=1)
        self.cursor.leave()
        places = [named(context, self.cursor.location(at), [[text]]) for text, _, at in params]
        block = ir.Block.create_at_start(function.regions[0], types, places)
        self.cursor.enter(block, span)
        return [self.unit.wrap(argument, type_[1]) for argument, type_ in zip(block.arguments, params, strict=True)]

    def end_kernel(self, span: Span | None = None) -> None:
        """Close the kernel."""
        if self.cursor.depth != 1:
            raise InternalError(f"a kernel ends with {self.cursor.depth - 1} open blocks", span=span)
        location = self.cursor.location(span) if span is not None else self.unit.session.unknown
        bindings.ir.Operation.create("func.return", loc=location, ip=self.cursor.point)
        self.cursor.leave()

    # AscIR ops

    def op(
        self,
        name: str,
        operands: Operands = (),
        *,
        attrs: Mapping[str, object] = _NO_ATTRS,
        results: Sequence[AscType] = (),
        span: Span,
        names: Sequence[str] = (),
    ) -> tuple[IRValue, ...]:
        """Create the opset's op `name`; operands in row order, None where an optional one is absent.

        Attributes that are not given get the empty value of their kind.
        """
        shape = op_shapes().get(name)
        if shape is None:
            raise InternalError("the opset has no such op", op=name, span=span)
        values, attributes = self._flatten(shape, operands, span), self._attributes(shape, attrs, span)
        if shape.segmented:
            flat, sizes = _segmented(shape, values, span)
            attributes["operandSegmentSizes"] = self._attrs.segments(sizes)
        else:
            flat = [item for item in values if not isinstance(item, list)]
        created = self.raw(
            shape.name, flat, [self._types.mlir(item) for item in results], attributes, span, names=names
        )
        if len(results) == 1:
            return (IRValue(self.unit, created.result, results[0]),)
        return tuple(IRValue(self.unit, *pair) for pair in zip(created.results, results, strict=True))

    # Scalars

    def constant(self, value: float | bool, dtype: DType, span: Span) -> IRValue:
        """Return a scalar literal of `dtype`; integers wrap to its width."""
        ir, held = bindings.ir, signless(dtype)
        if dtype is DType.UNKNOWN:
            raise InternalError("a literal needs a type", span=span)
        type_ = self._types.mlir(ScalarType(held))
        if held.is_float:
            attribute = ir.FloatAttr.get(type_, float(value), loc=self.unit.session.unknown)
        elif held in (DType.BOOL, DType.INT1):
            attribute = ir.IntegerAttr.get(type_, int(bool(value)))
        else:
            half = 1 << (held.bits - 1)
            attribute = ir.IntegerAttr.get(type_, (int(value) + half) % (2 * half) - half)
        created = self.raw("arith.constant", (), [type_], {"value": attribute}, span)
        return self._signed_as(self.unit.wrap(created.result, ScalarType(held)), dtype, span)

    def arith(
        self, op: str, operands: Sequence[IRValue], result: DType, span: Span, predicate: str | None = None
    ) -> IRValue:
        """Create `arith.<op>`; unsigned operands and results pass through casts to their signed twins.

        With an operand of unknown type the op becomes `ascir.unknown_scalar`.
        """
        return self._scalar(f"arith.{op}", operands, result, span, predicate)

    def math(self, op: str, operands: Sequence[IRValue], result: DType, span: Span) -> IRValue:
        """Create `math.<op>`."""
        return self._scalar(f"math.{op}", operands, result, span, None)

    def select(self, condition: IRValue, yes: IRValue, no: IRValue, span: Span) -> IRValue:
        """Create `arith.select` on two values of one type (handles too)."""
        created = self.raw(
            "arith.select", [self._mlir(item) for item in (condition, yes, no)], [self._types.mlir(yes.type)], {}, span
        )
        return self.unit.wrap(created.result, yes.type)

    def cast(self, value: IRValue, target: DType, span: Span) -> IRValue:
        """Convert a scalar as C does: to INT1 by comparison with zero, float to integer towards zero."""
        source = _dtype(value, span)
        if source is target:
            return value
        if DType.UNKNOWN in (source, target):
            return self._unknown("cast", [value], target, span, None)
        if target in (DType.BOOL, DType.INT1) and source not in (DType.BOOL, DType.INT1):
            zero = self.constant(0, source, span)
            return self.arith(*(("cmpf", [value, zero]) if source.is_float else ("cmpi", [value, zero])), target, span,
                              "une" if source.is_float else "ne")  # fmt: skip
        if source.is_float and target.is_float and source.bits == target.bits:  # f16 <-> bf16
            return self.cast(self.cast(value, DType.FLOAT32, span), target, span)
        op = cast_op(source, target)
        if op is None:
            return self._signed_as(value, target, span)
        return self.arith(op, [value], target, span)

    # Control flow

    def loop(
        self,
        lower: IRValue,
        upper: IRValue,
        step: IRValue,
        inits: Sequence[IRValue],
        span: Span,
        *,
        name: str = "",
        names: Sequence[str] = (),
    ) -> LoopHandle:
        """Create a counted loop; `name` names the induction variable, `names` the carried ones."""
        return LoopHandle(self, (lower, upper, step), inits, span, name, names)

    def branch(
        self, condition: IRValue, result_types: Sequence[AscType] | None, span: Span, *, names: Sequence[str] = ()
    ) -> BranchHandle:
        """Create a two-way branch; with `result_types` None the yielded values decide them."""
        return BranchHandle(self, condition, result_types, span, names)

    def while_loop(self, inits: Sequence[IRValue], span: Span, *, names: Sequence[str] = ()) -> WhileHandle:
        """Create a loop with a condition."""
        return WhileHandle(self, inits, span, names)

    @contextmanager
    def call(self, span: Span) -> Generator[None]:
        """Inline a helper called at `span` inside the `with` block."""
        self.push_call(span)
        try:
            yield
        finally:
            self.pop_call()

    def push_call(self, span: Span) -> None:
        """Enter a helper inlined at the call `span`; raises NestingTooDeep."""
        self.cursor.push_call(span)

    def pop_call(self) -> None:
        """Leave the helper entered last."""
        self.cursor.pop_call()

    def set_name(self, value: IRValue, python_name: str) -> None:
        """Record that a Python variable holds the value."""
        held, context = self._mlir(value), self.unit.session.context
        if isinstance(held, bindings.ir.BlockArgument):
            own = resolve(held.location)
            held.set_location(named(context, held.location, _with(own.names, 0, 1, python_name)))
            owner = held.owner.owner.operation
            place = resolve(owner.location)
            if owner.name != "func.func" and held.owner == owner.regions[0].blocks[0]:
                arguments = _with(place.arguments, held.arg_number, len(held.owner.arguments), python_name)
                owner.location = named(context, owner.location, place.names, arguments)
            return
        owner = held.owner
        place, results = resolve(owner.location), list(owner.results)
        names = _with(place.names, results.index(held), len(results), python_name)
        owner.location = named(context, owner.location, names, place.arguments)

    # For modules of `ascir/`

    def raw(  # noqa: PLR0913  mirrors MLIR's own creation function
        self,
        name: str,
        operands: Sequence[Any],
        results: Sequence[Any],
        attributes: Mapping[str, Any],
        span: Span,
        *,
        regions: int = 0,
        names: Sequence[str] = (),
        arguments: Sequence[str] = (),
    ) -> Any:
        """Create an MLIR op from MLIR values at the insertion point."""
        location = self.cursor.location(span)
        if names or arguments:
            location = named(self.unit.session.context, location, _singly(names), _singly(arguments))
        created = bindings.ir.Operation.create(
            name, results=results, operands=operands, attributes=attributes, regions=regions, loc=location,
            ip=self.cursor.point,
        )  # fmt: skip
        if self.unit.erased:  # a new op may take the place of an erased one
            self.unit.erased.discard(hash(created))
        return created

    def _mlir(self, value: IRValue) -> Any:
        return value.mlir(self.unit)

    def _flatten(self, shape: OpShape, operands: Operands, span: Span) -> list[Any | list[Any] | None]:
        if len(operands) != len(shape.slots):
            raise InternalError(f"{len(operands)} operands given, {len(shape.slots)} needed", op=shape.name, span=span)
        flat: list[Any | list[Any] | None] = []
        for item, slots, row in zip(operands, shape.slots, shape.row.operands, strict=True):
            if isinstance(item, IRValue):
                value = item.mlir(self.unit)
                flat.append(value if slots <= 1 else [value])
            elif item is None and slots == 1:
                flat.append(None)
            elif slots > 1:
                flat.append([value.mlir(self.unit) for value in item or ()])
            else:
                raise InternalError(f"operand {row.name} does not fit its row", op=shape.name, span=span)
        return flat

    def _attributes(self, shape: OpShape, attrs: Mapping[str, object], span: Span) -> dict[str, Any]:
        values = shape.defaults | {key: plain(value) for key, value in attrs.items()} if attrs else shape.defaults
        if len(values) != len(shape.defaults):
            extra = sorted(set(values) - set(shape.defaults))
            raise InternalError(f"the opset row has no attribute {', '.join(extra)}", op=shape.name, span=span)
        coerced = {
            key: float(value) if isinstance(shape.defaults[key], float) and isinstance(value, int) else value
            for key, value in values.items()
        }
        return {key: self._attrs.mlir(value) for key, value in coerced.items()}

    def _scalar(
        self, name: str, operands: Sequence[IRValue], result: DType, span: Span, predicate: str | None
    ) -> IRValue:
        dtypes = [_dtype(item, span) for item in operands]
        if DType.UNKNOWN in dtypes or result is DType.UNKNOWN:
            return self._unknown(name, operands, result, span, predicate)
        values = [self._signed_as(item, signless(dtype), span) for item, dtype in zip(operands, dtypes, strict=True)]
        attributes: dict[str, Any] = {}
        if predicate is not None:
            known = PREDICATES[name.removeprefix("arith.")]
            attributes["predicate"] = bindings.ir.IntegerAttr.get(self._attrs.int64, known.index(predicate))
        held = signless(result)
        type_ = self._types.mlir(ScalarType(held))
        created = self.raw(name, [self._mlir(item) for item in values], [type_], attributes, span)
        return self._signed_as(self.unit.wrap(created.result, ScalarType(held)), result, span)

    def _unknown(
        self, name: str, operands: Sequence[IRValue], result: DType, span: Span, predicate: str | None
    ) -> IRValue:
        attrs = {"what": name, "predicate": predicate or ""}
        return self.op("unknown_scalar", [list(operands)], attrs=attrs, results=[ScalarType(result)], span=span)[0]

    def _signed_as(self, value: IRValue, dtype: DType, span: Span) -> IRValue:
        """Return an integer with the same bits as the wanted (un)signed type."""
        if value.type == ScalarType(dtype) or dtype is DType.BOOL:
            return value
        if value.type == ScalarType(DType.BOOL):
            return self.unit.wrap(self._mlir(value), ScalarType(DType.INT1))
        created = self.raw(SIGN_CAST, [self._mlir(value)], [self._types.mlir(ScalarType(dtype))], {}, span)
        return self.unit.wrap(created.result, ScalarType(dtype))


def _singly(names: Sequence[str]) -> list[list[str]]:
    return [[item] if item else [] for item in names]


def _with(names: Names, position: int, count: int, added: str) -> list[list[str]]:
    """Return the names of `count` values with one more name at a position."""
    texts = [list(names[index]) if index < len(names) else [] for index in range(count)]
    if added not in texts[position]:
        texts[position].append(added)
    return texts


def _segmented(shape: OpShape, values: list[Any | list[Any] | None], span: Span) -> tuple[list[Any], tuple[int, ...]]:
    flat: list[Any] = []
    sizes: list[int] = []
    for item, slots in zip(values, shape.slots, strict=True):
        if isinstance(item, list):
            held = cast("list[Any]", item)
            runs = [len(list(run)) for _, run in groupby(held, key=lambda value: value.type)]
            if len(runs) > slots:
                raise InternalError(f"types change more than {slots - 1} times", op=shape.name, span=span)
            flat += held
            sizes += runs + [0] * (slots - len(runs))
        else:
            if item is not None:
                flat.append(item)
            elif slots != 1:
                raise InternalError("a needed operand is absent", op=shape.name, span=span)
            sizes.append(int(item is not None))
    return flat, tuple(sizes)


def _dtype(value: IRValue, span: Span) -> DType:
    if not isinstance(value.type, ScalarType):
        raise InternalError(f"{value.type} is no scalar", span=span)
    return value.type.dtype
