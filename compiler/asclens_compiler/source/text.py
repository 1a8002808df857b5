# SPDX-License-Identifier: Apache-2.0
"""Source text with positions: the only place that does line arithmetic."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from asclens_compiler.source.span import Span


@dataclass(frozen=True, slots=True, eq=False)
class SourceText:
    """Hold one file's text and map syntax nodes to spans."""

    file: str
    text: str
    lines: tuple[str, ...] = field(init=False)
    _ascii: tuple[bool, ...] = field(init=False)

    def __post_init__(self) -> None:
        lines = tuple(self.text.split("\n"))
        object.__setattr__(self, "lines", lines)
        object.__setattr__(self, "_ascii", tuple(line.isascii() for line in lines))

    def line(self, number: int) -> str:
        """Return line `number` (from 1) without its end, or an empty text outside the file."""
        return self.lines[number - 1].rstrip("\r") if 1 <= number <= len(self.lines) else ""

    def column(self, line: int, byte_offset: int) -> int:
        """Turn a UTF-8 byte offset, as `ast` reports it, into a column (code points, from 1)."""
        if not 1 <= line <= len(self.lines) or self._ascii[line - 1]:
            return byte_offset + 1
        return len(self.lines[line - 1].encode()[:byte_offset].decode(errors="replace")) + 1

    def span(self, node: ast.AST) -> Span:
        """Return the range of a syntax node that has a position."""
        line: int = getattr(node, "lineno", 1)
        end_line: int = getattr(node, "end_lineno", None) or line
        start: int = getattr(node, "col_offset", 0)
        end = getattr(node, "end_col_offset", None)
        return Span(
            self.file,
            line,
            self.column(line, start),
            end_line,
            self.column(end_line, start + 1 if end is None else end),
        )

    def line_span(self, number: int) -> Span:
        """Return the range of the visible text of one line."""
        text = self.line(number)
        lead = len(text) - len(text.lstrip())
        return Span(self.file, number, lead + 1, number, max(len(text), lead) + 1)

    def excerpt(self, span: Span) -> str:
        """Return the text that a span covers."""
        if span.line == span.end_line:
            return self.line(span.line)[span.column - 1 : span.end_column - 1]
        first = self.line(span.line)[span.column - 1 :]
        middle = [self.line(n) for n in range(span.line + 1, span.end_line)]
        return "\n".join([first, *middle, self.line(span.end_line)[: span.end_column - 1]])
