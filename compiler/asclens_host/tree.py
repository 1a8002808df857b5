# SPDX-License-Identifier: Apache-2.0
"""The modules of the facade: which names stand where, made from `names.json` and the hand-written parts."""

from __future__ import annotations

import ast
import json
import os
import sys
from enum import Enum, IntEnum
from types import ModuleType
from typing import Any

from asclens_host import dtypes, errors, host_tiling, jit, platforms, registry, staged, structs
from asclens_host.device import (
    ConstExpr,
    DeviceFunction,
    DeviceHandle,
    GlobalAddress,
    Property,
    ceildiv,
    params_class,
    static_assert,
)

Names = dict[str, Any]

_FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "names.json")
_GROUPS = ("basic", "core", "fwk")  # parts of asc.language whose names are also on asc
# Names of submodules of asc.language.core that the package itself does not show.
_NOT_ON_ASC = (
    "KnownTypes", "int1", "bit", "bool_", "Array", "PlainValue", "BaseField", "Field", "Struct", "StructField",
    "BatchOutMode", "MatmulPolicy",
)  # fmt: skip
_HAND_WRITTEN: Names = {
    "GlobalAddress": GlobalAddress,
    "ceildiv": ceildiv,
    "static_assert": static_assert,
    "DEFAULT_C0_SIZE": Property("DEFAULT_C0_SIZE"),
    "ONE_BLK_SIZE": Property("ONE_BLK_SIZE"),
    "TOTAL_L0C_SIZE": Property("TOTAL_L0C_SIZE"),
    "TOTAL_L1_SIZE": Property("TOTAL_L1_SIZE"),
}
_STAGED: Names = {
    "Tensor": staged.Tensor,
    "Scope": staged.Scope,
    "PipeStage": staged.PipeStage,
    "launch": jit.launch,
}


def build() -> dict[str, Names]:
    """Return the contents of every facade module by its import name, submodules excluded."""
    with open(_FILE, encoding="utf-8") as stream:
        table: dict[str, Any] = json.load(stream)
    modules: dict[str, Names] = {}
    enums = {name: _enum(name, members) for name, members in table["enums"].items()}
    for module, names in table["modules"].items():
        modules[module] = {name: _object(table, enums, module, name) for name in names}
    modules.setdefault("asc.language.core.properties", {}).update(
        {name: value for name, value in _HAND_WRITTEN.items() if isinstance(value, Property)}
    )
    modules["asc.language.core.dtype"] = {
        "DataType": dtypes.DataType, "KnownTypes": dtypes.KnownTypes, **dtypes.MODULE
    }  # fmt: skip
    modules["asc.language.core.constexpr"] = {"ConstExpr": ConstExpr}
    modules["asc.language.core.struct"] = {
        name: getattr(structs, name) for name in ("BaseField", "Field", "Struct", "StructField")
    }
    _add_packages(modules)
    _add_runtime(modules)
    asc = modules["asc"] = {**modules["asc.language"], **_STAGED}
    for name in table["staged"]:
        asc[name] = DeviceFunction(f"asc.{name}", "asc")
    for name in ("jit", "CodegenOptions", "CompileOptions", "LaunchOptions"):
        asc[name] = getattr(jit, name)
    _register(modules)
    return modules


def _add_packages(modules: dict[str, Names]) -> None:
    language: Names = {}
    for group in (*_GROUPS, "adv"):
        prefix = f"asc.language.{group}"
        members: Names = {}
        for module in [name for name in modules if name.startswith(f"{prefix}.")]:
            members.update(modules[module])
        if group == "core":
            for hidden in _NOT_ON_ASC:
                members.pop(hidden, None)
        modules[prefix] = members
        if group in _GROUPS:
            language.update(members)
    modules["asc.language"] = language


def _add_runtime(modules: dict[str, Names]) -> None:
    support = modules.get("asc.lib.runtime.support", {})
    names = ("CodegenError", "UnsupportedSyntaxError")
    modules.update(
        {
            "asc.runtime": {},
            "asc.runtime.config": dict(platforms.CONFIG),
            "asc.runtime.jit": {name: getattr(jit, name) for name in ("JITFunction", "MockTensor", "MockValue", "jit")},
            "asc.runtime.compiler": {"CompileOptions": jit.CompileOptions},
            "asc.runtime.launcher": {"LaunchOptions": jit.LaunchOptions},
            "asc.codegen": {},
            "asc.codegen.errors": {name: getattr(errors, name) for name in names},
            "asc.codegen.function_visitor": {"CodegenOptions": jit.CodegenOptions},
            "asc.common": {},
            "asc.lib": {},
            "asc.lib.runtime": {**support, **platforms.RUNTIME},
            "asc.lib.runtime.interface": dict(platforms.RUNTIME),
            "asc.lib.host": dict(host_tiling.NAMES),
        }
    )


def fill(module: ModuleType, contents: dict[str, Names]) -> None:
    """Put the names of a facade module into it."""
    names = contents[module.__name__]
    vars(module).update(names)
    groups = (*_GROUPS, "adv") if module.__name__ in ("asc", "asc.language") else ()
    vars(module)["__all__"] = sorted({*names, *groups})
    registry.register(module, module.__name__)


def alias_groups(asc: ModuleType) -> None:
    """Make `asc.adv` and the like the modules of `asc.language`, also for `import asc.adv`."""
    for group in (*_GROUPS, "adv"):
        module = sys.modules[f"asc.language.{group}"]
        setattr(asc, group, module)
        sys.modules[f"asc.{group}"] = module


def children(name: str, contents: dict[str, Names]) -> list[str]:
    """Return the import names of a facade module's direct submodules."""
    return [other for other in contents if other.rpartition(".")[0] == name]


def _object(table: dict[str, Any], enums: Names, module: str, name: str) -> Any:
    if name in _HAND_WRITTEN:
        return _HAND_WRITTEN[name]
    if name in enums:
        return enums[name]
    if name in table["structs"]:
        return structs.struct_class(name, module, table["structs"][name])
    if name in table["params"]:
        fields, required = _fields(table["params"][name], enums)
        return params_class(name, module, fields, required)
    if name in table["handles"]:
        return _handle(table, name)
    return DeviceFunction(_public_path(module, name), module)


_handles: Names = {}


def _handle(table: dict[str, Any], name: str) -> type:
    if name not in _handles:
        base = table["handles"].get(name)
        _handles[name] = type(name, (DeviceHandle if base is None else _handle(table, base),), {"__module__": "asc"})
    return _handles[name]


def _enum(name: str, members: dict[str, Any]) -> Any:
    numbers = all(isinstance(value, int) for value in members.values())
    return (IntEnum if numbers else Enum)(name, members, module="asc")


def _fields(rows: list[list[Any]], enums: Names) -> tuple[list[tuple[str, Any]], list[str]]:
    """Return the fields with their defaults (a literal, or `Enum.MEMBER`), and the names without one."""
    fields: list[tuple[str, Any]] = []
    for name, default in rows:
        owner, dot, member = (default or "None").partition(".")
        if dot and owner in enums:
            fields.append((name, enums[owner][member]))
        else:
            fields.append((name, ast.literal_eval(default or "None")))
    return fields, [name for name, default in rows if default is None]


def _public_path(module: str, name: str) -> str:
    return f"asc.adv.{name}" if module.startswith("asc.language.adv") else f"asc.{name}"


def _register(modules: dict[str, Names]) -> None:
    for name in ("asc", "asc.language.adv"):
        prefix = "asc.adv" if name.endswith("adv") else "asc"
        for key, value in modules[name].items():
            if not isinstance(value, (dtypes.DataType, int, str)):
                registry.register(value, f"{prefix}.{key}")
    for module, names in modules.items():
        for key, value in names.items():
            if isinstance(value, type) or callable(value):
                registry.register(value, f"{module}.{key}")
