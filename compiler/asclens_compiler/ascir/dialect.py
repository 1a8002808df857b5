# SPDX-License-Identifier: Apache-2.0
"""The AscIR dialect: IRDL text generated from the opset's rows.

IRDL unifies constraint variables (two operands that share one must have equal types, also the
elements of one variadic operand), so every operand has its own variable and a variadic operand is
`VARIADIC_RUNS` variadic ones, each for a run of values of one type; `operandSegmentSizes` holds
their lengths. Attributes cannot be optional in IRDL, so the builder always writes all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from asclens_compiler.hardware.pipes import Memory
from asclens_compiler.opset.model import AttrRow, OperandRow, OpRow, Role
from asclens_compiler.opset.registry import opset

NAMESPACE = "ascir"  # op names in MLIR have no capitals: `tBufPool` is `ascir.t_buf_pool`
PREFIX = "ascir."
VARIADIC_RUNS = 16
# Ops and types share one table of names in IRDL, and `queue` is an op.
TYPES = {
    "pointer": ("elem",), "global": ("elem", "shape"), "local": ("elem", "position", "shape"),
    "que": ("source", "target", "depth"), "buffer": ("position",), "struct": ("name",), "handle": ("name",),
}  # fmt: skip

# Scalar arithmetic on a type that only a launch knows: `what` names the arith or math op.
UNKNOWN_SCALAR = OpRow(
    name="unknown_scalar",
    cpp="",
    operands=(OperandRow(name="args", role=Role.SCALAR, variadic=True),),
    attrs=(AttrRow(name="what"), AttrRow(name="predicate")),
    results=("result",),
    pure=True,
    summary="Scalar arithmetic on a type that only a launch knows.",
    summary_zh="对仅在启动时才知道类型的标量做运算。",
)
_CAPITAL = re.compile(r"[A-Z]")
BUILTIN_ROWS = (UNKNOWN_SCALAR,)
_DEFAULTS: dict[type, bool | int | float | str | tuple[()]] = {bool: False, int: 0, float: 0.0, list: (), tuple: ()}
# Enum members and element types are text.
_CONSTRAINTS = {int: "integer", float: "float", tuple: "array", list: "array"}


@dataclass(frozen=True, slots=True, eq=False)
class OpShape:
    """How the operands and attributes of one row lie in MLIR.

    `slots[i]` is 1 for an operand that may be absent, VARIADIC_RUNS for a variadic one, 0 for a plain
    one; `segmented` tells whether `operandSegmentSizes` is written.
    """

    row: OpRow
    name: str
    slots: tuple[int, ...]
    segmented: bool
    defaults: dict[str, bool | int | float | str | tuple[()]]


def op_shape(row: OpRow) -> OpShape:
    """Return the layout of a row."""
    slots = tuple(VARIADIC_RUNS if item.variadic else int(item.optional) for item in row.operands)
    defaults = {item.name: _DEFAULTS.get(item.kind, "") for item in row.attrs}
    return OpShape(row, PREFIX + mlir_name(row.name), slots, any(slots), defaults)


def mlir_name(name: str) -> str:
    """Return how IRDL spells an op's name."""
    return _CAPITAL.sub(lambda match: f"_{match[0].lower()}", name)


@cache
def op_shapes() -> Mapping[str, OpShape]:
    """Return the layouts of all rows by op name without prefix."""
    return {row.name: op_shape(row) for row in dialect_rows()}


@cache
def row_names() -> Mapping[str, str]:
    """Return the row's name of each MLIR op name (prefix included)."""
    return {shape.name: name for name, shape in op_shapes().items()}


def dialect_rows() -> tuple[OpRow, ...]:
    """Return the rows that the dialect is made of: the opset's and AscIR's own."""
    return (*BUILTIN_ROWS, *opset().ops.values())


def dialect_text(rows: Iterable[OpRow]) -> str:
    """Return the IRDL module that defines the dialect with these ops."""
    lines = [f"irdl.dialect @{NAMESPACE} {{"]
    for name, parameters in TYPES.items():
        lines.append(f"irdl.type @{name} {{")
        lines += [f"%p{index} = irdl.any" for index in range(len(parameters))]
        lines.append(f"irdl.parameters({', '.join(f'{p}: %p{i}' for i, p in enumerate(parameters))}) }}")
    for row in rows:
        lines += _op_lines(row)
    return "\n".join([*lines, "}"])


def _op_lines(row: OpRow) -> list[str]:
    lines = [f"irdl.operation @{mlir_name(row.name)} {{"]
    operands: list[str] = []
    for index, operand in enumerate(row.operands):
        variables = [f"%o{index}_{slot}" for slot in range(VARIADIC_RUNS)] if operand.variadic else [f"%o{index}"]
        mode = "variadic " if operand.variadic else "optional " if operand.optional else ""
        for slot, variable in enumerate(variables):
            lines.append(f"{variable} = {_operand_constraint(operand)}")
            operands.append(f"o{index}_{slot}: {mode}{variable}")
    lines += [f"%r{index} = irdl.any" for index in range(len(row.results))]
    attributes: list[str] = []
    for index, attr in enumerate(row.attrs):
        lines += _attr_lines(index, attr)
        attributes.append(f'"{attr.name}" = %a{index}')
    if operands:
        lines.append(f"irdl.operands({', '.join(operands)})")
    if attributes:
        lines.append(f"irdl.attributes {{{', '.join(attributes)}}}")
    if row.results:
        lines.append(f"irdl.results({', '.join(f'r{index}: %r{index}' for index in range(len(row.results)))})")
    return [*lines, "}"]


def _operand_constraint(operand: OperandRow) -> str:
    if operand.role in (Role.DST, Role.SRC, Role.INOUT) and operand.memories:
        if operand.memories == frozenset({Memory.GM}):
            return f"irdl.base @{NAMESPACE}::@global"
        if Memory.GM not in operand.memories:
            return f"irdl.base @{NAMESPACE}::@local"
    return "irdl.any"


def _attr_lines(index: int, attr: AttrRow) -> list[str]:
    if attr.kind is bool:
        return [
            f"%t{index} = irdl.is true",
            f"%f{index} = irdl.is false",
            f"%a{index} = irdl.any_of(%t{index}, %f{index})",
        ]
    base = _CONSTRAINTS.get(attr.kind, "string")
    return [f'%a{index} = irdl.base "#builtin.{base}"']
