# SPDX-License-Identifier: Apache-2.0
"""Parameter structs by field name: `construct` ops for the frontend and the passes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from asclens_compiler.ascir.builder import Builder
from asclens_compiler.ascir.types import StructType
from asclens_compiler.ascir.values import IRValue
from asclens_compiler.errors import InternalError
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.opset.model import FieldRow, ParamKind
from asclens_compiler.opset.registry import opset
from asclens_compiler.source.span import Span

_NO_FIELDS: Mapping[str, IRValue | int | bool] = {}


def make_struct(
    builder: Builder,
    name: str,
    span: Span,
    fields: Mapping[str, IRValue | int | bool] = _NO_FIELDS,
    *,
    dtype: DType | None = None,
) -> IRValue:
    """Make the struct `name`; fields that are not given take their defaults, `dtype` types its values.

    Raise InternalError for a field that the struct does not have.
    """
    rows = [row for row in opset().structs[name].fields if row.kind is not ParamKind.DTYPE]
    unknown = sorted(set(fields) - {row.name for row in rows})
    if unknown:
        raise InternalError(f"{name} has no field {', '.join(unknown)}", op="construct", span=span)
    operands: list[IRValue] = []
    for row in rows:
        value = fields.get(row.name)
        if isinstance(value, IRValue):
            operands.append(value)
            continue
        items = _default(row) if value is None else (int(value),)
        operands += [builder.constant(item, DType.INT32, span) for item in items]
    attrs = {"type": name, "dtype": "" if dtype is None else dtype.value}
    return builder.op("construct", [operands], attrs=attrs, results=[StructType(name)], span=span)[0]


@cache
def _default(row: FieldRow) -> tuple[int, ...]:
    text = row.default.strip()
    if row.type_name and "." in text:
        members = dict(opset().enums[row.type_name].members)
        return (members[text.rpartition(".")[2]],)
    known = {"True": 1, "False": 0, "()": 0}
    if row.length > 1:
        parts = [part.strip() for part in text.strip("()[]").split(",") if part.strip()]
        numbers = [int(part, 0) for part in parts]
        return tuple(numbers + [0] * (row.length - len(numbers)))
    return (known[text],) if text in known else (int(text, 0),)
