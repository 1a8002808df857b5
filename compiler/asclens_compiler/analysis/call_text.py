# SPDX-License-Identifier: Apache-2.0
"""The text of a call in the source: its arguments, and edits that change one of them."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from asclens_compiler.diagnostics.model import Edit
from asclens_compiler.source.span import Span
from asclens_compiler.source.text import SourceText


@dataclass(frozen=True, slots=True, eq=False)
class CallText:
    """A call expression and where it stands."""

    source: SourceText
    span: Span
    node: ast.Call

    def prefix(self) -> str:
        """Return how the call names its module, `asc.` in `asc.add(...)`."""
        function = self.node.func
        if isinstance(function, ast.Attribute):
            return f"{ast.unparse(function.value)}."
        return ""

    def argument(self, place: int, name: str) -> ast.expr | None:
        """Return an argument given by keyword or by position."""
        for keyword in self.node.keywords:
            if keyword.arg == name:
                return keyword.value
        return self.node.args[place] if 0 <= place < len(self.node.args) else None

    def literal(self, value: int) -> ast.expr | None:
        """Return the only argument that is this literal number."""
        found = [item for item in ast.walk(self.node) if _literal(item) == value and isinstance(item, ast.expr)]
        inner = [item for item in found if not any(item is not other and _holds(other, item) for other in found)]
        return inner[0] if len(inner) == 1 else None

    def replace(self, part: ast.expr, text: str) -> Edit:
        """Return the edit that puts `text` in place of a part of the call."""
        return Edit(span=self.source.span(part), new_text=text)


def _literal(node: ast.AST) -> int | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _literal(node.operand)
        return None if inner is None else -inner
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


def _holds(outer: ast.AST, inner: ast.AST) -> bool:
    return any(item is inner for item in ast.walk(outer))


def call_at(source: SourceText | None, statements: list[tuple[Span, ast.stmt]], span: Span) -> CallText | None:
    """Return the outermost call that starts where `span` does, None where the text has none."""
    if source is None or span.file != source.file:
        return None
    best: tuple[Span, ast.Call] | None = None
    for place, statement in statements:
        if not place.contains(span.line, span.column):
            continue
        for node in ast.walk(statement):
            if isinstance(node, ast.Call):
                at = source.span(node)
                starts = (at.line, at.column) == (span.line, span.column)
                if starts and (best is None or (at.end_line, at.end_column) > (best[0].end_line, best[0].end_column)):
                    best = (at, node)
    return CallText(source, best[0], best[1]) if best is not None else None
