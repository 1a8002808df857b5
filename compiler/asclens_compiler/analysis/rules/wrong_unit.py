# SPDX-License-Identifier: Apache-2.0
"""ASC202: what stands in a stage does not run where the stage says."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.stages import UNIT_OF, ops_with_stage, unit_name
from asclens_compiler.ascir.program import Op, Program
from asclens_compiler.diagnostics.model import Diagnostic, Related, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.hardware.pipes import Memory, Pipe

RULE = Rule(
    code="ASC202",
    name="wrong-unit",
    severity=Severity.ERROR,
    message="This runs on {actual} but stands in a {stage} stage.",
    help="{advice}",
    message_zh="该操作在 {actual} 上执行，却位于 {stage} 阶段内。",
    help_zh="{advice}",
    source="staged surface: a stage names the unit of its compute, or the pipe of its copies",
)
_COPY_PIPES = frozenset({"MTE1", "MTE2", "MTE3", "FIX"})


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each line once per stage."""
    if not program.staged:
        return
    seen: set[tuple[int, int]] = set()
    for op, start in ops_with_stage(program):
        if start is None or (op.span.line, start.index) in seen:
            continue
        found = _mismatch(op, unit_name(start), context)
        if found is not None:
            seen.add((op.span.line, start.index))
            actual, advice = found
            related = (Related(span=start.span, message=f"the {unit_name(start)} stage begins here"),)
            yield RULE.report(op.span, actual=actual, stage=unit_name(start), advice=advice, related=related)


def _mismatch(op: Op, stage: str, context: AnalysisContext) -> tuple[str, str] | None:
    """Return where an op really runs and what to do, when that is not the stage."""
    row = context.row(op)
    if row is None:
        return None
    named = UNIT_OF.get(stage, stage)
    if row.compute_unit:
        if row.compute_unit == named:
            return None
        advice = f"Move it into a stage of its own: `PipeStage.start(PipeStage.{row.compute_unit})`."
        return f"the {row.compute_unit} unit", advice
    pipe = context.accesses.pipe(op)
    moves = {access.base.memory for access in context.accesses.of(op)}
    if stage not in _COPY_PIPES or pipe in (None, Pipe.S) or Memory.GM not in moves or pipe.name == stage:
        return None
    advice = f"Name the pipe that it uses, `PipeStage.{pipe.name}`, or leave the stage out: copies need none."
    return f"pipe {pipe.name}", advice
