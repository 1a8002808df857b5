# SPDX-License-Identifier: Apache-2.0
"""Scalar ops as C++ expressions."""

from __future__ import annotations

from collections.abc import Sequence

from asclens_compiler.ascir.program import Op
from asclens_compiler.ascir.types import AscType, ScalarType
from asclens_compiler.backends.ascendc import cpp_types
from asclens_compiler.errors import InternalError
from asclens_compiler.hardware.dtypes import DType

_INFIX = {
    "addi": "+", "subi": "-", "muli": "*", "divsi": "/", "remsi": "%", "addf": "+", "subf": "-", "mulf": "*",
    "divf": "/", "andi": "&", "ori": "|", "xori": "^", "shli": "<<", "shrsi": ">>",
}  # fmt: skip
_UNSIGNED_INFIX = {"divui": "/", "remui": "%", "shrui": ">>"}
_COMPARE = {
    "eq": "==", "ne": "!=", "slt": "<", "sle": "<=", "sgt": ">", "sge": ">=", "ult": "<", "ule": "<=", "ugt": ">",
    "uge": ">=", "oeq": "==", "une": "!=", "olt": "<", "ole": "<=", "ogt": ">", "oge": ">=", "ueq": "==",
    "one": "!=",
}  # fmt: skip
_UNSIGNED_COMPARE = frozenset({"ult", "ule", "ugt", "uge"})
_CHOICES = {"minsi": "<", "maxsi": ">", "minui": "<", "maxui": ">", "minnumf": "<", "maxnumf": ">", "minimumf": "<",
            "maximumf": ">"}  # fmt: skip
_CASTS = frozenset({"extsi", "extui", "trunci", "sitofp", "uitofp", "fptosi", "fptoui", "extf", "truncf", "bitcast",
                    "index_cast", "index_castui"})  # fmt: skip
_UNSIGNED = {DType.INT8: DType.UINT8, DType.INT16: DType.UINT16, DType.INT32: DType.UINT32, DType.INT64: DType.UINT64}


def expression(op: Op, operands: Sequence[str], source: AscType, result: AscType) -> str:
    """Return the expression of an `arith` or `math` op; `source` is the type of its first operand."""
    dialect, _, name = op.name.partition(".")
    if dialect == "math":
        return f"{name}({', '.join(operands)})"
    if name in _INFIX:
        return f"{operands[0]} {_INFIX[name]} {operands[1]}"
    if name in _UNSIGNED_INFIX:
        return f"{_unsigned(operands[0], source)} {_UNSIGNED_INFIX[name]} {_unsigned(operands[1], source)}"
    if name in ("cmpi", "cmpf"):
        return _compare(str(op.attr("predicate")), operands, source, whole=name == "cmpi")
    if name in _CASTS:
        return _cast(name, operands[0], source, result)
    if name in _CHOICES:
        unsigned = name.endswith("ui")
        left, right = (_unsigned(item, source) if unsigned else item for item in operands)
        return f"{left} {_CHOICES[name]} {right} ? {operands[0]} : {operands[1]}"
    if name == "select":
        return f"{operands[0]} ? {operands[1]} : {operands[2]}"
    if name == "negf":
        return f"-{operands[0]}"
    if name == "ceildivsi":
        left, right = operands
        return f"({left} + {right} - 1) / {right}"
    if name == "floordivsi":
        left, right = operands
        return f"{left} / {right} - (({left} % {right} != 0) && (({left} < 0) != ({right} < 0)))"
    raise InternalError("the scalar op has no C++ form", op=op.name, span=op.span)


def _compare(predicate: str, operands: Sequence[str], source: AscType, *, whole: bool) -> str:
    if predicate not in _COMPARE:
        raise InternalError(f"the predicate {predicate} has no C++ form", op="arith.cmpf")
    left, right = operands
    if whole and predicate in _UNSIGNED_COMPARE:
        left, right = _unsigned(left, source), _unsigned(right, source)
    return f"{left} {_COMPARE[predicate]} {right}"


def _cast(name: str, operand: str, source: AscType, result: AscType) -> str:
    if name in ("extui", "uitofp"):
        operand = _unsigned(operand, source)
    return f"static_cast<{cpp_types.type_name(result)}>({operand})"


def _unsigned(text: str, type_: AscType) -> str:
    if isinstance(type_, ScalarType) and type_.dtype in _UNSIGNED:
        return f"static_cast<{cpp_types.dtype(_UNSIGNED[type_.dtype])}>({text})"
    return text
