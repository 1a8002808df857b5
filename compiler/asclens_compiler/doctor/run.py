# SPDX-License-Identifier: Apache-2.0
"""The doctor: all checks, found by listing `checks/`, in the order of their names."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from typing import Protocol, cast

from asclens_compiler.doctor import checks
from asclens_compiler.doctor.model import Finding, System


class Check(Protocol):
    """A module of `checks/`: `TITLE` and one function."""

    TITLE: str

    def check(self, system: System) -> Iterable[Finding]:
        """Look at one part of the machine."""
        ...


def examine(system: System) -> list[tuple[str, list[Finding]]]:
    """Return the findings of every check under its title."""
    report: list[tuple[str, list[Finding]]] = []
    for info in sorted(pkgutil.iter_modules(checks.__path__), key=lambda item: item.name):
        module = cast("Check", importlib.import_module(f"{checks.__name__}.{info.name}"))
        report.append((module.TITLE, list(module.check(system))))
    return report
