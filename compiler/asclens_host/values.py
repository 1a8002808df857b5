# SPDX-License-Identifier: Apache-2.0
"""Live objects as the VALUE, FUNC and CLASS objects of docs/engine-protocol.md."""

from __future__ import annotations

import enum
import math
import os
import sys
import sysconfig
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

from asclens_host import registry, sources
from asclens_host.device import ConstExpr, Params
from asclens_host.dtypes import DataType
from asclens_host.jit import JITFunction
from asclens_host.staged import Tensor
from asclens_host.structs import Field, Struct, StructField

Json = dict[str, Any]
Chain = frozenset[tuple[str, ...]]

MAX_ITEMS = 65536  # longer sequences are not sent: a kernel cannot need them as literals
MAX_DEPTH = 12

_STDLIB = sysconfig.get_paths()["stdlib"] + os.sep
_INSTALLED = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")
_WHOLE: Chain = frozenset({()})


class Encoder:
    """Encode the objects of one launch record; functions and classes are sent once."""

    def __init__(self) -> None:
        self._sent: dict[int, int] = {}
        self._keep: list[Any] = []  # ids stay unique while the objects live
        self._open: set[int] = set()
        self._package = ""  # top-level package of the kernel

    def value(self, obj: Any, chains: Chain = _WHOLE, depth: int = 0) -> Json:
        """Return the VALUE of an object; `chains` are the attribute paths that the kernel reads."""
        obj = ConstExpr.unwrap(obj)
        plain = _plain(obj)
        if plain is not None:
            return plain
        path = registry.path_of(obj)
        if path is not None:
            return {"k": "module" if isinstance(obj, ModuleType) else "api", "v": path}
        if depth > MAX_DEPTH or id(obj) in self._open:
            return opaque(obj)
        if isinstance(obj, JITFunction):
            return self._function(obj.fn, jit=True)
        if isinstance(obj, FunctionType):
            return self._function(obj, jit=False)
        if _is(obj, type):
            return self._class(obj)
        self._open.add(id(obj))
        try:
            return self._composite(obj, chains, depth + 1)
        finally:
            self._open.discard(id(obj))

    def func(self, function: Callable[..., Any]) -> Json:
        """Return the FUNC of a live function; SourceError when its text is not at hand."""
        self._package = self._package or _root(function)
        source, node = sources.find(function)
        number = self._number(function)
        return {
            **_place(source, node.lineno, function.__qualname__, function.__module__),
            "id": number,
            "globals": self._globals(sources.referenced(node), function.__globals__),
            "closure": self._closure(function),
        }

    def cls(self, subject: type) -> Json:
        """Return the CLASS of a live class, its bases included."""
        self._package = self._package or _root(subject)
        source, node = sources.find(subject)
        number = self._number(subject)
        module_globals = vars(sys.modules[subject.__module__]) if subject.__module__ in sys.modules else {}
        attributes = {
            key: self.value(value)
            for key, value in vars(subject).items()
            if not key.startswith("__") and not callable(value) and not isinstance(value, (staticmethod, classmethod))
            and not _is_descriptor(value)
        }  # fmt: skip
        return {
            **_place(source, node.lineno, subject.__qualname__, subject.__module__),
            "id": number,
            "bases": [self._class(base) for base in subject.__bases__ if base is not object],
            "attrs": attributes,
            "globals": self._globals(sources.referenced(node), _method_globals(subject) or module_globals),
        }

    def attributes(self, obj: Any) -> dict[str, Json]:
        """Return the instance attributes of an object as VALUEs, slots included."""
        found = dict(getattr(obj, "__dict__", {}))
        for owner in type(obj).__mro__:
            slots = vars(owner).get("__slots__", ())
            for name in (slots,) if isinstance(slots, str) else slots:
                if name not in ("__dict__", "__weakref__") and hasattr(obj, name):
                    found.setdefault(name, getattr(obj, name))
        return {str(key): self.value(value, depth=1) for key, value in found.items()}

    def _number(self, obj: Any) -> int:
        self._keep.append(obj)
        return self._sent.setdefault(id(obj), len(self._sent) + 1)

    def _function(self, function: Any, *, jit: bool) -> Json:
        number = self._sent.get(id(function))
        if number is not None:
            return {"k": "function", "ref": number, "jit": jit}
        if not jit and self._foreign(function):
            return opaque(function)
        try:
            return {"k": "function", "v": self.func(function), "jit": jit}
        except sources.SourceError:
            return opaque(function)

    def _class(self, subject: Any) -> Json:
        path = registry.path_of(subject)
        if path is not None:
            return {"k": "api", "v": path}
        number = self._sent.get(id(subject))
        if number is not None:
            return {"k": "class", "ref": number}
        if issubclass(subject, Struct):
            return self._struct_class(subject)
        if self._foreign(subject):
            return opaque(subject)
        try:
            return {"k": "class", "v": self.cls(subject)}
        except sources.SourceError:
            return opaque(subject)

    def _foreign(self, subject: Any) -> bool:
        """Tell whether code belongs to Python itself or to an installed package that is not the kernel's."""
        try:
            file = sources.file_of(subject)
        except sources.SourceError:
            return True
        if any(folder in file for folder in _INSTALLED):
            return _root(subject) != self._package
        return file.startswith(_STDLIB)

    def _struct_class(self, subject: type) -> Json:
        number = self._number(subject)
        members: list[list[Any]] = []
        for key, member in subject.members():  # type: ignore[attr-defined]
            if isinstance(member, Field):
                members.append([key, str(member.dtype), member.name or key])
            elif isinstance(member, StructField):
                members.append([key, self._class(member.struct_cls), member.name or key])
        return {"k": "struct_class", "id": number, "type": subject.__name__, "fields": members}

    def _composite(self, obj: Any, chains: Chain, depth: int) -> Json:
        if _is(obj, tuple, list):
            if len(obj) > MAX_ITEMS:
                return opaque(obj)
            kind = "tuple" if _is(obj, tuple) else "list"
            return {"k": kind, "v": [self.value(item, depth=depth) for item in obj]}
        if _is(obj, dict):
            if len(obj) > MAX_ITEMS:
                return opaque(obj)
            items = [[self.value(key, depth=depth), self.value(item, depth=depth)] for key, item in obj.items()]
            return {"k": "dict", "v": items}
        if isinstance(obj, ModuleType):
            return self._namespace(obj, chains, depth)
        if isinstance(obj, Tensor):
            shape = None if obj.shape is None else list(obj.shape)
            dtype = None if obj.dtype is None else str(obj.dtype)
            return {"k": "tensor", "shape": shape, "dtype": dtype, "scope": obj.scope.name}
        if isinstance(obj, Params):
            fields = obj.names()
            return {
                "k": "instance",
                "type": type(obj).__name__,
                "attrs": {name: self.value(getattr(obj, name), depth=depth) for name in fields},
            }
        if hasattr(obj, "__dict__") or hasattr(obj.__class__, "__slots__"):
            return self._instance(obj)
        return opaque(obj)

    def _namespace(self, module: ModuleType, chains: Chain, depth: int) -> Json:
        """Encode what the kernel reads of an ordinary module (`settings.TILE`)."""
        wanted: dict[str, set[tuple[str, ...]]] = {}
        for chain in chains:
            if chain:
                wanted.setdefault(chain[0], set()).add(chain[1:])
        attributes = {
            name: self.value(getattr(module, name), frozenset(rest), depth)
            for name, rest in wanted.items()
            if hasattr(module, name)
        }
        return {"k": "namespace", "type": module.__name__, "attrs": attributes}

    def _instance(self, obj: Any) -> Json:
        if type(obj).__module__.split(".", 1)[0] in ("numpy", "torch", "builtins", "ctypes"):
            return opaque(obj)
        return {"k": "instance", "type": type(obj).__qualname__, "attrs": self.attributes(obj)}

    def _globals(self, chains: sources.Chains, module_globals: dict[str, Any]) -> dict[str, Json]:
        return {
            name: self.value(module_globals[name], frozenset(paths))
            for name, paths in chains.items()
            if name in module_globals
        }

    def _closure(self, function: Any) -> dict[str, Json]:
        found: dict[str, Json] = {}
        for position, name in enumerate(function.__code__.co_freevars):
            try:
                found[name] = self.value((function.__closure__ or ())[position].cell_contents)
            except ValueError:  # not assigned yet
                continue
        return found


def _is(obj: Any, *kinds: type) -> bool:
    """Return isinstance, without narrowing what is known about a live object of any type."""
    return isinstance(obj, kinds)


def opaque(obj: Any) -> Json:
    """Return the VALUE of something that a kernel cannot use."""
    name = obj.__name__ if isinstance(obj, type) else type(obj).__name__
    return {"k": "opaque", "type": f"class {name}" if isinstance(obj, type) else name}


def _plain(obj: Any) -> Json | None:
    if obj is None:
        return {"k": "none"}
    if isinstance(obj, enum.Enum):
        inner = _plain(obj.value)
        return {"k": "enum", "type": type(obj).__qualname__, "v": obj.name, "value": inner or opaque(obj.value)}
    for kind, name in ((bool, "bool"), (int, "int"), (str, "str")):
        if isinstance(obj, kind):
            return {"k": name, "v": kind(obj)}
    if isinstance(obj, float):
        return {"k": "float", "v": float(obj) if math.isfinite(obj) else str(float(obj))}
    if isinstance(obj, DataType):
        return {"k": "dtype", "v": obj.name}
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(obj, numpy.generic):
        item = obj.item()
        return None if isinstance(item, numpy.generic) else _plain(item)
    return None


def _place(source: sources.Source, line: int, qualname: str, module: str) -> Json:
    return {
        "file": source.file,
        "text": None if source.unchanged_on_disk() else source.text,
        "qualname": qualname,
        "line": line,
        "module": module,
    }


def _method_globals(subject: type) -> dict[str, Any] | None:
    return next((item.__globals__ for item in vars(subject).values() if isinstance(item, FunctionType)), None)


def _root(subject: Any) -> str:
    return str(getattr(subject, "__module__", "")).split(".", 1)[0]


def _is_descriptor(value: Any) -> bool:
    return hasattr(value.__class__, "__get__")
