# SPDX-License-Identifier: Apache-2.0
"""MLIR -> `Program`: one walk that leaves MLIR behind.

Constants are folded into their uses, casts between signed and unsigned twins appear as
`arith.bitcast`, comparison predicates by name. Every value is looked up once per use, every type
and location resolved once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from asclens_compiler.ascir.dialect import PREFIX, OpShape, op_shapes
from asclens_compiler.ascir.locations import Names, Place
from asclens_compiler.ascir.program import (
    AttrValue,
    Block,
    Branch,
    Const,
    CoreKind,
    Loop,
    Node,
    Op,
    Operand,
    Param,
    Program,
    Reg,
    While,
)
from asclens_compiler.ascir.scalars import PREDICATES, SIGN_CAST, SIGN_CAST_NAME
from asclens_compiler.ascir.types import AscType, GlobalType, ScalarType
from asclens_compiler.ascir.unit import KERNEL_ATTR, Unit
from asclens_compiler.errors import InternalError
from asclens_compiler.hardware.dtypes import DType

_NO_ATTRS: tuple[tuple[str, AttrValue], ...] = ()


def decode(unit: Unit, kernel: str | None = None) -> list[Program]:
    """Return the programs of the unit's kernels in order, or of the one named `kernel`."""
    programs: list[Program] = []
    for function in unit.functions():
        attributes = function.attributes
        if KERNEL_ATTR not in attributes:
            continue
        name: str = attributes["sym_name"].value
        if kernel is None or name == kernel:
            programs.append(_Decoder(unit).program(function, name))
    return programs


class _Decoder:
    """Decode one kernel."""

    def __init__(self, unit: Unit) -> None:
        self._types = unit.session.types
        self._attrs = unit.session.attrs
        self._places = unit.session.places
        self._shapes = {shape.name: shape for shape in op_shapes().values()}
        self._operands: dict[Any, Operand] = {}
        self._reg_types: list[AscType] = []
        self._names: dict[int, tuple[str, ...]] = {}
        self._next = 0

    def program(self, function: Any, name: str) -> Program:
        """Return the program of a function."""
        entry = function.regions[0].blocks[0]
        params: list[Param] = []
        for argument in entry.arguments:
            place = self._places.place(argument.location)
            reg = self._define(argument, place.names[0] if place.names else ())
            type_ = self._reg_types[reg.index]
            shape = type_.shape if isinstance(type_, GlobalType) else None
            title = place.names[0][0] if place.names and place.names[0] else f"arg{reg.index}"
            params.append(Param(reg=reg, name=title, type=type_, span=place.span, shape=shape))
        facts = {key: self._fact(function, key) for key in ("core_kind", "auto_sync", "staged")}
        body, _ = self._block(entry)
        return Program(
            kernel=name,
            span=self._places.place(function.location).span,
            params=tuple(params),
            body=body,
            reg_types=tuple(self._reg_types),
            names=self._names,
            core_kind=CoreKind(facts["core_kind"] or CoreKind.AIV.value),
            auto_sync=facts["auto_sync"] is not False,
            staged=facts["staged"] is True,
        )

    def _fact(self, function: Any, key: str) -> AttrValue | None:
        attributes = function.attributes
        name = f"{PREFIX}{key}"
        return self._attrs.python(attributes[name]) if name in attributes else None

    def _define(self, value: Any, names: tuple[str, ...] = ()) -> Reg:
        index = len(self._reg_types)
        reg = self._operands[value] = Reg(index)
        self._reg_types.append(self._types.python(value.type))
        if names:
            self._names[index] = names
        return reg

    def _block(self, block: Any) -> tuple[Block, Sequence[Operand]]:
        """Return a block's nodes and the operands of its terminator."""
        nodes: list[Node] = []
        passed: Sequence[Operand] = ()
        shapes = self._shapes
        for view in block.operations:
            op = view.operation
            name: str = op.name
            if name.startswith(PREFIX):
                nodes.append(self._asc_op(op, shapes[name]))
            elif name == "arith.constant":
                self._constant(op)
            elif name in _TERMINATORS:
                passed = self._uses(op.operands)
            elif name in _REGIONS:
                nodes.append(_REGIONS[name](self, op))
            elif name != SIGN_CAST or not self._folded_cast(op):
                nodes.append(self._scalar_op(op, name))
        return Block(tuple(nodes)), passed

    def _uses(self, values: Any) -> tuple[Operand, ...]:
        table = self._operands
        return tuple([table[value] for value in values])

    def _place(self, op: Any) -> tuple[int, Place]:
        index = self._next
        self._next += 1
        return index, self._places.place(op.location)

    def _results(self, op: Any, place: Place) -> tuple[Reg, ...]:
        names = place.names
        return tuple(
            self._define(value, names[position] if position < len(names) else ())
            for position, value in enumerate(op.results)
        )

    def _asc_op(self, op: Any, shape: OpShape) -> Op:
        index, place = self._place(op)
        operands = self._uses(op.operands)
        if shape.segmented:
            operands = _grouped(shape, operands, op)
        attrs = _NO_ATTRS
        if shape.defaults:
            attributes, read = op.attributes, self._attrs.python
            attrs = tuple([(key, read(attributes[key])) for key in shape.defaults])
        results = self._results(op, place) if shape.row.results else ()
        return Op(
            index=index,
            name=shape.row.name,
            operands=operands,
            results=results,
            attrs=attrs,
            span=place.span,
            calls=place.calls,
        )

    def _scalar_op(self, op: Any, name: str) -> Op:
        index, place = self._place(op)
        attrs: tuple[tuple[str, AttrValue], ...] = _NO_ATTRS
        known = PREDICATES.get(name[6:])
        if known is not None:
            position: int = op.attributes["predicate"].value
            attrs = (("predicate", known[position]),)
        if len(op.regions) or not name.startswith(("arith.", "math.", SIGN_CAST)):
            raise InternalError("AscIR has no such op", op=name, span=place.span)
        return Op(
            index=index,
            name=SIGN_CAST_NAME if name == SIGN_CAST else name,
            operands=self._uses(op.operands),
            results=self._results(op, place),
            attrs=attrs,
            span=place.span,
            calls=place.calls,
        )

    def _constant(self, op: Any) -> None:
        result = op.results[0]
        type_ = self._types.python(result.type)
        value = op.attributes["value"].value
        if type_ == ScalarType(DType.INT1):
            value = bool(value)
        self._operands[result] = Const(value, type_)

    def _folded_cast(self, op: Any) -> bool:
        """Turn the cast of a literal to its (un)signed twin into a literal."""
        literal = self._operands[op.operands[0]]
        if not isinstance(literal, Const):
            return False
        result = op.results[0]
        type_ = self._types.python(result.type)
        if not isinstance(type_, ScalarType):
            raise InternalError("a literal is cast to a handle", op=SIGN_CAST)
        bits, value = type_.dtype.bits, int(literal.value) % (1 << type_.dtype.bits)
        if type_.dtype.is_signed and value >= 1 << (bits - 1):
            value -= 1 << bits
        self._operands[result] = Const(value, type_)
        return True

    def _arguments(self, block: Any, fallback: Names) -> tuple[Reg, ...]:
        """Define block arguments; names that printing lost come from the op (`fallback`)."""
        regs: list[Reg] = []
        if len(fallback) != len(block.arguments):
            fallback = ()
        for position, argument in enumerate(block.arguments):
            own = self._places.place(argument.location).names
            spare = fallback[position] if fallback else ()
            regs.append(self._define(argument, own[0] if own else spare))
        return tuple(regs)

    def _loop(self, op: Any) -> Loop:
        index, place = self._place(op)
        lower, upper, step, *inits = self._uses(op.operands)
        block = op.regions[0].blocks[0]
        induction, *carried = self._arguments(block, place.arguments)
        body, yields = self._block(block)
        return Loop(
            index=index,
            induction=induction,
            lower=lower,
            upper=upper,
            step=step,
            carried=tuple(carried),
            inits=tuple(inits),
            body=body,
            yields=tuple(yields),
            results=self._results(op, place),
            span=place.span,
            calls=place.calls,
        )

    def _branch(self, op: Any) -> Branch:
        index, place = self._place(op)
        condition = self._operands[op.operands[0]]
        then_region, else_region = op.regions
        then, then_yields = self._block(then_region.blocks[0])
        orelse, else_yields = self._block(else_region.blocks[0]) if len(else_region.blocks) else (Block(), ())
        return Branch(
            index=index,
            condition=condition,
            then=then,
            orelse=orelse,
            then_yields=tuple(then_yields),
            else_yields=tuple(else_yields),
            results=self._results(op, place),
            span=place.span,
            calls=place.calls,
        )

    def _while(self, op: Any) -> While:
        index, place = self._place(op)
        inits = self._uses(op.operands)
        before_block, body_block = (region.blocks[0] for region in op.regions)
        carried = self._arguments(before_block, place.arguments)
        before, passed = self._block(before_block)
        body_args = self._arguments(body_block, place.arguments)
        body, yields = self._block(body_block)
        return While(
            index=index,
            carried=carried,
            inits=inits,
            before=before,
            condition=passed[0],
            passed=tuple(passed[1:]),
            body_args=body_args,
            body=body,
            yields=tuple(yields),
            results=self._results(op, place),
            span=place.span,
            calls=place.calls,
        )


_TERMINATORS = frozenset({"scf.yield", "scf.condition", "func.return"})
_REGIONS: dict[str, Any] = {
    "scf.for": _Decoder._loop,  # pyright: ignore[reportPrivateUsage]
    "scf.if": _Decoder._branch,  # pyright: ignore[reportPrivateUsage]
    "scf.while": _Decoder._while,  # pyright: ignore[reportPrivateUsage]
}


def _grouped(shape: OpShape, flat: tuple[Operand, ...], op: Any) -> tuple[Operand | tuple[Operand, ...] | None, ...]:
    """Put optional and variadic operands back into row order."""
    sizes = list(op.attributes["operandSegmentSizes"])
    grouped: list[Operand | tuple[Operand, ...] | None] = []
    segment = start = 0
    for slots in shape.slots:
        if slots > 1:
            end = start + sum(sizes[segment : segment + slots])
            grouped.append(flat[start:end])
            segment += slots
            start = end
            continue
        present = sizes[segment]
        grouped.append(flat[start] if present else None)
        start += present
        segment += 1
    return tuple(grouped)
