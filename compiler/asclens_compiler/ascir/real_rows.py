# SPDX-License-Identifier: Apache-2.0
"""Lays an op of real pyasc's text out as its opset row has it: operands, attributes, result types."""

from __future__ import annotations

import re

from asclens_compiler.ascir import real_types
from asclens_compiler.ascir.real_text import RealOp, UnknownForm, split_top
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
from asclens_compiler.ascir.values import IRValue
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.opset.model import AttrRow, OpRow
from asclens_compiler.opset.registry import opset

_ESCAPE = re.compile(r'\\([\\"]|[0-9A-Fa-f]{2})')
_DTYPES = {dtype.value: dtype for dtype in DType}


def grouped(row: OpRow, op: RealOp, values: list[IRValue]) -> list[IRValue | list[IRValue] | None]:
    """Lay the operands of the text out as the row has them."""
    sizes = _sizes(row, op, len(values))
    grouped: list[IRValue | list[IRValue] | None] = []
    start = 0
    for operand, size in zip(row.operands, sizes, strict=True):
        part = values[start : start + size]
        grouped.append(part if operand.variadic else part[0] if part else None)
        start += size
    return grouped


def _sizes(row: OpRow, op: RealOp, count: int) -> list[int]:
    given = op.attrs.get("operandSegmentSizes")
    if given is not None:
        sizes = [int(item) for item in given.partition(":")[2].strip(" >").split(",")]
        if len(sizes) == len(row.operands):
            return sizes
    needed = sum(not (item.optional or item.variadic) for item in row.operands)
    spare = count - needed
    sizes: list[int] = []
    for item in row.operands:
        take = spare if item.variadic else int(item.optional and spare > 0) if item.optional else 1
        spare -= take if item.variadic or item.optional else 0
        sizes.append(take)
    if spare or count < needed:
        raise UnknownForm(op.span.line, f"{op.name} has {count} operands, the opset {len(row.operands)}")
    return sizes


def attributes(row: OpRow, op: RealOp) -> dict[str, object]:
    """Match words (in order) and dictionary entries (by name) with the row's attributes."""
    attrs: dict[str, object] = {}
    words = list(op.words)
    for item in row.attrs:
        given = op.attrs.get(item.name)
        if words and words[0] == item.name:  # `format = RGB888_U8`
            words.pop(0)
        if given is None and item.kind is not bool and words:
            given = words.pop(0)
        if given is not None:
            attrs[item.name] = _attribute(item, given, op)
    if any(item.name == "dtype" and item.name not in attrs for item in row.attrs):
        dtype = real_types.element(op.types.rpartition(" to ")[2])
        attrs["dtype"] = dtype if dtype is not DType.UNKNOWN else ""
    return attrs


def _attribute(item: AttrRow, text: str, op: RealOp) -> object:
    bare = _unescaped(text[1:-1]) if text.startswith('"') else text.partition(" : ")[0]
    if item.kind is bool:
        return bare not in ("false", "0")
    if item.kind is int:
        return int(bare)
    enum = opset().enums.get(item.enum)
    if enum is not None:
        for member, value in enum.members:
            if member.lower() == bare.lower() or str(value) == bare:
                return member
        raise UnknownForm(op.span.line, f"{item.enum} has no member {bare}")
    dtype = real_types.scalar(bare)
    return dtype if dtype is not None else bare


def _unescaped(text: str) -> str:
    """Read MLIR's escapes: quote, backslash, and bytes of UTF-8 as two hexadecimal digits."""
    data = _ESCAPE.sub(lambda match: match[1] if match[1] in ('"', "\\") else chr(int(match[1], 16)), text)
    return data.encode("latin-1", "ignore").decode(errors="replace")


def result_type(row: OpRow, name: str, op: RealOp, values: list[IRValue], index: int) -> AscType:
    """Return a result's type from the row's name for it and from what the text says."""
    text = _result_text(op, len(row.results), index)
    owner = next((item.type for item in values if isinstance(item.type, (LocalType, QueueType, BufferType))), None)
    if name in ("LocalTensor", "LocalTensorAuto"):
        tensors = [item for item in split_top(op.types) if item.startswith(("!ascendc.local_tensor", "<"))]
        return _local(tensors[-1] if tensors and " to " not in op.types else text, op, owner)
    if name in ("GlobalTensor", "GlobalAddress"):
        return _global(name, text, values)
    if name in _DTYPES:
        return ScalarType(_DTYPES[name])
    if name in ("TQue", "TQueBind", "TBuf", "TBufPool"):
        forms = {"TQue": "queue", "TQueBind": "que_bind", "TBuf": "tbuf", "TBufPool": "tbuf_pool"}
        return real_types.from_text(text, form=forms[name])
    dtype = real_types.scalar(text)
    if dtype is not None and name in ("element", "field", "dtype"):
        return ScalarType(dtype)
    return StructType(name) if name in opset().structs else HandleType(name)


def _local(text: str, op: RealOp, owner: AscType | None) -> LocalType:
    words = [position for position in map(real_types.position_named, op.words) if position is not None]
    position = words[-1] if words else real_types.tensor_position(owner)
    return LocalType(real_types.element(text), position, real_types.shape(text))


def _global(name: str, text: str, values: list[IRValue]) -> AscType:
    dtype = real_types.element(text)
    if dtype is DType.UNKNOWN:
        held = next((item.type for item in values if isinstance(item.type, (GlobalType, PointerType, LocalType))), None)
        dtype = held.dtype if held is not None else dtype
    return PointerType(dtype) if name == "GlobalAddress" else GlobalType(dtype, real_types.shape(text))


def _result_text(op: RealOp, count: int, index: int) -> str:
    """Return the spelling of a result: after `->` or `to`, else among the last types."""
    for arrow in ("->", " to "):
        if arrow in op.types:
            return split_top(op.types.rpartition(arrow)[2].strip(" ()"))[index]
    parts = split_top(op.types)
    return parts[index - count] if len(parts) >= count else ""
