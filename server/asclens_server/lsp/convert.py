# SPDX-License-Identifier: Apache-2.0
"""Positions and results in the protocol's terms: the only place that counts in UTF-16."""

from __future__ import annotations

from collections.abc import Sequence

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.source.span import Span
from lsprotocol import types
from pygls.uris import from_fs_path, to_fs_path

_SEVERITY = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.ADVICE: types.DiagnosticSeverity.Information,
}


def to_utf16(line: str, column: int) -> int:
    """Turn a column (code points, from 1) into UTF-16 units (from 0)."""
    before = line[: column - 1]
    return len(before) if before.isascii() else len(before.encode("utf-16-le")) // 2


def from_utf16(line: str, character: int) -> int:
    """Turn UTF-16 units (from 0) into a column (code points, from 1)."""
    if line.isascii():
        return min(character, len(line)) + 1
    return len(line.encode("utf-16-le")[: character * 2].decode("utf-16-le", errors="ignore")) + 1


def to_range(span: Span, lines: Sequence[str]) -> types.Range:
    """Turn a span into a protocol range; `lines` is the text of its file."""

    def position(line: int, column: int) -> types.Position:
        text = lines[line - 1] if 1 <= line <= len(lines) else ""
        return types.Position(max(line - 1, 0), to_utf16(text, column))

    return types.Range(position(span.line, span.column), position(span.end_line, span.end_column))


def to_span(file: str, wanted: types.Range, lines: Sequence[str]) -> Span:
    """Turn a protocol range into a span."""

    def column(position: types.Position) -> int:
        text = lines[position.line] if position.line < len(lines) else ""
        return from_utf16(text, position.character)

    start, end = wanted.start, wanted.end
    return Span(file, start.line + 1, column(start), end.line + 1, column(end))


def uri_of(file: str) -> str:
    """Return the URI of a file path."""
    return from_fs_path(file) or file


def path_of(uri: str) -> str:
    """Return the file path of a URI, or the URI itself when it names no file."""
    return to_fs_path(uri) or uri


def to_diagnostic(item: Diagnostic, lines: Sequence[str]) -> types.Diagnostic:
    """Turn a finding into a protocol diagnostic; the help text is part of the message."""
    related = [
        types.DiagnosticRelatedInformation(
            location=types.Location(uri_of(entry.span.file), to_range(entry.span, lines)), message=entry.message
        )
        for entry in item.related
    ]
    message = f"{item.message}\n{item.help}" if item.help else item.message
    return types.Diagnostic(
        range=to_range(item.span, lines),
        message=message,
        severity=_SEVERITY[item.severity],
        code=item.code,
        source="asclens",
        related_information=related or None,
    )
