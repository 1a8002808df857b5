# SPDX-License-Identifier: Apache-2.0
"""The block of statements around a position, for fixes that add or move lines."""

from __future__ import annotations

import ast

from asclens_compiler.source.span import Span
from asclens_compiler.source.text import SourceText


def siblings(source: SourceText, span: Span) -> tuple[list[ast.stmt], int] | None:
    """Return the innermost block that has a statement at the start of `span`, and that statement's index.

    None when the text does not parse or nothing stands there.
    """
    try:
        tree = ast.parse(source.text)
    except (SyntaxError, ValueError, RecursionError):
        return None
    block: list[ast.stmt] = tree.body
    found: tuple[list[ast.stmt], int] | None = None
    while (index := _index_at(source, block, span)) is not None:
        found = block, index
        block = _body_at(source, block[index], span)
    return found


def _body_at(source: SourceText, statement: ast.stmt, span: Span) -> list[ast.stmt]:
    """Return the block inside a statement that holds the position, empty when there is none."""
    for name in ("body", "orelse", "finalbody"):
        body: list[ast.stmt] = getattr(statement, name, None) or []
        if _index_at(source, body, span) is not None:
            return body
    return []


def _index_at(source: SourceText, block: list[ast.stmt], span: Span) -> int | None:
    for index, statement in enumerate(block):
        if source.span(statement).contains(span.line, span.column):
            return index
    return None
