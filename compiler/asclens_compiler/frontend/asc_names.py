# SPDX-License-Identifier: Apache-2.0
"""The facade's names as values: modules, functions and classes, dtypes, enums.

`asc.language.basic.add`, `asc.language.add` and `asc.add` are one name, `asc.add`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from asclens_compiler.frontend.builtins import RangeType
from asclens_compiler.frontend.dtypes import DTypeValue
from asclens_compiler.frontend.enums import EnumClass, EnumValue
from asclens_compiler.frontend.hostvalues import HostArray, HostScalar, HostStruct, StructClass
from asclens_compiler.frontend.libraries import LIBRARIES, LibraryDType, LibraryName, library_dtype
from asclens_compiler.frontend.rules import no_member
from asclens_compiler.frontend.static import StaticValue
from asclens_compiler.frontend.values import POISON, KernelValue
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.opset.registry import opset

if TYPE_CHECKING:
    from asclens_compiler.frontend.classes import ClassValue
    from asclens_compiler.frontend.context import Context
    from asclens_compiler.frontend.surfaces import Surface
    from asclens_compiler.source.span import Span

_ALIASES = {"half": "float16", "float_": "float32", "double": "float64", "int_": "int32", "bit": "int1",
            "bool_": "int8"}  # fmt: skip
_DTYPES = {dtype.value: dtype for dtype in DType if dtype not in (DType.UNKNOWN, DType.BOOL)}
# Modules that stand alone; the names of all others are names of `asc`.
_ALONE = ("adv", "runtime", "runtime.config", "runtime.jit", "lib", "lib.runtime", "lib.host")
# Public names that have no row because they are no calls of a kernel.
_HOST_NAMES = ("jit", "ConstExpr", "GlobalAddress", "CodegenOptions", "CompileOptions", "LaunchOptions", "launch")
# Classes that live deeper than their module's other names.
_DEEP = ("asc.language.core.struct", "asc.language.core.array", "asc.language.core.ir_value")
_MOCKS = ("MockTensor", "MockValue")
_ADV = ("asc.language.adv", "asc.adv")


@dataclass(frozen=True, slots=True, eq=False)
class AscModule(KernelValue):
    """A module of the facade, by its canonical path (`asc`, `asc.adv`, `asc.lib.runtime`)."""

    path: str
    kind = "module"

    def describe(self) -> str:
        """Return the path."""
        return f"`{self.path}`"

    def member(self, name: str) -> KernelValue | None:
        """Return a name of the module; None when there is none."""
        return _member(self.path, name)

    def getattr(self, ctx: Context, name: str, span: Span) -> KernelValue:
        """Return a name of the module, as the current surface sees it."""
        value = ctx.surface.asc_member(ctx, self.path, name, span)
        if value is None:
            value = self.member(name)
        if value is not None:
            return value
        if ctx.static or self.path not in ("asc", "asc.adv"):
            return POISON
        end = span.end_column
        name_span = type(span)(span.file, span.end_line, end - len(name), span.end_line, end)
        return ctx.fail(no_member.report(self.describe(), name, public_names(self.path), span, name_span))

    def is_compile_time(self) -> bool:
        """Return True."""
        return True


@dataclass(frozen=True, slots=True, eq=False)
class ApiValue(KernelValue):
    """A function or class of the facade; what a call means is the surface's business."""

    path: str
    kind = "function of asc"

    def describe(self) -> str:
        """Return the name."""
        return f"`{self.path}`"

    def getattr(self, ctx: Context, name: str, span: Span) -> KernelValue:
        """Read a static member of a class (`asc.DataType.FLOAT32`)."""
        value = ctx.surface.asc_member(ctx, self.path, name, span)
        if value is not None:
            return value
        if f"{self.path}.{name}" in opset().apis:
            return ApiValue(f"{self.path}.{name}")
        dtype = _DTYPES.get(name.lower()) if self.path == "asc.DataType" else None
        return DTypeValue(dtype) if dtype is not None else ctx.no_member(self, name, span)

    def getitem(self, ctx: Context, index: KernelValue, span: Span) -> KernelValue:
        """Subscript a generic class (`asc.ConstExpr[int]`): the class itself."""
        del ctx, index, span
        return self

    def call(
        self, ctx: Context, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue:
        """Call through the surface."""
        return ctx.surface.call_api(ctx, self.path, args, kwargs, span)

    def is_class_of(self, value: KernelValue) -> bool | None:
        """Answer `isinstance(value, asc.LocalTensor)`."""
        return None if value is POISON else value.api_class() == self.path

    def is_compile_time(self) -> bool:
        """Return True."""
        return True


@dataclass(frozen=True, slots=True, eq=False)
class OpaqueValue(KernelValue):
    """Something of the host that kernels cannot use; `text` says what."""

    text: str
    kind = "host object"

    def describe(self) -> str:
        """Return what it is."""
        return self.text

    def getattr(self, ctx: Context, name: str, span: Span) -> KernelValue:
        """Refuse: nothing of it exists on the device."""
        del name
        return ctx.not_supported(f"{self.text} has no meaning inside a kernel", span)

    def call(
        self, ctx: Context, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue:
        """Refuse."""
        del args, kwargs
        return ctx.not_supported(f"{self.text} cannot be called in a kernel", span)

    def is_compile_time(self) -> bool:
        """Return True."""
        return True


@cache
def _member(path: str, name: str) -> KernelValue | None:
    inner = f"{path}.{name}".removeprefix("asc.")
    if f"asc.{inner}" in _ADV:
        return AscModule("asc.adv")
    if inner in _ALONE:
        return AscModule(f"asc.{inner}")
    if path == "asc" and name in ("language", "core", "basic", "fwk", "codegen", "common"):
        return AscModule("asc")
    if path == "asc":
        return _plain_member(name)
    if path == "asc.runtime.jit" and name == "jit":
        return ApiValue("asc.jit")
    if path == "asc.runtime.jit" and name in _MOCKS:
        return ApiValue(f"{path}.{name}")
    if path == "asc.adv":
        full = f"asc.adv.{name}"
        known = full in opset().apis
        return ApiValue(full) if known else _row_member(name, full)
    return None


def _plain_member(name: str) -> KernelValue | None:
    if name == "KnownTypes":
        return AscModule("asc")
    constants = opset().enums.get("Property")
    for member, number in constants.members if constants is not None else ():
        if member == name:
            return EnumValue("Property", member, number)
    for prefix in _DEEP:
        if f"{prefix}.{name}" in opset().apis:
            return ApiValue(f"{prefix}.{name}")
    dtype = _DTYPES.get(_ALIASES.get(name, name))
    if dtype is not None:
        return DTypeValue(dtype)
    if name in ("range", "static_range"):
        return RangeType(f"asc.{name}", unrolled=name == "static_range")
    if name in _HOST_NAMES or name == "DataType" or f"asc.{name}" in opset().apis or f"staged.{name}" in opset().apis:
        return ApiValue(f"asc.{name}")
    return _row_member(name, f"asc.{name}")


def _row_member(name: str, full: str) -> KernelValue | None:
    rows = opset()
    if name in rows.enums:
        return EnumClass(rows.enums[name])
    return ApiValue(full) if full in rows.apis else None


def public_names(path: str) -> Iterable[str]:
    """Return the names that a facade module has in kernels (for suggestions)."""
    rows = opset()
    prefix = f"{path}."
    for name in rows.apis:
        if name.startswith(prefix) and "." not in name[len(prefix) :]:
            yield name[len(prefix) :]
    if path == "asc":
        yield from (*rows.enums, *_DTYPES, *_ALIASES, *_HOST_NAMES, "range", "static_range")


def import_value(module: str, name: str = "") -> KernelValue:
    """Return what `import module` (its last part) or `from module import name` binds."""
    parts = module.split(".")
    if parts[0] != "asc":
        if parts[0] in LIBRARIES:
            dtype = library_dtype(module, name) if name else None
            return LibraryDType(dtype) if dtype is not None else LibraryName(f"{module}.{name}" if name else module)
        if parts[0] in sys.stdlib_module_names:
            return OpaqueValue(f"`{module}.{name}`" if name else f"the module `{module}`")
        return POISON  # another file: what its names are is not known here
    value: KernelValue | None = AscModule("asc")
    for part in [*parts[1:], *([name] if name else [])]:
        inner = value.member(part) if isinstance(value, AscModule) else None
        if inner is None and isinstance(value, AscModule) and value.path == "asc" and part != name:
            continue  # modules inside `asc.language.core` and its siblings: their names are names of `asc`
        value = inner
    return value if value is not None else POISON


class _NeutralSurface:
    """What module-level code sees: names, but no calls of the device."""

    name = ""
    needs_jit = False

    def asc_member(self, ctx: Context, path: str, name: str, span: Span) -> KernelValue | None:
        """Return None: module-level code sees the plain names."""
        del ctx, path, name, span

    def unbound_name(self, ctx: Context, name: str, span: Span) -> KernelValue | None:
        """Return None."""
        del ctx, name, span

    def call_api(
        self, ctx: Context, path: str, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue:
        """Make dtypes and constants; ask the surfaces for their host objects."""
        from asclens_compiler.frontend.surfaces import surfaces  # noqa: PLC0415  the surfaces need this module

        if path == "asc.DataType" and len(args) == 1 and isinstance(args[0], StaticValue):
            dtype = _DTYPES.get(_ALIASES.get(str(args[0].value), str(args[0].value)))
            return DTypeValue(dtype) if dtype is not None else POISON
        if path.startswith("asc.runtime.jit.") and len(args) == 1 and isinstance(args[0], DTypeValue):
            dtype = args[0].dtype
            return HostArray(dtype) if path.endswith("MockTensor") else HostScalar(dtype, 0)
        if path == "asc.ConstExpr" and len(args) == 1:
            return args[0]
        for surface in surfaces():
            value = surface.call_on_host(ctx, path, args, kwargs, span)
            if value is not None:
                return value
        return POISON

    def make_struct(
        self, ctx: Context, cls: StructClass, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue:
        """Return a host struct."""
        del ctx, args, kwargs, span
        return HostStruct(cls)

    def instantiate(
        self, ctx: Context, cls: ClassValue, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue | None:
        """Ask the surfaces."""
        from asclens_compiler.frontend.surfaces import surfaces  # noqa: PLC0415  the surfaces need this module

        for surface in surfaces():
            value = surface.instantiate(ctx, cls, args, kwargs, span)
            if value is not None:
                return value
        return None


@cache
def neutral_surface() -> Surface:
    """Return the surface of module-level code."""
    return _NeutralSurface()  # pyright: ignore[reportReturnType]  it finds and begins no kernels
