# SPDX-License-Identifier: Apache-2.0
"""What a backend is, and how one is found by name."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from typing import Protocol, cast

from asclens_compiler.ascir.program import Program
from asclens_compiler.backends.simulator.api import Arg, PrintSink, RunResult, SimOptions
from asclens_compiler.errors import AscLensError

ENTRY_POINT_GROUP = "asclens.backends"
BUILT_IN = {"simulator": "asclens_compiler.backends.simulator.run:SIMULATOR"}


class Backend(Protocol):
    """Run decoded programs somewhere."""

    name: str

    def run(
        self,
        program: Program,
        *,
        target: str,
        blocks: int,
        args: Sequence[Arg],
        options: SimOptions,
        on_print: PrintSink | None = None,
    ) -> RunResult:
        """Run `blocks` blocks on chip `target`; results go into the arrays of `args`.

        Raises AscLensError when the backend cannot run here or the arguments do not fit.
        """
        ...


def backend(name: str) -> Backend:
    """Return the backend of this name: built in, or from the entry points of another package."""
    if name in BUILT_IN:
        module, _, attribute = BUILT_IN[name].partition(":")
        return cast("Backend", getattr(importlib.import_module(module), attribute))
    for entry in entry_points(group=ENTRY_POINT_GROUP):
        if entry.name == name:
            load = cast("Callable[[], Backend]", entry.load)
            return load()
    known = ", ".join(backend_names())
    raise AscLensError(f"There is no backend named {name!r}; known: {known}.")


def backend_names() -> tuple[str, ...]:
    """Return the names of all backends that can be asked for."""
    return (*BUILT_IN, *sorted(entry.name for entry in entry_points(group=ENTRY_POINT_GROUP)))
