# SPDX-License-Identifier: Apache-2.0
"""Element types of tensors and scalars."""

from __future__ import annotations

from enum import Enum


class DType(Enum):
    """Name an element type; the value is the name that pyasc and numpy use.

    UNKNOWN stands for a type that only a launch knows; rules that need it stay silent.
    """

    INT1 = "int1"
    INT4 = "int4"
    INT8 = "int8"
    INT16 = "int16"
    INT32 = "int32"
    INT64 = "int64"
    UINT8 = "uint8"
    UINT16 = "uint16"
    UINT32 = "uint32"
    UINT64 = "uint64"
    FLOAT16 = "float16"
    BFLOAT16 = "bfloat16"
    FLOAT32 = "float32"
    FLOAT64 = "float64"
    BOOL = "bool"
    UNKNOWN = "unknown"

    @property
    def bits(self) -> int:
        """Return the width of one element in bits (0 for UNKNOWN)."""
        return _BITS[self]

    @property
    def size_bytes(self) -> int:
        """Return the bytes of one element in memory (int4 and int1 count as 1; 0 for UNKNOWN)."""
        return (_BITS[self] + 7) // 8

    @property
    def is_float(self) -> bool:
        """Tell whether values are floating point."""
        return self in _FLOATS

    @property
    def is_int(self) -> bool:
        """Tell whether values are integers (signed or not, BOOL excluded)."""
        return self not in _FLOATS and self not in (DType.UNKNOWN, DType.BOOL)

    @property
    def is_signed(self) -> bool:
        """Tell whether values may be negative."""
        return self in _FLOATS or self.value.startswith("int")


_FLOATS = frozenset({DType.FLOAT16, DType.BFLOAT16, DType.FLOAT32, DType.FLOAT64})
_BITS = {
    DType.INT1: 1, DType.INT4: 4, DType.INT8: 8, DType.INT16: 16, DType.INT32: 32, DType.INT64: 64,
    DType.UINT8: 8, DType.UINT16: 16, DType.UINT32: 32, DType.UINT64: 64, DType.FLOAT16: 16,
    DType.BFLOAT16: 16, DType.FLOAT32: 32, DType.FLOAT64: 64, DType.BOOL: 8, DType.UNKNOWN: 0,
}  # fmt: skip
