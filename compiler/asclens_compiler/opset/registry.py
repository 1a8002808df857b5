# SPDX-License-Identifier: Apache-2.0
"""The opset: all rows of `opset/families/`, found by listing the folder."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from functools import cache

from asclens_compiler.opset import families
from asclens_compiler.opset.model import ApiRow, EnumRow, OpRow, StructRow


@dataclass(frozen=True, slots=True, eq=False)
class Opset:
    """All rows by name."""

    ops: dict[str, OpRow]
    apis: dict[str, ApiRow]
    structs: dict[str, StructRow]
    enums: dict[str, EnumRow]
    family_of: dict[str, str]


@cache
def opset() -> Opset:
    """Load every family once; raise ValueError when two rows share a name."""
    ops: dict[str, OpRow] = {}
    apis: dict[str, ApiRow] = {}
    structs: dict[str, StructRow] = {}
    enums: dict[str, EnumRow] = {}
    family_of: dict[str, str] = {}
    for info in sorted(pkgutil.iter_modules(families.__path__), key=lambda item: item.name):
        module = importlib.import_module(f"{families.__name__}.{info.name}")
        for table, attribute in ((ops, "OPS"), (apis, "APIS"), (structs, "STRUCTS"), (enums, "ENUMS")):
            for row in getattr(module, attribute, ()):
                if row.name in table:
                    raise ValueError(f"{info.name}: a second row named {row.name!r}")
                table[row.name] = row
                family_of[row.name] = info.name
    return Opset(ops, apis, structs, enums, family_of)
