# SPDX-License-Identifier: Apache-2.0
"""Ranges of source text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Name a range of one file.

    Lines and columns count from 1, columns in code points, the end is exclusive.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def contains(self, line: int, column: int) -> bool:
        """Tell whether a position lies inside, the end included."""
        return (self.line, self.column) <= (line, column) <= (self.end_line, self.end_column)

    def to(self, other: Span) -> Span:
        """Return the span from this start to the end of `other`."""
        return Span(self.file, self.line, self.column, other.end_line, other.end_column)


NOWHERE = Span("<unknown>", 1, 1, 1, 1)
