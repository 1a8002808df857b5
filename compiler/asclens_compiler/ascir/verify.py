# SPDX-License-Identifier: Apache-2.0
"""Structural verification of a unit: all errors, each at its Python range.

MLIR's verifier stops at the first error, so after it has failed every op is verified on its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from asclens_compiler.ascir import bindings
from asclens_compiler.ascir.decode import decode
from asclens_compiler.ascir.dialect import PREFIX, op_shapes
from asclens_compiler.ascir.program import AttrValue, Block, Const, Op, Operand, Program, walk
from asclens_compiler.ascir.rules import ir_attribute, ir_operand, ir_stage, ir_structure
from asclens_compiler.ascir.types import (
    AscType,
    BufferType,
    GlobalType,
    HandleType,
    LocalType,
    PointerType,
    QueueType,
    ScalarType,
    StructType,
)
from asclens_compiler.ascir.unit import Unit
from asclens_compiler.diagnostics.model import Diagnostic
from asclens_compiler.errors import InternalError
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.opset.model import OperandRow, OpRow, Role
from asclens_compiler.opset.registry import opset
from asclens_compiler.source.span import Span

_TENSOR_ROLES = frozenset({Role.DST, Role.SRC, Role.INOUT})
_TENSOR_TYPES = (LocalType, GlobalType, HandleType, PointerType)
_WORDS = {
    ScalarType: "a scalar", PointerType: "a global address", GlobalType: "a global tensor", LocalType: "a local tensor",
    QueueType: "a queue", BufferType: "a buffer", StructType: "a parameter struct", HandleType: "a handle",
}  # fmt: skip


def verify(unit: Unit) -> list[Diagnostic]:
    """Return every structural error of a unit, in source order of its kernels."""
    try:
        unit.module.operation.verify()
    except bindings.MLIRError:
        return _broken(unit)
    return [found for program in decode(unit) for found in verify_program(program)]


def verify_program(program: Program) -> Iterator[Diagnostic]:
    """Yield the structural errors that a decoded program shows."""
    rows = op_shapes()
    for node in program.walk():
        if isinstance(node, Op) and node.name in rows:
            types = [_types_of(item, program) for item in node.operands]
            yield from _check(rows[node.name].row, types, node.attrs, node.span)
    for block in _blocks(program):
        yield from _check_stages(block)


def _broken(unit: Unit) -> list[Diagnostic]:
    """Return MLIR's complaint about each op, an outer op's only when nothing inside is wrong."""
    places = unit.session.places
    found: list[Diagnostic] = []

    def visit(op: Any) -> None:
        before = len(found)
        for region in op.regions:
            for block in region.blocks:
                for inner in block.operations:
                    visit(inner.operation)
        if len(found) > before:
            return
        try:
            op.verify()
        except bindings.MLIRError as error:
            reason = "; ".join(item.message.removeprefix(f"'{op.name}' op ") for item in error.error_diagnostics)
            span = places.place(op.location).span
            found.append(ir_structure.RULE.report(span, op=op.name, reason=reason or str(error)))

    visit(unit.module.operation)
    if not found:
        raise InternalError("the unit does not verify but each of its ops does")
    return found


def _check(
    row: OpRow,
    operands: Iterable[tuple[AscType, ...]],
    attrs: tuple[tuple[str, AttrValue], ...],
    span: Span,
) -> Iterator[Diagnostic]:
    for operand, types in zip(row.operands, operands, strict=True):
        needed = _needed(operand)
        for type_ in types:
            if needed and not _fits(operand, type_):
                yield ir_operand.RULE.report(
                    span, op=PREFIX + row.name, operand=operand.name, given=_word(type_), needed=needed
                )
    enums = opset().enums
    for attr_row, (_, value) in zip(row.attrs, attrs, strict=True):
        enum = enums.get(attr_row.enum)
        if enum is not None and value != "" and all(value != member for member, _ in enum.members):
            yield ir_attribute.RULE.report(
                span, op=PREFIX + row.name, attribute=attr_row.name, value=value, enum=attr_row.enum
            )


def _needed(operand: OperandRow) -> str:
    if operand.role in _TENSOR_ROLES:
        return "a tensor"
    if operand.role is Role.PARAMS:
        return operand.struct or "a parameter struct"
    return "a scalar" if operand.role is Role.SCALAR and not operand.variadic else ""


def _fits(operand: OperandRow, type_: AscType) -> bool:
    if type_ == ScalarType(DType.UNKNOWN):
        return True
    if operand.role in _TENSOR_ROLES:
        return isinstance(type_, _TENSOR_TYPES)
    if operand.role is Role.PARAMS:
        return isinstance(type_, (StructType, HandleType)) and operand.struct in ("", type_.name)
    return isinstance(type_, ScalarType)


def _word(type_: AscType) -> str:
    return type_.name if isinstance(type_, (StructType, HandleType)) else _WORDS[type(type_)]


def _types_of(operand: Operand | tuple[Operand, ...] | None, program: Program) -> tuple[AscType, ...]:
    if operand is None:
        return ()
    items = operand if isinstance(operand, tuple) else (operand,)
    return tuple(item.type if isinstance(item, Const) else program.reg_types[item.index] for item in items)


def _blocks(program: Program) -> Iterator[Block]:
    yield program.body
    for node in walk(program.body):
        for name in ("body", "then", "orelse", "before"):
            inner = getattr(node, name, None)
            if isinstance(inner, Block):
                yield inner


def _check_stages(block: Block) -> Iterator[Diagnostic]:
    """Yield stage markers without their partner in the same block."""
    opened: list[Op] = []
    for node in block.nodes:
        if not isinstance(node, Op) or node.name not in ("stage_start", "stage_end"):
            continue
        if node.name == "stage_start":
            opened.append(node)
        elif not opened or opened[-1].attr("unit") != node.attr("unit"):
            yield ir_stage.RULE.report(node.span, marker="stage_end", unit=node.attr("unit"))
        else:
            opened.pop()
    for node in opened:
        yield ir_stage.RULE.report(node.span, marker="stage_start", unit=node.attr("unit"))
