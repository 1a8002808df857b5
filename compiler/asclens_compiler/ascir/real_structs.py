# SPDX-License-Identifier: Apache-2.0
"""Parameter structs as real pyasc constructs them -> the fields of the opset's rows, in their order."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from asclens_compiler.ascir.values import IRValue
from asclens_compiler.opset.model import NO_DEFAULT, FieldRow
from asclens_compiler.opset.registry import opset

Item = IRValue | Sequence[IRValue]
Field = IRValue | int | float

# Position in the real op (the C++ constructor) of each field of the row, where the two differ.
CPP_ORDER = {"FixpipeParamsV220": (0, 1, 2, 3, 5, 6, 7, 8, 9, 4, 10, 11)}
_SHAPE_DIMS = 8


def row_fields(name: str, items: Sequence[Item]) -> list[Field]:
    """Return one value per number in the row's fields; literals stand for fields that the op leaves out.

    A list is an array that the op takes by address.
    """
    row = opset().structs.get(name)
    if row is None or row.host:
        return _flat(items)
    if name == "ShapeInfo":
        return _shape_info(items)
    order = CPP_ORDER.get(name)
    if order is not None and len(items) == len(order):
        items = [items[index] for index in order]
    fields = [field for field in row.fields if field.name != "dtype"]
    made: list[Field] = []
    for index, field in enumerate(fields):
        made += _numbers(items[index]) if index < len(items) else _default(field)
    return made


def _numbers(item: Item) -> list[Field]:
    return [item] if isinstance(item, IRValue) else list(item)


def _flat(items: Sequence[Item]) -> list[Field]:
    return [value for item in items for value in _numbers(item)]


def _default(field: FieldRow) -> list[Field]:
    """Return the numbers of a field's default."""
    if field.default == NO_DEFAULT:
        return []
    if field.length > 1:
        return [0] * field.length
    if field.type_name:
        member = field.default.rpartition(".")[2]
        return [dict(opset().enums[field.type_name].members).get(member, 0)]
    value = ast.literal_eval(field.default)
    return [int(value) if isinstance(value, bool) else value]


def _shape_info(items: Sequence[Item]) -> list[Field]:
    """Return dimensions, original dimensions and format; the op has counts and arrays, or nothing."""
    lists = [list(item) for item in items if not isinstance(item, IRValue)]
    dims: list[Field] = []
    for part in (*lists, [], [])[:2]:
        dims += [*part, *[0] * (_SHAPE_DIMS - len(part))]
    last = items[-1] if items else 0
    return [*dims, last if isinstance(last, (IRValue, int)) else 0]
