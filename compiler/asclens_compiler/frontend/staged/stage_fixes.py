# SPDX-License-Identifier: Apache-2.0
"""Fixes for a stage mark without its partner: where the other mark belongs."""

from __future__ import annotations

import ast

from asclens_compiler.diagnostics.model import Applicability, Edit, Fix
from asclens_compiler.source.siblings import siblings
from asclens_compiler.source.span import Span
from asclens_compiler.source.text import SourceText

# A statement that calls one of these is no compute, so it may stand outside the stage.
_OUTSIDE = frozenset({"to_local", "copy_from", "data_copy", "sync", "sync_all", "start", "end", "Tensor", "printf"})


def insert_end(source: SourceText, span: Span, unit: str) -> tuple[Fix, ...]:
    """Offer an `end` behind the compute that follows the `start` at `span`."""
    place = siblings(source, span)
    if place is None:
        return ()
    block, index = place
    last = index
    while last + 1 < len(block) and not _is_outside(block[last + 1]):
        last += 1
    at = source.span(block[last])
    indent = " " * (source.span(block[index]).column - 1)
    edit = Edit(
        span=Span(at.file, at.end_line, at.end_column, at.end_line, at.end_column),
        new_text=f"\n{indent}PipeStage.end(PipeStage.{unit})",
    )
    return (_fix("end", unit, edit),)


def insert_start(source: SourceText, span: Span, unit: str) -> tuple[Fix, ...]:
    """Offer a `start` in front of the compute that leads to the `end` at `span`."""
    place = siblings(source, span)
    if place is None:
        return ()
    block, first = place
    while first > 0 and not _is_outside(block[first - 1]):
        first -= 1
    at = source.span(block[first])
    edit = Edit(
        span=Span(at.file, at.line, at.column, at.line, at.column),
        new_text=f"PipeStage.start(PipeStage.{unit})\n{' ' * (at.column - 1)}",
    )
    return (_fix("start", unit, edit),)


def unnest(source: SourceText, outer: tuple[str, Span], inner: tuple[str, Span], end: Span) -> tuple[Fix, ...]:
    """Offer to leave out an inner stage of the same unit, else to interrupt the outer one around it.

    Stages are given by unit and `start`, the inner one with its `end` too; all must stand in one block.
    """
    found = siblings(source, inner[1])
    lines = {source.span(item).line for item in found[0]} if found is not None else set[int]()
    if not {outer[1].line, inner[1].line, end.line} <= lines:
        return ()
    if inner[0] == outer[0]:
        edits = tuple(Edit(span=_line(source, span.line), new_text="") for span in (inner[1], end))
        return (Fix(title="Remove the inner marks", applicability=Applicability.SAFE, edits=edits),)
    start, indent = inner[1], " " * (inner[1].column - 1)
    before = Edit(
        span=Span(start.file, start.line, start.column, start.line, start.column),
        new_text=f"PipeStage.end(PipeStage.{outer[0]})\n{indent}",
    )
    behind = Edit(
        span=Span(end.file, end.end_line, end.end_column, end.end_line, end.end_column),
        new_text=f"\n{indent}PipeStage.start(PipeStage.{outer[0]})",
    )
    title = f"End the {outer[0]} stage before, and start it again behind"
    return (Fix(title=title, applicability=Applicability.SAFE, edits=(before, behind)),)


def _line(source: SourceText, line: int) -> Span:
    """Return a whole line with its line break."""
    return Span(source.file, line, 1, line + 1, 1)


def _fix(mark: str, unit: str, edit: Edit) -> Fix:
    title = f"Insert PipeStage.{mark}(PipeStage.{unit})"
    return Fix(title=title, applicability=Applicability.SAFE, edits=(edit,))


def _is_outside(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return True
    value = getattr(statement, "value", None)
    if not isinstance(value, ast.Call):
        return not isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.For, ast.If, ast.Expr))
    name = value.func.attr if isinstance(value.func, ast.Attribute) else getattr(value.func, "id", "")
    return name in _OUTSIDE
