# SPDX-License-Identifier: Apache-2.0
"""Run passes over a unit: Python ones and upstream ones, with verification between."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from asclens_compiler.ascir import bindings
from asclens_compiler.ascir.rewrite import Rewriter
from asclens_compiler.ascir.unit import Unit
from asclens_compiler.diagnostics.model import Diagnostic
from asclens_compiler.errors import InternalError

PassFunction = Callable[[Rewriter], Sequence[Diagnostic] | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    """One step of a pipeline: `run` is a Python pass, `upstream` the text of MLIR passes.

    A Python pass may return diagnostics about the user's program (what does not fit, and why); an
    error among them ends the pipeline.
    """

    name: str
    run: PassFunction | None = None
    upstream: str = ""


def upstream(text: str) -> Pass:
    """Return a step that runs MLIR's own passes, such as `canonicalize`."""
    return Pass(name=text, upstream=text)


CANONICALIZE = upstream("canonicalize")
CSE = upstream("cse")
LICM = upstream("loop-invariant-code-motion")


def run_passes(
    unit: Unit, passes: Sequence[Pass], *, after: Callable[[Pass, Unit], None] | None = None
) -> list[Diagnostic]:
    """Run the passes in order and return what they found; `after` sees the unit after each.

    A unit that does not verify after a pass is a defect of that pass: InternalError names it.
    """
    found: list[Diagnostic] = []
    for step in passes:
        if step.run is not None:
            found += step.run(Rewriter(unit)) or ()
        else:
            _run_upstream(unit, step)
        _require_valid(unit, step)
        if after is not None:
            after(step, unit)
        if any(item.severity.value == "error" for item in found):
            break
    return found


def _run_upstream(unit: Unit, step: Pass) -> None:
    try:
        manager = bindings.PassManager.parse(f"builtin.module({step.upstream})", context=unit.session.context)
        manager.run(unit.module.operation)
        unit.erased.clear()
    except (bindings.MLIRError, ValueError) as error:
        raise InternalError(f"the pass {step.name} failed: {error}") from error


def _require_valid(unit: Unit, step: Pass) -> None:
    try:
        unit.module.operation.verify()
    except bindings.MLIRError as error:
        first = unit.verify()[0]
        raise InternalError(f"after the pass {step.name}: {first.message}", span=first.span) from error
