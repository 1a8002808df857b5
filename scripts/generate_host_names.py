# SPDX-License-Identifier: Apache-2.0
"""Bring `asclens_host/names.json` up to date with the opset.

The file lists the modules of the facade and the names in them. Members of enums and fields of
parameter structs come from the opset's rows; names that have no row yet stay as they are, and names
that a row adds are reported, because somebody has to say in which module they stand.

Usage: python scripts/generate_host_names.py [--check]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, cast

from asclens_compiler.opset.model import NO_DEFAULT
from asclens_compiler.opset.registry import opset
from asclens_host import tree

FILE = Path(__file__).resolve().parent.parent / "compiler" / "asclens_host" / "names.json"


def main(argv: list[str]) -> int:
    """Rewrite the file, or with `--check` tell (status 1) that it is stale."""
    text = FILE.read_text(encoding="utf-8")
    table = json.loads(text)
    for name in missing():
        print(f"no module of {FILE.name} has the name {name}", file=sys.stderr)
    fresh = dump(updated(table))
    if "--check" in argv:
        return int(fresh != text or bool(missing()))
    FILE.write_text(fresh, encoding="utf-8")
    return 0


def updated(table: dict[str, Any]) -> dict[str, Any]:
    """Return the table with the members and fields that the opset states."""
    rows = opset()
    for name, enum in rows.enums.items():
        if name in table["enums"]:
            table["enums"][name] = dict(enum.members)
    for name, struct in rows.structs.items():
        if name in table["params"]:
            table["params"][name] = [
                [field.name, None if field.default == NO_DEFAULT else field.default] for field in struct.fields
            ]
    return table


def missing() -> list[str]:
    """Return public names of the opset that the facade does not have."""
    modules = tree.build()
    known = {f"{module}.{name}" for module, names in modules.items() for name in names} | set(modules)
    known |= {f"asc.adv.{name}" for name in modules["asc.language.adv"]}
    known |= {f"asc.{name}" for name in ("adv", "basic", "core", "fwk")}
    names = [f"asc.{name.removeprefix('staged.')}" if name.startswith("staged.") else name for name in opset().apis]
    return sorted(name for name in names if name not in known and not _is_member(name, known))


def _is_member(name: str, known: set[str]) -> bool:
    """Tell whether a name is a method of a facade class (`asc.TQue.enque`)."""
    return name.rpartition(".")[0] in known - {"asc", "asc.adv"}


def dump(table: dict[str, Any]) -> str:
    """Return the table as JSON, one row per line."""
    parts: list[str] = []
    for key, value in table.items():
        if isinstance(value, dict):
            inner = cast("dict[str, Any]", value)
            rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in inner.items())
            parts.append(f" {json.dumps(key)}: {{\n{rows}\n }}")
        else:
            parts.append(f" {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
