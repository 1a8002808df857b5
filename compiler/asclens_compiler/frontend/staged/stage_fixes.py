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
