# SPDX-License-Identifier: Apache-2.0
"""Diagnostics as text for people: message, place, source excerpt with carets, help."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rich.cells import cell_len
from rich.text import Text

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.source.span import NOWHERE, Span
from asclens_compiler.source.text import SourceText

SourceOf = Callable[[str], SourceText | None]
ShowPath = Callable[[str], str]

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow", Severity.ADVICE: "bold cyan"}
_FRAME = "blue"
_TAB = "    "


def render(diagnostic: Diagnostic, source_of: SourceOf, show_path: ShowPath = str) -> Text:
    """Return one diagnostic with the excerpt of its place and of each related place.

    `source_of` gives the text of a file, or None when it is not at hand; `show_path` shortens paths.
    """
    style = _STYLES[diagnostic.severity]
    places = [(diagnostic.span, "", style)]
    places += [(item.span, item.message, _FRAME) for item in diagnostic.related]
    width = max(len(str(span.line)) for span, _, _ in places)
    out = Text()
    out.append(f"{diagnostic.severity.value}[{diagnostic.code}]", style)
    out.append(f" {_printable(diagnostic.message)}\n", "bold")
    for span, label, mark in places:
        _place(out, span, label=label, style=mark, width=width, source=source_of(span.file), show_path=show_path)
    if where := _launch(diagnostic):
        _note(out, width, "in", where)
    if diagnostic.help:
        _note(out, width, "help", diagnostic.help)
    for fix in diagnostic.fixes:
        _note(out, width, f"fix ({fix.applicability.value})", fix.title)
    return out


def summary(diagnostics: Iterable[Diagnostic], files: int) -> Text:
    """Return the closing line: how many findings of each severity in how many files."""
    severities = [item.severity for item in diagnostics]
    counts = [(severity, severities.count(severity)) for severity in Severity]
    out = Text()
    for severity, count in counts:
        if count:
            noun = severity.value if count == 1 or severity is Severity.ADVICE else f"{severity.value}s"
            out.append(", " if out else "").append(f"{count} {noun}", _STYLES[severity])
    if not out:
        out.append("no findings", "bold green")
    return out.append(f" in {files} file{'' if files == 1 else 's'}")


def _launch(diagnostic: Diagnostic) -> str:
    parts = [f"kernel {diagnostic.kernel}"] if diagnostic.kernel else []
    parts += [diagnostic.specialisation] if diagnostic.specialisation else []
    return ", ".join(parts)


def _place(
    out: Text, span: Span, *, label: str, style: str, width: int, source: SourceText | None, show_path: ShowPath
) -> None:
    if span.file == NOWHERE.file:
        return
    out.append(" " * width)
    out.append("--> ", _FRAME).append(f"{show_path(span.file)}:{span.line}:{span.column}")
    line = _printable(source.line(span.line)) if source is not None else ""
    if not line.strip():
        out.append(f": {label}\n" if label else "\n")
        return
    out.append("\n").append(f"{'':{width}} |\n", _FRAME)
    out.append(f"{span.line:>{width}} | ", _FRAME).append(f"{line.expandtabs(len(_TAB))}\n")
    end = span.end_column if span.end_line == span.line else len(line) + 1
    before, marked = line[: span.column - 1], line[span.column - 1 : end - 1]
    indent = cell_len(before.expandtabs(len(_TAB)))
    marks = max(1, cell_len((before + marked).expandtabs(len(_TAB))) - indent)
    out.append(f"{'':{width}} | ", _FRAME).append(" " * indent)
    out.append(("-" if label else "^") * marks, style)
    if span.end_line > span.line:
        out.append(" ...", style)
    out.append(f" {label}\n" if label else "\n", style)


def _printable(text: str) -> str:
    """Replace control characters, so that a file cannot steer the terminal that shows it."""
    return (
        text if text.isprintable() else "".join(c if c.isprintable() or c == "\t" else "\N{MIDDLE DOT}" for c in text)
    )


def _note(out: Text, width: int, kind: str, text: str) -> None:
    first, *rest = text.split("\n")
    out.append(f"{'':{width}} = ", _FRAME).append(f"{kind}: ", "bold").append(f"{first}\n")
    for line in rest:
        out.append(f"{'':{width}}   {'':{len(kind) + 2}}{line}\n")
