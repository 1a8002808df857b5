# SPDX-License-Identifier: Apache-2.0
"""Stand-ins for what exists on the device only: functions, handles, parameter structs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from asclens_host.errors import device_only

T = TypeVar("T")


class DeviceFunction:
    """Name a device function; calling it on the host is an error."""

    def __init__(self, path: str, module: str) -> None:
        self.path = path
        self.__name__ = self.__qualname__ = path.rsplit(".", 1)[1]
        self.__module__ = module

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Raise RuntimeError."""
        raise device_only(self.path)

    def __repr__(self) -> str:
        return f"<device function {self.path}>"


class DeviceHandle:
    """Base of classes whose objects exist on the device only."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        """Raise RuntimeError."""
        raise device_only(f"asc.{cls.__name__}")


class GlobalAddress(DeviceHandle):
    """Annotate a kernel parameter that is an array in global memory."""


class Property:
    """Name a constant of the chip, readable in kernels through `asc.property`."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"<device constant {self.name}>"


class ConstExpr(Generic[T]):
    """Annotate a kernel parameter whose value is known when the kernel is compiled."""

    def __init__(self, value: Any) -> None:
        self.value = self.unwrap(value)

    @staticmethod
    def unwrap(obj: Any) -> Any:
        """Return the value inside a ConstExpr, or the object itself."""
        return obj.value if isinstance(obj, ConstExpr) else obj

    def __str__(self) -> str:
        return str(self.value)

    def __repr__(self) -> str:
        return f"ConstExpr[{type(self.value).__name__}]({self.value!r})"


class Params:
    """Base of parameter structs: built on the host or in a kernel, used in kernels."""

    _fields: tuple[tuple[str, Any], ...] = ()
    _required: frozenset[str] = frozenset()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        name = type(self).__name__
        names = [field for field, _ in self._fields]
        if len(args) > len(names):
            raise TypeError(f"{name} takes {len(names)} arguments, {len(args)} were given")
        values: dict[str, Any] = {names[position]: value for position, value in enumerate(args)}
        for key, value in kwargs.items():
            if key not in names:
                raise TypeError(f"{name} has no field '{key}'; fields: {', '.join(names)}")
            if key in values:
                raise TypeError(f"{name}: field '{key}' was given twice")
            values[key] = value
        missing = [field for field in names if field in self._required and field not in values]
        if missing:
            raise TypeError(f"{name} needs a value for {', '.join(missing)}")
        for field, default in self._fields:
            setattr(self, field, values.get(field, default))

    @classmethod
    def names(cls) -> list[str]:
        """Return the names of the fields in order."""
        return [name for name, _ in cls._fields]

    def __repr__(self) -> str:
        inner = ", ".join(f"{field}={getattr(self, field)!r}" for field, _ in self._fields)
        return f"{type(self).__name__}({inner})"


def params_class(name: str, module: str, fields: Sequence[tuple[str, Any]], required: list[str]) -> type:
    """Return a parameter struct class; fields come with their defaults, in order."""
    return type(name, (Params,), {"__module__": module, "_fields": tuple(fields), "_required": frozenset(required)})


def ceildiv(a: int, b: int) -> int:
    """Return a / b rounded up, for Python integers."""
    return (a + b - 1) // b


def static_assert(condition: Any, message: str = "") -> None:
    """Check a condition while the kernel is compiled; on the host, at once."""
    if not condition:
        raise AssertionError(message or "asc.static_assert failed")
