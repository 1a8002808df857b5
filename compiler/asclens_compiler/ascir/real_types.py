# SPDX-License-Identifier: Apache-2.0
"""Types as real pyasc prints them -> AscIR types."""

from __future__ import annotations

import re

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
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Position
from asclens_compiler.hardware.queues import buffer_position, queue_ends
from asclens_compiler.opset.registry import opset

_SCALARS = {
    "i1": DType.INT1, "i8": DType.INT8, "i16": DType.INT16, "i32": DType.INT32, "i64": DType.INT64,
    "ui8": DType.UINT8, "ui16": DType.UINT16, "ui32": DType.UINT32, "ui64": DType.UINT64, "f16": DType.FLOAT16,
    "bf16": DType.BFLOAT16, "f32": DType.FLOAT32, "f64": DType.FLOAT64, "index": DType.INT64, "i4": DType.INT4,
}  # fmt: skip
_SHAPED = re.compile(r"<((?:\*|\?|\d+)(?:x(?:\?|\d+))*)x([^,>]+)")
_FORM = re.compile(r"(?:!ascendc\.)?(\w*)(?:<(.*)>)?", re.DOTALL)
_HANDLES = {"pipe": "TPipe", "tbuf_pool": "TBufPool", "matmul": "Matmul", "mrg_sort_src_list": "MrgSortSrcList"}

# Structs that the real IR calls otherwise than Python does.
_STRUCTS = {
    "aipp_dtc_params": "AippDataTypeConvParams", "aipp_cpadding_params": "AippChannelPaddingParams",
    "aipp_csc_params": "AippColorSpaceConvParams",
}  # fmt: skip


def scalar(text: str) -> DType | None:
    """Return the element type of a scalar's spelling."""
    return _SCALARS.get(text.strip())


def element(text: str) -> DType:
    """Return the element type that a tensor's or pointer's spelling holds."""
    match = _SHAPED.search(text)
    return _SCALARS.get(match[2].strip(), DType.UNKNOWN) if match else DType.UNKNOWN


def shape(text: str) -> tuple[int, ...] | None:
    """Return the static shape in a tensor's spelling."""
    match = _SHAPED.search(text)
    dims = match[1].split("x") if match else ["?"]
    return tuple(map(int, dims)) if all(item.isdigit() for item in dims) else None


def position_named(text: str) -> Position | None:
    """Return the position of a lower-case word."""
    return Position.__members__.get(text.strip().upper())


def struct_named(snake: str) -> str | None:
    """Return the opset's struct that real IR calls by a snake-case name."""
    if snake in _STRUCTS:
        return _STRUCTS[snake]
    flat = snake.replace("_", "").lower()
    return next((name for name in opset().structs if name.lower() == flat), None)


def tensor_position(owner: AscType | None) -> Position:
    """Return where tensors lie that come from a queue, buffer or tensor."""
    if isinstance(owner, QueueType):
        return buffer_position(owner.source, owner.target)
    if isinstance(owner, (BufferType, LocalType)):
        return owner.position
    return Position.VECCALC


def from_text(text: str, *, form: str = "", owner: AscType | None = None) -> AscType:
    """Return the type of a spelling; `form` is the type's name where the text drops it (`<vecin, 2>`)."""
    text = text.strip()
    dtype = scalar(text)
    if dtype is not None:
        return ScalarType(dtype)
    if text.startswith("memref"):
        return PointerType(element(text))
    match = _FORM.match(text)
    name, inner = (match[1] or form, match[2] or "") if match else (form, "")
    if name == "global_tensor":
        return GlobalType(element(text), shape(text))
    if name == "local_tensor":
        return LocalType(element(text), tensor_position(owner), shape(text))
    parts = [item.strip() for item in inner.split(",")]
    if name == "queue":
        position = position_named(parts[0]) or Position.VECIN
        try:
            source, target = queue_ends(position)
        except KeyError:
            source = target = position
        return QueueType(source, target, int(parts[1]))
    if name == "que_bind":
        source, target = (position_named(item) or Position.VECIN for item in parts[:2])
        return QueueType(source, target, int(parts[2]))
    if name == "tbuf":
        return BufferType(position_named(parts[0]) or Position.VECCALC)
    struct = struct_named(name)
    return StructType(struct) if struct else HandleType(_HANDLES.get(name) or name.title().replace("_", ""))
