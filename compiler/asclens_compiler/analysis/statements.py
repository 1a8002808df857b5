# SPDX-License-Identifier: Apache-2.0
"""Statements of a kernel's text: where edits that add lines go."""

from __future__ import annotations

import ast

from asclens_compiler.analysis.call_text import CallText, call_at
from asclens_compiler.diagnostics.model import Edit
from asclens_compiler.source.span import Span
from asclens_compiler.source.text import SourceText


class Statements:
    """Find the statement around a position; empty when the text is not known or does not parse."""

    def __init__(self, source: SourceText | None) -> None:
        self._source = source
        self._statements: list[tuple[Span, ast.stmt]] = []
        if source is None:
            return
        try:
            tree = ast.parse(source.text)
        except (SyntaxError, ValueError, RecursionError):
            return
        self._statements = [(source.span(node), node) for node in ast.walk(tree) if isinstance(node, ast.stmt)]

    def call(self, span: Span) -> CallText | None:
        """Return the call expression that starts where `span` does."""
        return call_at(self._source, self._statements, span)

    def remove(self, span: Span) -> Edit | None:
        """Return the edit that takes away the line of a statement that stands alone on it."""
        place = self.around(span)
        if place is None or self._source is None:
            return None
        first, last = self._source.line(place.line), self._source.line(place.end_line)
        rest = last[place.end_column - 1 :].strip()
        if first[: place.column - 1].strip() or (rest and not rest.startswith("#")):
            return None
        if self._is_alone(place):
            return Edit(span=place, new_text="pass")
        return Edit(span=Span(place.file, place.line, 1, place.end_line + 1, 1), new_text="")

    def _is_alone(self, place: Span) -> bool:
        """Tell whether a statement is the only one of its block."""
        for _, node in self._statements:
            for body in ("body", "orelse", "finalbody"):
                inner = [item for item in getattr(node, body, ()) if isinstance(item, ast.stmt)]
                if len(inner) == 1 and self._source is not None and self._source.span(inner[0]) == place:
                    return True
        return False

    def around(self, span: Span) -> Span | None:
        """Return the range of the smallest statement that holds the start of `span`."""
        if self._source is None or span.file != self._source.file:
            return None
        holding = [place for place, _ in self._statements if place.contains(span.line, span.column)]
        return max(holding, key=lambda place: (place.line, place.column), default=None)

    def block_of(self, span: Span) -> int | None:
        """Return a key that is equal for statements of one block."""
        place = self.around(span)
        for outer, node in self._statements:
            for body in ("body", "orelse", "finalbody"):
                for inner in getattr(node, body, ()):
                    if isinstance(inner, ast.stmt) and self._source is not None and self._source.span(inner) == place:
                        return hash((outer, body))
        return None

    def insert_before(self, span: Span, text: str) -> Edit | None:
        """Return the edit that puts a line in front of the statement around `span`."""
        place = self.around(span)
        if place is None:
            return None
        at = Span(place.file, place.line, place.column, place.line, place.column)
        return Edit(span=at, new_text=f"{text}\n{' ' * (place.column - 1)}")

    def insert_after(self, span: Span, text: str, *, like: Span | None = None) -> Edit | None:
        """Return the edit that puts a line behind the statement around `span`, indented as that of `like`."""
        place, model = self.around(span), self.around(like or span)
        if place is None or model is None:
            return None
        at = Span(place.file, place.end_line, place.end_column, place.end_line, place.end_column)
        return Edit(span=at, new_text=f"\n{' ' * (model.column - 1)}{text}")
