# SPDX-License-Identifier: Apache-2.0
"""Every row of the real opset can be built, verified, printed, parsed and decoded."""

from __future__ import annotations

import pytest
from asclens_compiler.ascir.builder import Builder
from asclens_compiler.ascir.dialect import dialect_rows, row_names
from asclens_compiler.ascir.program import Op
from asclens_compiler.ascir.types import AscType, GlobalType, HandleType, LocalType, ScalarType, StructType
from asclens_compiler.ascir.unit import Unit
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Memory, Position
from asclens_compiler.opset.model import OperandRow, OpRow, Role
from asclens_compiler.opset.registry import opset
from ir_samples import INT32, at, plain

POSITION_OF = {position.memory: position for position in Position}


def _type(operand: OperandRow) -> AscType:
    dtype = min(operand.dtypes, key=lambda item: item.value) if operand.dtypes else DType.FLOAT32
    if operand.role in (Role.DST, Role.SRC, Role.INOUT, Role.TENSOR):
        if operand.memories and Memory.GM not in operand.memories:
            memory = min(operand.memories, key=lambda item: item.value)
            return LocalType(dtype, POSITION_OF[memory])
        return GlobalType(dtype)
    if operand.role is Role.PARAMS:
        return StructType(operand.struct or "Params")
    return ScalarType(dtype) if operand.role is Role.SCALAR else HandleType("Handle")


def _attribute(kind: type, enum: str) -> object:
    if enum in opset().enums:
        return opset().enums[enum].members[0][0]
    return {bool: True, int: 3, float: 1.5, tuple: (1, 2)}.get(kind, "text")


def _build(row: OpRow, builder: Builder, full: bool) -> None:
    types = [_type(item) for item in row.operands]
    values = builder.begin_kernel(f"k_{row.name}_{full}", [("v", type_, at(1)) for type_ in types], at(1))
    operands: list = []
    for operand, value in zip(row.operands, values, strict=True):
        if operand.variadic:
            operands.append([value, value] if full else [])
        else:
            operands.append(value if full or not operand.optional else None)
    attrs = {item.name: _attribute(item.kind, item.enum) for item in row.attrs} if full else {}
    builder.op(row.name, operands, attrs=attrs, results=[INT32] * len(row.results), span=at(2))
    builder.end_kernel()


@pytest.mark.parametrize("full", [True, False])
def test_all_rows(full: bool) -> None:
    unit = Unit.new("all.py")
    builder = Builder(unit)
    rows = dialect_rows()
    assert len(row_names()) == len(rows)
    for row in rows:
        _build(row, builder, full)
    # a stage marker alone is malformed by itself; nothing else may be
    assert [item.message for item in unit.verify() if item.code != "ASC194"] == []
    again = Unit.parse(unit.text())
    assert again.text() == unit.text()
    programs = again.decode()
    assert plain(programs) == plain(unit.decode())
    for row, program in zip(rows, programs, strict=True):
        (op,) = program.body.nodes
        assert isinstance(op, Op)
        assert op.name == row.name
        assert len(op.operands) == len(row.operands)
        assert [key for key, _ in op.attrs] == [item.name for item in row.attrs]
