# SPDX-License-Identifier: Apache-2.0
"""The lowest part of the builder: one op of the opset, or any MLIR op."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, cast

from asclens_compiler.ascir import bindings
from asclens_compiler.ascir.attributes import plain
from asclens_compiler.ascir.dialect import OpShape, op_shapes
from asclens_compiler.ascir.insertion import Cursor
from asclens_compiler.ascir.locations import named
from asclens_compiler.ascir.types import AscType
from asclens_compiler.ascir.unit import Unit
from asclens_compiler.ascir.values import IRValue
from asclens_compiler.errors import InternalError
from asclens_compiler.source.span import Span

Operands = Sequence[IRValue | Sequence[IRValue] | None]
NO_ATTRS: Mapping[str, object] = {}


class OpBuilder:
    """Create ops at a cursor."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.cursor = Cursor(unit)
        self._types = unit.session.types
        self._attrs = unit.session.attrs

    def op(
        self,
        name: str,
        operands: Operands = (),
        *,
        attrs: Mapping[str, object] = NO_ATTRS,
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


def _singly(names: Sequence[str]) -> list[list[str]]:
    return [[item] if item else [] for item in names]


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
