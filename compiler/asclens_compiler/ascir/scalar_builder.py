# SPDX-License-Identifier: Apache-2.0
"""The scalar half of the builder: literals, arithmetic, casts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from asclens_compiler.ascir import bindings
from asclens_compiler.ascir.op_builder import OpBuilder
from asclens_compiler.ascir.scalars import PREDICATES, SIGN_CAST, cast_op
from asclens_compiler.ascir.typemap import signless
from asclens_compiler.ascir.types import ScalarType
from asclens_compiler.ascir.values import IRValue
from asclens_compiler.errors import InternalError
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.source.span import Span


class ScalarBuilder(OpBuilder):
    """Create scalar ops."""

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


def _dtype(value: IRValue, span: Span) -> DType:
    if not isinstance(value.type, ScalarType):
        raise InternalError(f"{value.type} is no scalar", span=span)
    return value.type.dtype
