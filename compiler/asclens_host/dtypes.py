# SPDX-License-Identifier: Apache-2.0
"""`asc.DataType`: one class for both spellings, `DataType("int32")` and `DataType.INT32`."""

from __future__ import annotations

from typing import Any, ClassVar

# Name -> bits of one element; int1 and void have no size in memory.
BITS: dict[str, int] = {
    "void": 0, "int1": 1, "int4": 4, "int8": 8, "int16": 16, "int32": 32, "int64": 64,
    "uint8": 8, "uint16": 16, "uint32": 32, "uint64": 64,
    "float16": 16, "bfloat16": 16, "float32": 32, "float64": 64,
}  # fmt: skip


class DataType:
    """Name an element type.

    Two objects of one name are equal. ValueError for a name that the device does not have.
    """

    INT1: ClassVar[DataType]
    INT4: ClassVar[DataType]
    INT8: ClassVar[DataType]
    INT16: ClassVar[DataType]
    INT32: ClassVar[DataType]
    INT64: ClassVar[DataType]
    UINT8: ClassVar[DataType]
    UINT16: ClassVar[DataType]
    UINT32: ClassVar[DataType]
    UINT64: ClassVar[DataType]
    FLOAT16: ClassVar[DataType]
    BFLOAT16: ClassVar[DataType]
    FLOAT32: ClassVar[DataType]
    FLOAT64: ClassVar[DataType]

    def __init__(self, name: str | DataType) -> None:
        name = str(name)
        if name not in BITS:
            raise ValueError(f"Unsupported DataType name: {name}")
        self.name = name

    @property
    def bitwidth(self) -> int:
        """Return the bits of one element."""
        return BITS[self.name]

    def sizeof(self) -> int:
        """Return the bytes of one element."""
        return (BITS[self.name] + 7) // 8

    def is_int(self) -> bool:
        """Tell whether values are integers."""
        return "int" in self.name

    def is_float(self) -> bool:
        """Tell whether values are floating point."""
        return "float" in self.name

    def is_numeric(self) -> bool:
        """Tell whether there are values at all."""
        return self.name != "void"

    def is_signed(self) -> bool:
        """Tell whether values are signed integers."""
        return self.name.startswith("int")

    def is_unsigned(self) -> bool:
        """Tell whether values are unsigned integers."""
        return self.name.startswith("uint")

    def is_void(self) -> bool:
        """Tell whether this is the type of nothing."""
        return self.name == "void"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DataType) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"asc.{self.name}"


ALL: dict[str, DataType] = {name: DataType(name) for name in BITS}
for _name, _dtype in ALL.items():
    if _name != "void":
        setattr(DataType, _name.upper(), _dtype)

_ALIASES = {"int_": "int32", "half": "float16", "float_": "float32", "double": "float64"}
# Names on `asc`, and those that only the module `asc.language.core.dtype` has.
PUBLIC: dict[str, DataType] = {name: ALL[name] for name in ALL if name not in ("int1", "int4")}
PUBLIC.update({alias: ALL[name] for alias, name in _ALIASES.items()})
MODULE: dict[str, Any] = {**PUBLIC, "int1": ALL["int1"], "bit": ALL["int1"], "bool_": ALL["int8"]}


class KnownTypes:
    """Hold the element types as attributes (`KnownTypes.int32`)."""


for _name, _dtype in MODULE.items():
    setattr(KnownTypes, _name, _dtype)
