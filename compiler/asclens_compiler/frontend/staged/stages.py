# SPDX-License-Identifier: Apache-2.0
"""`PipeStage.start`, `end`, `sync`, and `sync_all`: pairing, and the marks in the program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from asclens_compiler.ascir.program import CoreKind
from asclens_compiler.diagnostics.model import Applicability, Diagnostic, Edit, Fix
from asclens_compiler.frontend.enums import EnumValue
from asclens_compiler.frontend.rules import stage_nested, stage_unpaired
from asclens_compiler.frontend.staged import stage_fixes
from asclens_compiler.frontend.staged.tensors import note_call
from asclens_compiler.frontend.static import NONE, StaticValue
from asclens_compiler.frontend.values import POISON, KernelValue
from asclens_compiler.source.span import Span

if TYPE_CHECKING:
    from asclens_compiler.frontend.context import Context


@dataclass(slots=True, eq=False)
class OpenStage:
    """A `start` whose `end` has not come.

    `depth` counts the run-time blocks around it; `inner` are stages that began and ended inside, each
    with the place of its `end`.
    """

    unit: str
    span: Span
    depth: int
    inner: list[tuple[OpenStage, Span]] = field(default_factory=list["tuple[OpenStage, Span]"])


@dataclass(slots=True, eq=False)
class StageTracker(KernelValue):
    """The stages that are open; a run-time block must close what it opens."""

    context: Context
    opened: list[OpenStage] = field(default_factory=list[OpenStage])
    kind = "stages"

    def restore(self, state: object) -> None:
        """Report stages that the run-time block that ends leaves open."""
        if isinstance(state, int):
            self.close_open(state)

    def start(self, unit: str, span: Span) -> None:
        """Open a stage."""
        ctx = self.context
        ctx.remember(self, len(self.opened))
        ctx.builder.op("stage_start", attrs={"unit": unit}, span=span)
        self.opened.append(OpenStage(unit, span, ctx.blocks))

    def end(self, unit: str, span: Span) -> None:
        """Close a stage; report one that is not open in this block or names another unit."""
        ctx = self.context
        if not self.opened or self.opened[-1].depth != ctx.blocks:
            where = " in this block" if self.opened else ""
            advice = f"Begin the stage with `PipeStage.start(PipeStage.{unit})` before its first operation."
            fixes = stage_fixes.insert_start(ctx.frame.source, span, unit)
            ctx.report(_unpaired("end", unit, "start", where, advice, span, fixes))
            return
        stage = self.opened.pop()
        if stage.unit != unit:
            advice = f"End the stage of line {stage.span.line} with `PipeStage.end(PipeStage.{stage.unit})`."
            edit = Edit(span=span, new_text=f"PipeStage.end(PipeStage.{stage.unit})")
            fix = Fix(title=f"End the {stage.unit} stage", applicability=Applicability.SAFE, edits=(edit,))
            where = f": the open stage is {stage.unit}, of line {stage.span.line}"
            ctx.report(_unpaired("end", unit, "start", where, advice, span, (fix,)))
        for inner, last in stage.inner:
            outer, nested = (stage.unit, stage.span), (inner.unit, inner.span)
            fixes = stage_fixes.unnest(ctx.frame.source, outer, nested, last)
            line = stage.span.line
            found = stage_nested.RULE.report(inner.span, inner=inner.unit, outer=stage.unit, line=line, fixes=fixes)
            ctx.report(found)
        ctx.builder.op("stage_end", attrs={"unit": stage.unit}, span=span)
        if self.opened:
            self.opened[-1].inner.append((stage, span))

    def close_open(self, count: int) -> None:
        """Report the stages opened since there were `count`."""
        for stage in self.opened[count:]:
            advice = f"End it with `PipeStage.end(PipeStage.{stage.unit})` in the same block."
            fixes = stage_fixes.insert_end(self.context.frame.source, stage.span, stage.unit)
            self.context.report(_unpaired("start", stage.unit, "end", " in its block", advice, stage.span, fixes))
        del self.opened[count:]


def _unpaired(
    mark: str, unit: str, partner: str, where: str, advice: str, span: Span, fixes: tuple[Fix, ...] = ()
) -> Diagnostic:
    return stage_unpaired.RULE.report(
        span, mark=mark, unit=unit, partner=partner, where=where, advice=advice, fixes=fixes
    )


def tracker(ctx: Context) -> StageTracker:
    """Return the tracker of the kernel being traced, made on first use."""
    found = ctx.singletons.get("stages")
    if found is not None and isinstance(found[0], StageTracker):
        return found[0]
    made = StageTracker(ctx)
    ctx.singletons["stages"] = (made, ctx.frame.source.line_span(1))
    return made


def _mark(ctx: Context, name: str, values: Sequence[KernelValue], span: Span) -> KernelValue:
    unit = values[0] if len(values) == 1 else None
    if unit is POISON:
        return POISON
    if not isinstance(unit, EnumValue) or unit.type_name != "PipeStage":
        return ctx.not_supported(
            f"`PipeStage.{name}` takes a unit", span, f"Write `PipeStage.{name}(PipeStage.VECTOR)`, CUBE or SCALAR."
        )
    stages = tracker(ctx)
    if name == "start":
        stages.start(unit.member, span)
    else:
        stages.end(unit.member, span)
    return NONE


def _start(ctx: Context, values: Sequence[KernelValue], span: Span) -> KernelValue:
    return _mark(ctx, "start", values, span)


def _end(ctx: Context, values: Sequence[KernelValue], span: Span) -> KernelValue:
    return _mark(ctx, "end", values, span)


def _sync(ctx: Context, values: Sequence[KernelValue], span: Span) -> KernelValue:
    """Wait for everything this core has started."""
    if values:
        return ctx.not_supported("`PipeStage.sync` takes no arguments", span)
    ctx.builder.op("pipe_barrier", attrs={"pipe": "PIPE_ALL"}, span=span)
    return NONE


def _sync_all(ctx: Context, values: Sequence[KernelValue], span: Span) -> KernelValue:
    """Wait for everything this core has started, then for all cores."""
    if values:
        return ctx.not_supported("`sync_all` takes no arguments in a staged kernel", span)
    ctx.builder.op("pipe_barrier", attrs={"pipe": "PIPE_ALL"}, span=span)
    found = ctx.singletons.get("core kind")
    vector_only = found is None or not isinstance(found[0], StaticValue) or found[0].value == CoreKind.AIV.value
    ctx.builder.op("sync_all_hard", attrs={"isAIVOnly": vector_only}, span=span)
    return NONE


Mark = Callable[["Context", Sequence[KernelValue], Span], KernelValue]
MARKS: dict[str, Mark] = {
    "PipeStage.start": _start,
    "PipeStage.end": _end,
    "PipeStage.sync": _sync,
    "PipeStage.sync_all": _sync_all,
    "sync_all": _sync_all,
}


def call_mark(ctx: Context, name: str, values: Sequence[KernelValue], span: Span) -> KernelValue | None:
    """Call a stage mark or a synchronisation; None when `name` is none."""
    mark = MARKS.get(name)
    if mark is None:
        return None
    note_call(ctx, name, span)
    return mark(ctx, values, span)
