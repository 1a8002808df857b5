# SPDX-License-Identifier: Apache-2.0
"""Run all analyses over a decoded program."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable
from functools import cache

from asclens_compiler.analysis import rules
from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic
from asclens_compiler.hardware.chips import Target
from asclens_compiler.source.text import SourceText

Check = Callable[[Program, AnalysisContext], Iterable[Diagnostic]]


@cache
def checks() -> tuple[Check, ...]:
    """Return the `check` functions of all rules, found by listing the folder."""
    found: list[Check] = []
    for info in sorted(pkgutil.iter_modules(rules.__path__), key=lambda item: item.name):
        check = getattr(importlib.import_module(f"{rules.__name__}.{info.name}"), "check", None)
        if check is not None:
            found.append(check)
    return tuple(found)


def analyse(program: Program, target: Target, *, source: SourceText | None = None) -> list[Diagnostic]:
    """Return what the rules find in a program as the frontend made it, before any pass.

    With the `source` of the kernel's file, findings carry fixes.
    """
    context = AnalysisContext(program, target, source)
    found: list[Diagnostic] = []
    for check in checks():
        found += check(program, context)
    return sorted(found, key=lambda item: (item.span.line, item.span.column, item.code))
