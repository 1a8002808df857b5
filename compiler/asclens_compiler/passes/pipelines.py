# SPDX-License-Identifier: Apache-2.0
"""Pipelines: named lists of passes, and running one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from asclens_compiler.ascir.cleanup import MERGE_EQUAL, REMOVE_DEAD
from asclens_compiler.ascir.pass_manager import CANONICALIZE, CSE, LICM, Pass, PassFunction, run_passes
from asclens_compiler.ascir.rewrite import Rewriter
from asclens_compiler.ascir.unit import Unit
from asclens_compiler.diagnostics.model import Diagnostic
from asclens_compiler.hardware.chips import Target
from asclens_compiler.passes.allocate_buffers import allocate_buffers
from asclens_compiler.passes.carry_tensors import carry_tensors
from asclens_compiler.passes.coalesce_tensors import coalesce_tensors
from asclens_compiler.passes.expand_matmul import expand_matmul
from asclens_compiler.passes.insert_sync import insert_sync
from asclens_compiler.passes.lower_stages import lower_stages

TargetFunction = Callable[..., Sequence[Diagnostic] | None]


def _plain(name: str, run: Callable[[Rewriter], Sequence[Diagnostic] | None]) -> tuple[str, TargetFunction]:
    def ignoring_target(rewriter: Rewriter, *, target: Target) -> Sequence[Diagnostic] | None:
        del target
        return run(rewriter)

    return name, ignoring_target


# Passes of this folder by name, in no order.
PASSES: dict[str, TargetFunction] = dict(
    (
        ("expand-matmul", expand_matmul),
        _plain("carry-tensors", carry_tensors),
        _plain("coalesce-tensors", coalesce_tensors),
        _plain("lower-stages", lower_stages),
        ("allocate-buffers", allocate_buffers),
        _plain("insert-sync", insert_sync),
    )
)
GENERAL = {
    "canonicalize": CANONICALIZE, "cse": CSE, "licm": LICM, "ascir-cse": MERGE_EQUAL, "ascir-dce": REMOVE_DEAD,
}  # fmt: skip

# What turns a traced kernel into one that runs: every step passes over kernels that do not need it.
_LOWERING = (
    "expand-matmul",
    "carry-tensors",
    "coalesce-tensors",
    "ascir-dce",
    "lower-stages",
    "allocate-buffers",
    "insert-sync",
)
PIPELINES: dict[str, tuple[str, ...]] = {
    "default": _LOWERING,
    "optimize": ("canonicalize", "cse", "licm", *_LOWERING, "canonicalize", "cse"),
}


def run_pipeline(
    unit: Unit, name: str, *, target: Target, after: Callable[[Pass, Unit], None] | None = None
) -> list[Diagnostic]:
    """Run a pipeline over a unit in place and return what it found about the user's program.

    An error among the findings ends the pipeline; the unit is then not fit to run. `after` sees the
    unit after each pass. Raises KeyError for an unknown pipeline.
    """
    steps = [GENERAL.get(item) or Pass(name=item, run=_bound(item, target)) for item in PIPELINES[name]]
    return run_passes(unit, steps, after=after)


def _bound(name: str, target: Target) -> PassFunction:
    return partial(PASSES[name], target=target)
