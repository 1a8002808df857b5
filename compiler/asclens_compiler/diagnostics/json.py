# SPDX-License-Identifier: Apache-2.0
"""Diagnostics as JSON objects and back: the `D` element of reports and of the engine protocol."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from asclens_compiler.diagnostics.model import Applicability, Diagnostic, Edit, Fix, Related, Severity
from asclens_compiler.source.span import Span

JsonObject = dict[str, Any]


def to_json(diagnostic: Diagnostic) -> JsonObject:
    """Return the JSON object of a diagnostic; keys come in the documented order.

    Lines and columns count from 1, columns in code points, ends are exclusive.
    """
    return {
        "file": diagnostic.span.file,
        "code": diagnostic.code,
        "name": diagnostic.name,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "help": diagnostic.help,
        "range": range_to_json(diagnostic.span),
        "related": [
            {"file": item.span.file, "range": range_to_json(item.span), "message": item.message}
            for item in diagnostic.related
        ],
        "kernel": diagnostic.kernel,
        "specialisation": diagnostic.specialisation,
        "soc": diagnostic.soc,
        "fixes": [_fix_to_json(fix) for fix in diagnostic.fixes],
    }


def from_json(value: Mapping[str, Any]) -> Diagnostic:
    """Return the diagnostic of a JSON object; raise KeyError or ValueError when it is malformed."""
    file: str = value["file"]
    return Diagnostic(
        code=value["code"],
        name=value["name"],
        severity=Severity(value["severity"]),
        message=value["message"],
        span=span_from_json(file, value["range"]),
        help=value.get("help", ""),
        related=tuple(
            Related(span=span_from_json(item["file"], item["range"]), message=item["message"])
            for item in value.get("related", ())
        ),
        fixes=tuple(_fix_from_json(item) for item in value.get("fixes", ())),
        kernel=value.get("kernel") or "",
        specialisation=value.get("specialisation") or "",
        soc=value.get("soc") or "",
    )


def all_to_json(diagnostics: Iterable[Diagnostic]) -> list[JsonObject]:
    """Return the JSON array of several diagnostics."""
    return [to_json(item) for item in diagnostics]


def all_from_json(values: Sequence[Mapping[str, Any]]) -> tuple[Diagnostic, ...]:
    """Return the diagnostics of a JSON array."""
    return tuple(from_json(item) for item in values)


def range_to_json(span: Span) -> JsonObject:
    """Return the `range` object of a span."""
    return {
        "start": {"line": span.line, "column": span.column},
        "end": {"line": span.end_line, "column": span.end_column},
    }


def span_from_json(file: str, value: Mapping[str, Any]) -> Span:
    """Return the span of a `range` object in `file`."""
    start, end = value["start"], value["end"]
    return Span(file, start["line"], start["column"], end["line"], end["column"])


def span_to_list(span: Span) -> list[int]:
    """Return the short form `S` of the engine protocol: `[line, column, end_line, end_column]`."""
    return [span.line, span.column, span.end_line, span.end_column]


def span_from_list(file: str, value: Sequence[int]) -> Span:
    """Return the span of the short form `S` in `file`."""
    line, column, end_line, end_column = value
    return Span(file, line, column, end_line, end_column)


def _fix_to_json(fix: Fix) -> JsonObject:
    return {
        "title": fix.title,
        "applicability": fix.applicability.value,
        "edits": [
            {"file": edit.span.file, "range": range_to_json(edit.span), "new_text": edit.new_text} for edit in fix.edits
        ],
    }


def _fix_from_json(value: Mapping[str, Any]) -> Fix:
    return Fix(
        title=value["title"],
        applicability=Applicability(value["applicability"]),
        edits=tuple(
            Edit(span=span_from_json(edit["file"], edit["range"]), new_text=edit["new_text"]) for edit in value["edits"]
        ),
    )
