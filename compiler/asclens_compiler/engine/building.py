# SPDX-License-Identifier: Apache-2.0
"""Texts of a file's kernels at each stage of compilation, with the Python line of each line."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from asclens_compiler.ascir.unit import Unit
from asclens_compiler.diagnostics.json import all_to_json
from asclens_compiler.diagnostics.model import Diagnostic
from asclens_compiler.engine.analysis import distinct
from asclens_compiler.engine.pipeline import finish
from asclens_compiler.errors import AscLensError
from asclens_compiler.frontend.driver import analyse_file, parse
from asclens_compiler.frontend.result import KernelResult
from asclens_compiler.source.text import SourceText

JsonObject = dict[str, Any]
Lines = list[list[Any]]
Stage = Callable[[KernelResult, str], tuple[str, list[Diagnostic]]]

_LOCATION = re.compile(r'loc\((?:#loc\d+|"(?P<file>(?:[^"\\]|\\.)*)":(?P<line>\d+):\d+[^)]*)\)')
_ALIAS = re.compile(r"^(#loc\d+) = (.*)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Built:
    kernel: KernelResult
    text: str
    lines: Lines
    diagnostics: tuple[Diagnostic, ...]


def build(source: SourceText, *, emit: str, kernel: str | None, soc: str) -> JsonObject:
    """Return the texts of all kernels, or of the one named, at the stage `emit`.

    AscLensError for an unknown stage or kernel.
    """
    if emit == "ast":
        return _syntax(source)
    if emit not in _STAGES:
        raise AscLensError(f"there is no stage {emit!r}; stages: ast, {', '.join(_STAGES)}")
    analysis = analyse_file(source, soc=soc)
    wanted = [item for item in analysis.kernels if kernel in (None, item.kernel)]
    if kernel is not None and not wanted:
        names = sorted({item.kernel for item in analysis.kernels})
        raise AscLensError(f"{source.file} has no kernel {kernel!r}; kernels: {', '.join(names) or 'none'}")
    built = [_build(item, _STAGES[emit], soc) for item in wanted]
    found = distinct([*analysis.diagnostics, *(item for one in built for item in one.diagnostics)])
    return {
        "text": "\n".join(one.text for one in built),
        "kernels": [{"name": one.kernel.kernel, "text": one.text, "lines": one.lines} for one in built],
        "diagnostics": all_to_json(found),
    }


def _syntax(source: SourceText) -> JsonObject:
    tree = parse(source)
    if isinstance(tree, Diagnostic):
        return {"text": "", "kernels": [], "diagnostics": all_to_json((tree,))}
    return {"text": ast.dump(tree, indent=2) + "\n", "kernels": [], "diagnostics": []}


def _build(kernel: KernelResult, stage: Stage, soc: str) -> _Built:
    text, found = stage(kernel, soc)
    header = f"// {kernel.kernel}{f' ({kernel.specialisation})' if kernel.specialisation else ''}\n"
    return _Built(kernel=kernel, text=header + text, lines=line_map(header + text), diagnostics=tuple(found))


def _as_made(kernel: KernelResult, soc: str) -> tuple[str, list[Diagnostic]]:
    del soc
    unit = kernel.unit
    if unit is None:
        return "", list(kernel.diagnostics)
    found = [*kernel.diagnostics, *(unit.verify() if kernel.ok else ())]
    text = _text(unit)
    unit.close()
    return text, found


def _optimised(kernel: KernelResult, soc: str) -> tuple[str, list[Diagnostic]]:
    texts: list[str] = []
    compiled = finish(kernel, soc=soc, look=lambda unit: texts.append(_text(unit)))
    return "".join(texts), list(compiled.diagnostics)


_STAGES: dict[str, Stage] = {
    "ascir": _as_made,
    "ascir-opt": _optimised,
}


def _text(unit: Unit) -> str:
    text = unit.text(locations=True)
    return text if text.endswith("\n") else text + "\n"


def line_map(text: str) -> Lines:
    """Return `[line of the text, file, Python line]` for each line with a location."""
    places: dict[str, tuple[str, int]] = {}
    aliases = {match[1]: match[2] for line in text.split("\n") if (match := _ALIAS.match(line))}
    for name, body in aliases.items():
        if (match := _LOCATION.search(_expanded(body, aliases))) and match["file"] is not None:
            places[name] = (match["file"], int(match["line"]))
    found: Lines = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("#loc"):
            continue
        match = re.search(r"loc\((#loc\d+)\)\s*$", line)
        if match and match[1] in places:
            file, at = places[match[1]]
            found.append([number, file, at])
    return found


def _expanded(body: str, aliases: dict[str, str], depth: int = 8) -> str:
    if depth == 0 or '":' in body:
        return body
    return re.sub(r"#loc\d+", lambda match: _expanded(aliases.get(match[0], ""), aliases, depth - 1), body)
