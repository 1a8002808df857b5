# SPDX-License-Identifier: Apache-2.0
"""Structs that a host script defines, fills and passes to a kernel."""

from __future__ import annotations

import ast
import ctypes
from typing import Any, ClassVar

from asclens_host.dtypes import DataType

MISSING = object()

_CTYPES = {
    "int8": ctypes.c_int8, "int16": ctypes.c_int16, "int32": ctypes.c_int32, "int64": ctypes.c_int64,
    "uint8": ctypes.c_uint8, "uint16": ctypes.c_uint16, "uint32": ctypes.c_uint32, "uint64": ctypes.c_uint64,
    "float32": ctypes.c_float, "float64": ctypes.c_double,
}  # fmt: skip


class BaseField:
    """Declare a member of a struct; `name` is its Ascend C name when that differs."""

    def __init__(self, default: Any, name: str | None) -> None:
        self.default = default
        self.name = name
        self.key = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.key = name

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            return self
        return instance.__dict__[self.key]

    def __set__(self, instance: Any, value: Any) -> None:
        instance.__dict__[self.key] = value

    def initial(self) -> Any:
        """Return the value that a new struct starts with, or MISSING."""
        return self.default


class Field(BaseField):
    """Declare a number."""

    def __init__(
        self, dtype: DataType, default: Any = MISSING, name: str | None = None, enum: str | None = None
    ) -> None:
        super().__init__(default, name)
        self.dtype = dtype
        self.enum = enum


class StructField(BaseField):
    """Declare a struct inside a struct."""

    def __init__(self, struct_cls: type, default: Any = None, name: str | None = None) -> None:
        super().__init__(default, name)
        self.struct_cls = struct_cls

    def initial(self) -> Any:
        """Return the default, or a new inner struct."""
        return self.struct_cls() if self.default is None else self.default


class Struct:
    """Base of structs: subclass it with `Field` and `StructField` class attributes."""

    _members: ClassVar[dict[str, BaseField]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        own = {key: field for key, field in vars(cls).items() if isinstance(field, BaseField)}
        cls._members = {**cls._members, **own}

    def __init__(self, **fields: Any) -> None:
        name = type(self).__name__
        for key in fields:
            if key not in self._members:
                raise RuntimeError(f"{name} has no field '{key}'")
        for key, member in self._members.items():
            value = fields[key] if key in fields else member.initial()
            if value is MISSING:
                raise RuntimeError(f"{name} needs a value for field '{key}'")
            setattr(self, key, value)

    @classmethod
    def get_field(cls, name: str) -> BaseField:
        """Return the declaration of a field; raise RuntimeError for an unknown name."""
        if name not in cls._members:
            raise RuntimeError(f"{cls.__name__} has no field '{name}'")
        return cls._members[name]

    @classmethod
    def members(cls) -> list[tuple[str, BaseField]]:
        """Return the fields by Python name, in order."""
        return list(cls._members.items())

    def pack(self) -> bytes:
        """Return the bytes of the C struct (8-byte packing)."""
        return bytes(self._as_ctypes())

    def _as_ctypes(self) -> Any:
        layout: list[Any] = []
        values: list[Any] = []
        for key, member in self._members.items():
            value = getattr(self, key)
            if isinstance(member, Field):
                ctype = _CTYPES.get(str(member.dtype))
                if ctype is None:
                    raise TypeError(f"{type(self).__name__}.{key}: a struct field cannot be {member.dtype}")
                layout.append((key, ctype))
                values.append(float(value) if member.dtype.is_float() else int(value))
            else:
                inner = value._as_ctypes()
                layout.append((key, inner.__class__))
                values.append(inner)
        body = {"_pack_": 8, "_layout_": "ms", "_fields_": layout}
        return type(type(self).__name__, (ctypes.Structure,), body)(*values)

    def __repr__(self) -> str:
        inner = ", ".join(f"{key}={getattr(self, key)!r}" for key in self._members)
        return f"{type(self).__name__}({inner})"


def struct_class(name: str, module: str, rows: list[list[Any]]) -> type:
    """Return a struct class of the toolchain; a row is (Python name, C name, dtype, default text)."""
    body: dict[str, Any] = {"__module__": module}
    for key, c_name, dtype, default in rows:
        body[key] = Field(DataType(dtype), default=ast.literal_eval(default), name=c_name)
    return type(name, (Struct,), body)
