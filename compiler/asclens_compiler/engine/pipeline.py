# SPDX-License-Identifier: Apache-2.0
"""From what the frontend built to a program that runs: verify, passes, decode."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from asclens_compiler.analysis.run import analyse
from asclens_compiler.ascir.program import Program
from asclens_compiler.ascir.unit import Unit
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.frontend.result import KernelResult
from asclens_compiler.hardware.chips import chip_for
from asclens_compiler.passes.pipelines import run_pipeline
from asclens_compiler.source.text import SourceText

PIPELINE = "default"
_STAGED = "staged"
_STAGES = "ASC20"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Compiled:
    """One kernel for one launch; `program` is None when an error keeps it from running.

    `ub_bytes` is how much of UB its tensors take, None when that is not known.
    """

    kernel: KernelResult
    diagnostics: tuple[Diagnostic, ...]
    program: Program | None
    ub_bytes: int | None = None


def finish(
    kernel: KernelResult, *, soc: str, source: SourceText | None = None, look: Callable[[Unit], None] | None = None
) -> Compiled:
    """Verify, analyse and lower a kernel; closes its unit, which `look` sees just before.

    With the `source` of its file, findings carry fixes. What the analyses find does not keep a
    kernel from running: the simulator will see whether it happens.
    """
    found = list(kernel.diagnostics)
    advice: list[Diagnostic] = []
    unit = kernel.unit
    program: Program | None = None
    try:
        if unit is not None and kernel.incomplete:
            advice = _on_incomplete(kernel, unit, soc, source)
        elif unit is not None:
            broken = unit.verify() if kernel.ok else []
            found += broken
            if not broken:
                target = chip_for(soc)
                traced = unit.decode()[0]
                advice = analyse(traced, target, source=source)
                # Stages are part of the staged language: a kernel that breaks their rules has no meaning to run.
                refused = has_errors(found) or (traced.staged and has_errors(advice))
                if not refused:
                    found += run_pipeline(unit, PIPELINE, target=target)
                if not refused and not has_errors(found):
                    program = unit.decode()[0]
    finally:
        if unit is not None:
            if look is not None:
                look(unit)
            unit.close()
    located = tuple(_located(item, kernel, soc) for item in (*found, *advice))
    return Compiled(kernel=kernel, diagnostics=located, program=program)


def has_errors(found: list[Diagnostic] | tuple[Diagnostic, ...]) -> bool:
    """Tell whether one of the findings is an error."""
    return any(item.severity is Severity.ERROR for item in found)


def _on_incomplete(kernel: KernelResult, unit: Unit, soc: str, source: SourceText | None) -> list[Diagnostic]:
    """Check a staged kernel in which nothing is wrong but of which only a launch knows all: stage rules still hold."""
    others = [item for item in kernel.diagnostics if not item.code.startswith(_STAGES)]
    if kernel.surface != _STAGED or has_errors(others) or unit.verify():
        return []
    return analyse(unit.decode()[0], chip_for(soc), source=source)


def _located(item: Diagnostic, kernel: KernelResult, soc: str) -> Diagnostic:
    if item.kernel:
        return item
    return item.located(kernel=kernel.kernel, specialisation=kernel.specialisation, soc=soc)
