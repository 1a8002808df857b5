# SPDX-License-Identifier: Apache-2.0
"""Constraints of op rows: whether they hold, and what they say in words.

Memories and element types of operands are constraints too; `all_constraints` adds them to those
that a row states.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache

from asclens_compiler.hardware.chips import alignment_bytes
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.paths import copy_path
from asclens_compiler.opset.casts import legal_modes
from asclens_compiler.opset.combs import REPEAT_BYTES
from asclens_compiler.opset.footprints import byte_range
from asclens_compiler.opset.model import Constraint, ConstraintKind, OpRow, Role
from asclens_compiler.opset.values import OperandValues

_TENSORS = frozenset({Role.DST, Role.SRC, Role.INOUT})


class Verdict(Enum):
    """Tell what is known about a constraint."""

    OK = "ok"
    VIOLATED = "violated"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The verdict, and for a violation the fact: what was found, what is allowed."""

    verdict: Verdict
    found: str = ""
    allowed: str = ""


OK = Outcome(Verdict.OK)
UNKNOWN = Outcome(Verdict.UNKNOWN)


@cache
def all_constraints(row: OpRow) -> tuple[Constraint, ...]:
    """Return a row's own constraints and those that its operands imply."""
    implied: list[Constraint] = []
    for operand in row.operands:
        if operand.role not in _TENSORS:
            continue
        if operand.memories:
            implied.append(
                Constraint(
                    kind=ConstraintKind.IN_MEMORY,
                    operands=(operand.name,),
                    memories=operand.memories,
                    source="CANN Ascend C API page of the call: positions of the operand",
                )
            )
        if operand.dtypes:
            implied.append(
                Constraint(
                    kind=ConstraintKind.DTYPE_IN,
                    operands=(operand.name,),
                    dtypes=operand.dtypes,
                    source="CANN Ascend C API page of the call: element types on Atlas A2/A3",
                )
            )
    return (*implied, *row.constraints)


def evaluate(constraint: Constraint, row: OpRow, values: OperandValues) -> Outcome:
    """Tell whether a constraint of `row` holds for the given values."""
    if any(_optional(row, name) and not values.present(name) for name in constraint.operands):
        return OK
    return _EVALUATE[constraint.kind](constraint, row, values)


def describe(constraint: Constraint) -> str:
    """Return a constraint as a sentence."""
    return _DESCRIBE[constraint.kind](constraint)


def _optional(row: OpRow, name: str) -> bool:
    return any(item.name == name and item.optional for item in row.operands)


def _violated(found: object, allowed: object) -> Outcome:
    return Outcome(Verdict.VIOLATED, str(found), str(allowed))


def _names(items: frozenset[DType]) -> str:
    return ", ".join(sorted(item.value for item in items))


def _dtypes(names: tuple[str, ...], values: OperandValues) -> tuple[DType, ...] | None:
    found = tuple(values.dtype(name) for name in names)
    known = tuple(item for item in found if item is not None and item is not DType.UNKNOWN)
    return known if len(known) == len(found) else None


def _number(name: str, values: OperandValues) -> int | None:
    operand, _, member = name.partition(".")
    return values.member(operand, member) if member else values.integer(operand)


def _same_dtype(item: Constraint, row: OpRow, values: OperandValues) -> Outcome:
    del row
    found = _dtypes(item.operands, values)
    if found is None:
        return UNKNOWN
    return OK if len(set(found)) == 1 else _violated(" and ".join(dtype.value for dtype in found), "one type")


def _dtype_in(item: Constraint, row: OpRow, values: OperandValues) -> Outcome:
    del row
    found = _dtypes(item.operands[:1], values)
    if found is None:
        return UNKNOWN
    return OK if found[0] in item.dtypes else _violated(found[0].value, _names(item.dtypes))


def _pair_in(item: Constraint, row: OpRow, values: OperandValues) -> Outcome:
    del row
    found = _dtypes(item.operands, values)
    if found is None:
        return UNKNOWN
    if found in item.pairs:
        return OK
    allowed = "; ".join(sorted(", ".join(dtype.value for dtype in pair) for pair in item.pairs))
    return _violated(", ".join(dtype.value for dtype in found), allowed)


def _aligned(item: Constraint, row: OpRow, values: OperandValues) -> Outcome:
    del row
    memory, address = values.memory(item.operands[0]), values.address(item.operands[0])
    if address is None or (memory is None and not item.value):
        return UNKNOWN
    unit = item.value or (alignment_bytes(memory) if memory is not None else 1)
    return OK if address % unit == 0 else _violated(address, f"a multiple of {unit}")


def _multiple(item: Constraint, row: OpRow, values: OperandValues) -> Outcome:
    del row
    count, dtype = _number(item.operands[0], values), _dtypes(item.operands[1:2], values)
    if count is None or dtype is None:
        return UNKNOWN
    size = count * dtype[0].bits // 8
    return OK if size % item.value == 0 else _violated(f"{size} bytes", f"a multiple of {item.value} bytes")


def _range(item: Constraint, row: OpRow, values: OperandValues) -> Outcome:
    del row
    number = _number(item.operands[0], values)
    if number is None:
        return UNKNOWN
    return OK if item.low <= number <= item.high else _violated(number, f"{item.low}..{item.high}")


def _ranges(item: Constraint, row: OpRow, values: OperandValues) -> list[tuple[int, int]] | None:
    found: list[tuple[int, int]] = []
    for name in item.operands:
        footprint = next((print_ for print_ in row.footprints if print_.operand == name), None)
        address = values.address(name)
        if footprint is None or address is None:
            return None
        extent = byte_range(footprint, values)
        if extent is None:
            return None
        found.append((address + extent[0], address + extent[1]))
    return found


def _no_partial(item: Constraint, row: OpRow, values: OperandValues) -> Outcome:
    memories = {values.memory(name) for name in item.operands}
    ranges = _ranges(item, row, values)
    if ranges is None or None in memories:
        return UNKNOWN
    first, second = ranges
    disjoint = len(memories) > 1 or first[1] <= second[0] or second[1] <= first[0]
    if disjoint or first[0] == second[0] or min(first[1] - first[0], second[1] - second[0]) <= 0:
        return OK
    text = f"bytes {first[0]}..{first[1] - 1} and {second[0]}..{second[1] - 1}"
    return _violated(text, "the same bytes or none in common")


def _in_memory(item: Constraint, row: OpRow, values: OperandValues) -> Outcome:
    del row
    memory = values.memory(item.operands[0])
    if memory is None:
        return UNKNOWN
    allowed = " or ".join(sorted(found.value for found in item.memories))
    return OK if memory in item.memories else _violated(memory.value, allowed)


def _fits(item: Constraint, row: OpRow, values: OperandValues) -> Outcome:
    name = item.operands[0]
    footprint = next((print_ for print_ in row.footprints if print_.operand == name), None)
    size = values.size_bytes(name)
    extent = byte_range(footprint, values) if footprint is not None else None
    if extent is None or size is None:
        return UNKNOWN
    return OK if extent[1] <= size else _violated(f"{extent[1]} bytes", f"{size} bytes")


def _mask(item: Constraint, row: OpRow, values: OperandValues) -> Outcome:
    del row
    mask, dtypes = values.integer(item.operands[0]), _dtypes(item.operands[1:], values)
    if values.attr("isSetMask") is False:
        return OK
    if mask is None or dtypes is None:
        return UNKNOWN
    elems = REPEAT_BYTES // max(dtype.size_bytes for dtype in dtypes)
    return OK if 0 <= mask <= elems else _violated(mask, f"0..{elems}")


def _path(item: Constraint, row: OpRow, values: OperandValues) -> Outcome:
    del row
    target, source = values.memory(item.operands[0]), values.memory(item.operands[1])
    if target is None or source is None:
        return UNKNOWN
    found = copy_path(source, target) is not None
    return OK if found else _violated(f"{source.value} to {target.value}", "a path of the hardware")


def _cast_mode(item: Constraint, row: OpRow, values: OperandValues) -> Outcome:
    del row
    found, mode = _dtypes(item.operands[:2], values), values.attr(item.operands[2])
    if found is None or mode is None:
        return UNKNOWN
    modes = legal_modes(found[1], found[0])
    text = f"{found[1].value} to {found[0].value}"
    if not modes:
        return _violated(text, "a cast that the hardware has")
    return OK if mode in modes else _violated(f"{text} with {mode}", ", ".join(sorted(modes)))


def _enum_in(item: Constraint, row: OpRow, values: OperandValues) -> Outcome:
    del row
    value = values.attr(item.operands[0])
    if value is None:
        return UNKNOWN
    if len(item.operands) > 1:
        found = _dtypes(item.operands[1:2], values)
        if found is None:
            return UNKNOWN
        if found[0] not in item.dtypes:
            return OK
    return OK if value in item.names else _violated(value, ", ".join(sorted(item.names)))


_K = ConstraintKind
_EVALUATE: Mapping[ConstraintKind, Callable[[Constraint, OpRow, OperandValues], Outcome]] = {
    _K.SAME_DTYPE: _same_dtype,
    _K.DTYPE_IN: _dtype_in,
    _K.DTYPE_PAIR_IN: _pair_in,
    _K.ALIGNED_TO: _aligned,
    _K.COUNT_MULTIPLE_OF: _multiple,
    _K.RANGE_IN: _range,
    _K.NO_PARTIAL_OVERLAP: _no_partial,
    _K.IN_MEMORY: _in_memory,
    _K.FITS_IN: _fits,
    _K.MASK_IN_REPEAT: _mask,
    _K.COPY_PATH: _path,
    _K.CAST_MODE: _cast_mode,
    _K.ENUM_IN: _enum_in,
}


def _memory_rule(item: Constraint) -> str:
    return f"{item.value} bytes" if item.value else "the unit of its memory (32 bytes in UB)"


_DESCRIBE: Mapping[ConstraintKind, Callable[[Constraint], str]] = {
    _K.SAME_DTYPE: lambda item: f"{_list(item.operands)} have one element type",
    _K.DTYPE_IN: lambda item: f"{item.operands[0]} is {_names(item.dtypes)}",
    _K.DTYPE_PAIR_IN: lambda item: (
        f"({', '.join(item.operands)}) is one of "
        + "; ".join(sorted("(" + ", ".join(dtype.value for dtype in pair) + ")" for pair in item.pairs))
    ),
    _K.ALIGNED_TO: lambda item: f"{item.operands[0]} starts at a multiple of {_memory_rule(item)}",
    _K.COUNT_MULTIPLE_OF: lambda item: f"{item.operands[0]} is a multiple of {item.value} bytes",
    _K.RANGE_IN: lambda item: f"{item.operands[0]} is {item.low}..{item.high}",
    _K.NO_PARTIAL_OVERLAP: lambda item: f"{_list(item.operands)} are the same bytes or have none in common",
    _K.IN_MEMORY: lambda item: f"{item.operands[0]} is in {' or '.join(sorted(m.value for m in item.memories))}",
    _K.FITS_IN: lambda item: f"what is touched of {item.operands[0]} lies in its tensor",
    _K.MASK_IN_REPEAT: lambda item: f"{item.operands[0]} is at most the elements of one repeat (256 bytes)",
    _K.COPY_PATH: lambda item: f"the hardware has a path from {item.operands[1]} to {item.operands[0]}",
    _K.CAST_MODE: lambda item: f"{item.operands[2]} is legal for a cast from {item.operands[1]} to {item.operands[0]}",
    _K.ENUM_IN: lambda item: (
        f"{item.operands[0]} is {' or '.join(sorted(item.names))}"
        + (f" when {item.operands[1]} is {_names(item.dtypes)}" if len(item.operands) > 1 else "")
    ),
}


def _list(names: tuple[str, ...]) -> str:
    return " and ".join(names)
