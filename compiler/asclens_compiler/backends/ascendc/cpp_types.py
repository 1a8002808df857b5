# SPDX-License-Identifier: Apache-2.0
"""How types, positions, enum members and literals are spelled in Ascend C."""

from __future__ import annotations

import math

from asclens_compiler.ascir.program import AttrValue, Const
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
from asclens_compiler.errors import InternalError
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Position

NAMESPACE = "AscendC::"
DTYPES = {
    DType.INT1: "bool", DType.BOOL: "bool", DType.INT4: "AscendC::int4b_t", DType.INT8: "int8_t",
    DType.INT16: "int16_t", DType.INT32: "int32_t", DType.INT64: "int64_t", DType.UINT8: "uint8_t",
    DType.UINT16: "uint16_t", DType.UINT32: "uint32_t", DType.UINT64: "uint64_t", DType.FLOAT16: "half",
    DType.BFLOAT16: "bfloat16_t", DType.FLOAT32: "float", DType.FLOAT64: "double",
}  # fmt: skip
# C++ names that differ from the Python class, and structs that live outside the namespace.
_STRUCTS = {
    "SoftmaxTiling": "SoftMaxTiling", "RmsNormTiling": "RmsNormTiling", "TCubeTiling": "TCubeTiling",
    "MatmulApiStaticTiling": "MatmulApiStaticTiling", "QuantConfig": "AscendC::AscendQuantConfig",
}  # fmt: skip
_ENUMS = {"SelMode": "AscendC::SELMODE", "QuantModes": "QuantMode_t", "pad_t": "pad_t"}
_DEFAULT_HANDLE_ARGUMENTS = {"TBufPool": "<AscendC::TPosition::VECIN, 4>"}


def dtype(type_: DType) -> str:
    """Return the spelling of an element type."""
    found = DTYPES.get(type_)
    if found is None:
        raise InternalError(f"Ascend C has no element type {type_.value}")
    return found


def position(place: Position) -> str:
    """Return the spelling of a position."""
    return f"AscendC::TPosition::{place.value}"


def enum_member(enum: str, member: str) -> str:
    """Return the spelling of an enum member; pipes are plain names."""
    if enum == "PipeID":
        return member
    return f"{_ENUMS.get(enum, NAMESPACE + enum)}::{member}"


def struct(name: str, element: AttrValue | None = None) -> str:
    """Return the spelling of a parameter struct."""
    spelled = _STRUCTS.get(name, NAMESPACE + name)
    return f"{spelled}<{dtype(DType(element))}>" if element else spelled


def element(type_: AscType) -> str:
    """Return the spelling of a tensor's or pointer's element type, or of a scalar."""
    if isinstance(type_, (LocalType, GlobalType, PointerType, ScalarType)):
        return dtype(type_.dtype)
    raise InternalError(f"{type_} has no element type")


def type_name(type_: AscType) -> str:
    """Return the C++ type of a variable."""
    match type_:
        case ScalarType(scalar):
            return dtype(scalar)
        case PointerType(pointee):
            return f"__gm__ {dtype(pointee)}*"
        case GlobalType(held):
            return f"AscendC::GlobalTensor<{dtype(held)}>"
        case LocalType(held):
            return f"AscendC::LocalTensor<{dtype(held)}>"
        case QueueType():
            return queue(type_)
        case BufferType(place):
            return f"AscendC::TBuf<{position(place)}>"
        case StructType(name):
            return struct(name)
        case HandleType(name):
            return f"{NAMESPACE}{name}{_DEFAULT_HANDLE_ARGUMENTS.get(name, '')}"


def queue(type_: QueueType) -> str:
    """Return a queue's type: TQue where one position says both ends, else TQueBind."""
    if Position.GM in (type_.source, type_.target) and type_.source is not type_.target:
        place = type_.target if type_.source is Position.GM else type_.source
        return f"AscendC::TQue<{position(place)}, {type_.depth}>"
    return f"AscendC::TQueBind<{position(type_.source)}, {position(type_.target)}, {type_.depth}>"


def literal(const: Const) -> str:
    """Return a literal of exactly the constant's type: overloads and templates depend on it."""
    type_ = const.type
    scalar = type_.dtype if isinstance(type_, ScalarType) else DType.INT32
    if scalar in (DType.INT1, DType.BOOL):
        return "true" if const.value else "false"
    if scalar.is_float:
        return _float(float(const.value), scalar)
    value = int(const.value)
    if scalar is DType.INT32 and value > -(1 << 31):
        return str(value)
    if scalar is DType.UINT32:
        return f"{value}u"
    if scalar is DType.UINT64:
        return f"{value}ULL"
    if scalar is DType.INT64 and value == -(1 << 63):
        return "INT64_MIN"
    return f"static_cast<{dtype(scalar)}>({value})" if scalar is not DType.INT32 else "INT32_MIN"


def _float(value: float, scalar: DType) -> str:
    if math.isnan(value):
        text = '__builtin_nanf("")'
    elif math.isinf(value):
        text = "-__builtin_inff()" if value < 0 else "__builtin_inff()"
    else:
        text = f"{value!r}f" if scalar is not DType.FLOAT64 else repr(value)
    return text if scalar in (DType.FLOAT32, DType.FLOAT64) else f"static_cast<{dtype(scalar)}>({text})"


def text_literal(text: str) -> str:
    """Return a string literal; escapes that the text already holds stay as they are."""
    out: list[str] = []
    escaped = False
    for char in text:
        if char == '"' and not escaped:
            out.append('\\"')
        elif char == "\n":
            out.append("\\n")
        elif ord(char) < 32:
            out.append(f"\\{ord(char):03o}")
        else:
            out.append(char)
        escaped = char == "\\" and not escaped
    return '"' + "".join(out) + '"'
