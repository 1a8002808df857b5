# SPDX-License-Identifier: Apache-2.0
"""A file's kernels for the editor and the command line: findings, kernels, facts."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from asclens_compiler.diagnostics.json import all_to_json, span_to_list
from asclens_compiler.diagnostics.model import Diagnostic
from asclens_compiler.engine.pipeline import Compiled, finish
from asclens_compiler.frontend.directives import find_directives
from asclens_compiler.frontend.driver import analyse_file
from asclens_compiler.frontend.facts import CallFact, Fact
from asclens_compiler.frontend.surfaces import Origin
from asclens_compiler.source.text import SourceText

JsonObject = dict[str, Any]

CACHED_KERNELS = 512
_LAUNCHED = frozenset({Origin.LAUNCH_SITE.value, Origin.RECORD.value, Origin.RUN.value})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CheckedFile:
    """What a check found; findings come sorted by place, each once."""

    diagnostics: tuple[Diagnostic, ...]
    kernels: tuple[Compiled, ...]
    facts: tuple[Fact, ...]


class CheckCache:
    """Finished kernels by fingerprint, so that an edit re-checks only the kernels it touches."""

    def __init__(self, limit: int = CACHED_KERNELS) -> None:
        self._limit = limit
        self._kept: OrderedDict[str, Compiled] = OrderedDict()

    def __contains__(self, fingerprint: object) -> bool:
        return fingerprint in self._kept

    def take(self, fingerprint: str) -> Compiled:
        """Return a kept kernel; KeyError when there is none."""
        self._kept.move_to_end(fingerprint)
        return self._kept[fingerprint]

    def keep(self, compiled: Compiled) -> None:
        """Keep a kernel, without its closed unit, and drop the one not asked for the longest."""
        mark = compiled.kernel.fingerprint
        if not mark:
            return
        self._kept[mark] = replace(compiled, kernel=replace(compiled.kernel, unit=None))
        while len(self._kept) > self._limit:
            self._kept.popitem(last=False)


def check_file(source: SourceText, *, soc: str, facts: bool, cache: CheckCache | None = None) -> CheckedFile:
    """Check a file up to the form that would run; executes nothing of it."""
    kept = CheckCache(0) if cache is None else cache
    analysis = analyse_file(source, soc=soc, facts=facts, known=kept)
    kernels: list[Compiled] = []
    noted: list[Fact] = [*analysis.facts]
    for kernel in analysis.kernels:
        if kernel.reused:
            compiled = kept.take(kernel.fingerprint)
            noted += compiled.kernel.facts
        else:
            compiled = finish(kernel, soc=soc, source=source)
            kept.keep(compiled)
        kernels.append(compiled)
    found = [*analysis.diagnostics, *(item for kernel in kernels for item in kernel.diagnostics)]
    return CheckedFile(diagnostics=tuple(distinct(found)), kernels=tuple(kernels), facts=tuple(noted))


def distinct(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return findings sorted by place; the same one in several launches is kept once."""
    seen: dict[tuple[Any, ...], Diagnostic] = {}
    for item in found:
        seen.setdefault((item.span, item.code, item.message), item)
    return sorted(seen.values(), key=lambda item: (item.span, item.code))


def answer(checked: CheckedFile, source: SourceText) -> JsonObject:
    """Return the result of `check`, the version left out."""
    directives = [item for item in find_directives(source)[0] if item.kind == "run"]
    targets = {source.excerpt(item.span) for item in directives}
    return {
        "diagnostics": all_to_json(checked.diagnostics),
        "kernels": _kernels(checked.kernels, targets),
        "facts": [fact_to_json(item) for item in checked.facts],
    }


def _kernels(kernels: Sequence[Compiled], directives: set[str]) -> list[JsonObject]:
    groups: dict[tuple[str, int], list[Compiled]] = {}
    for item in kernels:
        groups.setdefault((item.kernel.kernel, item.kernel.span.line), []).append(item)
    return [_kernel(group, directives) for group in groups.values()]


def _kernel(group: Sequence[Compiled], directives: set[str]) -> JsonObject:
    first = group[0].kernel
    launched = any(item.kernel.origin in _LAUNCHED for item in group)
    sizes = [size for item in group if (size := item.ub_bytes) is not None]
    return {
        "name": first.kernel,
        "surface": first.surface,
        "span": span_to_list(first.span),
        "runnable": launched or any(f"run {first.kernel}" in text for text in directives),
        "launches": [item.kernel.specialisation for item in group if item.kernel.specialisation],
        "ub_bytes": max(sizes, default=None),
    }


def fact_to_json(fact: Fact) -> JsonObject:
    """Return the `F` object of a fact."""
    span = span_to_list(fact.span)
    if isinstance(fact, CallFact):
        return {
            "span": span, "kind": "call", "api": fact.api, "op": fact.op, "pipe": fact.pipe, "cpp": fact.cpp,
            "summary": fact.summary, "overload": fact.overload,
        }  # fmt: skip
    return {
        "span": span, "kind": "value", "name": fact.name, "type": fact.type, "dtype": fact.dtype,
        "shape": None if fact.shape is None else list(fact.shape), "bytes": fact.bytes, "memory": fact.memory,
        "position": fact.position, "address": fact.address, "constant": fact.constant,
    }  # fmt: skip
