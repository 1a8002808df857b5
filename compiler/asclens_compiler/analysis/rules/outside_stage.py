# SPDX-License-Identifier: Apache-2.0
"""ASC201: compute of a staged kernel outside any stage."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.stages import ops_with_stage
from asclens_compiler.ascir.program import Op, Program
from asclens_compiler.diagnostics.model import Applicability, Diagnostic, Edit, Fix, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.siblings import siblings
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC201",
    name="compute-outside-stage",
    severity=Severity.ERROR,
    message="This runs on the {unit} unit but stands in no stage.",
    help="Put it between `PipeStage.start(PipeStage.{unit})` and `PipeStage.end(PipeStage.{unit})`.",
    message_zh="该运算在 {unit} 单元上执行，但不在任何阶段内。",
    help_zh="请放在 `PipeStage.start(PipeStage.{unit})` 与 `PipeStage.end(PipeStage.{unit})` 之间。",
    source="staged surface: compute belongs to a stage of its unit",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each statement once, with a fix that wraps the run of such statements it belongs to."""
    if not program.staged:
        return
    loose = [(op, unit) for op, stage in ops_with_stage(program) if stage is None and (unit := _unit(op, context))]
    groups = _groups(loose, context)
    for group in groups:
        fixes = _fixes([span for span, _ in group], group[0][1], context)
        for span, unit in group:
            yield RULE.report(span, unit=unit, fixes=fixes)


def _unit(op: Op, context: AnalysisContext) -> str:
    row = context.row(op)
    return row.compute_unit if row is not None else ""


def _groups(loose: list[tuple[Op, str]], context: AnalysisContext) -> list[list[tuple[Span, str]]]:
    """Group statements of one block and unit that follow each other; a statement appears once."""
    groups: list[list[tuple[Span, str]]] = []
    seen: set[object] = set()
    last: tuple[object, str] | None = None
    for op, unit in loose:
        statement = context.statements.around(op.span)
        key = statement if statement is not None else (op.span.file, op.span.line)
        if (key, unit) in seen:
            continue
        seen.add((key, unit))
        block = (context.statements.block_of(op.span), unit)
        span = _widest(op, unit, loose, context)
        if last == block and block[0] is not None:
            groups[-1].append((span, unit))
        else:
            groups.append([(span, unit)])
        last = block
    return groups


def _widest(first: Op, unit: str, loose: list[tuple[Op, str]], context: AnalysisContext) -> Span:
    """Return the range of the outermost expression of a statement's compute."""
    statement = context.statements.around(first.span)
    same = [
        op.span
        for op, other in loose
        if other == unit
        and op.span.line == first.span.line
        and (statement is None or context.statements.around(op.span) == statement)
    ]
    return min(same, key=lambda span: (span.line, span.column, -span.end_line, -span.end_column))


def _fixes(spans: list[Span], unit: str, context: AnalysisContext) -> tuple[Fix, ...]:
    first = context.statements.insert_before(spans[0], f"PipeStage.start(PipeStage.{unit})")
    if first is not None and _ends_next(spans[-1], unit, context):
        title = f"Insert PipeStage.start(PipeStage.{unit})"
        return (Fix(title=title, applicability=Applicability.SAFE, edits=(first,)),)
    last = context.statements.insert_after(spans[-1], f"PipeStage.end(PipeStage.{unit})")
    edits: tuple[Edit, ...] = tuple(edit for edit in (first, last) if edit is not None)
    if len(edits) < 2:
        return ()
    return (Fix(title=f"Put it in a {unit} stage", applicability=Applicability.SAFE, edits=edits),)


def _ends_next(last: Span, unit: str, context: AnalysisContext) -> bool:
    """Tell whether the statement behind `last` is an `end` of this unit, left without its start."""
    place = siblings(context.source, last) if context.source is not None else None
    if place is None:
        return False
    block, index = place
    return index + 1 < len(block) and ast.unparse(block[index + 1]) == f"PipeStage.end(PipeStage.{unit})"
