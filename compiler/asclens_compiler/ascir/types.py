# SPDX-License-Identifier: Apache-2.0
"""Types of AscIR values as plain Python data; `ascir/` alone maps them to MLIR and back."""

from __future__ import annotations

from dataclasses import dataclass

from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Position


@dataclass(frozen=True, slots=True)
class ScalarType:
    """A scalar register (`i32`, `f32`, ...); INT1 is the result of a comparison."""

    dtype: DType


@dataclass(frozen=True, slots=True)
class PointerType:
    """An address in global memory, as a kernel parameter has it (`asc.GlobalAddress`)."""

    dtype: DType


@dataclass(frozen=True, slots=True)
class GlobalType:
    """A `GlobalTensor`; shape in elements when it is known statically."""

    dtype: DType
    shape: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class LocalType:
    """A `LocalTensor` at a logical position; shape in elements when it is known statically."""

    dtype: DType
    position: Position
    shape: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class QueueType:
    """A `TQue` (source and destination from its position) or `TQueBind`."""

    source: Position
    target: Position
    depth: int


@dataclass(frozen=True, slots=True)
class BufferType:
    """A `TBuf`."""

    position: Position


@dataclass(frozen=True, slots=True)
class StructType:
    """A parameter struct (`BinaryRepeatParams`, user `Struct` ...), by class name."""

    name: str


@dataclass(frozen=True, slots=True)
class HandleType:
    """An object with no contents of its own: `TPipe`, `TBufPool`, `Matmul`, list tensors ..."""

    name: str


AscType = ScalarType | PointerType | GlobalType | LocalType | QueueType | BufferType | StructType | HandleType
