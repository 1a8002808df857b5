# SPDX-License-Identifier: Apache-2.0
"""Attribute values as plain Python <-> MLIR attributes, memoised per context."""

from __future__ import annotations

from enum import Enum
from typing import Any

from asclens_compiler.ascir import bindings
from asclens_compiler.ascir.program import AttrValue
from asclens_compiler.errors import InternalError
from asclens_compiler.hardware.dtypes import DType

_INT64 = range(-(1 << 63), 1 << 63)


def plain(value: Any) -> AttrValue:
    """Return `value` as an attribute value: element types by value, enum members by name, lists as tuples."""
    if isinstance(value, DType):
        return value.value
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (tuple, list)):
        items: list[Any] = list(value)  # pyright: ignore[reportUnknownArgumentType]
        return tuple(plain(item) for item in items)
    raise InternalError(f"{type(value).__name__} cannot be an attribute")


class AttrTable:
    """Map attributes of one context both ways."""

    def __init__(self, context: Any) -> None:
        self._context = context
        self._to_mlir: dict[tuple[type, AttrValue], Any] = {}
        self._from_mlir: dict[Any, AttrValue] = {}
        self._segments: dict[tuple[int, ...], Any] = {}
        self.int64: Any = bindings.ir.IntegerType.get_signless(64, context=context)
        self._float64: Any = bindings.ir.F64Type.get(context=context)

    def mlir(self, value: AttrValue) -> Any:
        """Return the MLIR attribute of a value."""
        if isinstance(value, (tuple, float)):  # 0.0 == -0.0 and nested 1 == True would share a slot
            return self._make(value)
        key = (type(value), value)
        found = self._to_mlir.get(key)
        if found is None:
            found = self._to_mlir[key] = self._make(value)
        return found

    def segments(self, sizes: tuple[int, ...]) -> Any:
        """Return the `operandSegmentSizes` attribute."""
        found = self._segments.get(sizes)
        if found is None:
            found = bindings.ir.DenseI32ArrayAttr.get(list(sizes), context=self._context)
            self._segments[sizes] = found
        return found

    def python(self, attribute: Any) -> AttrValue:
        """Return the value of an MLIR attribute; raise InternalError for kinds that AscIR has not."""
        found = self._from_mlir.get(attribute)
        if found is None:
            found = self._from_mlir[attribute] = self._read(attribute)
        return found

    def _make(self, value: AttrValue) -> Any:
        ir, context = bindings.ir, self._context
        if isinstance(value, bool):
            return ir.BoolAttr.get(value, context=context)
        if isinstance(value, int):
            if value not in _INT64:
                raise InternalError(f"the attribute value {value} does not fit 64 bits")
            return ir.IntegerAttr.get(self.int64, value)
        if isinstance(value, float):
            return ir.FloatAttr.get(self._float64, value, loc=ir.Location.unknown(context))
        if isinstance(value, str):
            return ir.StringAttr.get(value, context=context)
        return ir.ArrayAttr.get([self.mlir(item) for item in value], context=context)

    def _read(self, attribute: Any) -> AttrValue:
        ir = bindings.ir
        if isinstance(attribute, ir.BoolAttr):
            return bool(attribute.value)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownArgumentType]
        if isinstance(attribute, (ir.IntegerAttr, ir.FloatAttr, ir.StringAttr)):
            return attribute.value  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]
        if isinstance(attribute, ir.ArrayAttr):
            return tuple(self._read(item) for item in attribute)  # pyright: ignore[reportGeneralTypeIssues, reportUnknownVariableType]
        if isinstance(attribute, ir.UnitAttr):
            return True
        raise InternalError(f"AscIR has no attribute {attribute}")
