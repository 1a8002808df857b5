# SPDX-License-Identifier: Apache-2.0
"""Source ranges, call chains and Python names of values <-> MLIR locations.

An op's location is `name(callsite(file at callers))`; the name part holds the Python variables that
hold the results (`x,y` for one result, `;` between results), for loops after those of the arguments
of the first block and a `|`: printing drops their own locations. The callers are the calls through
which the frontend inlined the code. Upstream passes keep locations, so names survive them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from asclens_compiler.ascir import bindings
from asclens_compiler.source.span import NOWHERE, Span

Names = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A resolved location: range, call chain (innermost first), names per result and per block argument."""

    span: Span
    calls: tuple[Span, ...]
    names: Names
    arguments: Names = ()


_PLAIN = re.compile(
    r'loc\((?:"([^"\\]*)"\()?"([^"\\]+)":(\d+):(\d+)(?: to (\d*):(\d+))?\)?\)',
)


def file_location(context: Any, span: Span) -> Any:
    """Return the file range location of a span."""
    return bindings.ir.Location.file(span.file, span.line, span.column, span.end_line, span.end_column, context=context)


def chained(context: Any, span: Span, caller: Any | None) -> Any:
    """Return the location of `span` inlined at `caller` (itself such a location, or None)."""
    location = file_location(context, span)
    if caller is None:
        return location
    return bindings.ir.Location.callsite(location, [caller], context=context)


def named(context: Any, location: Any, names: Sequence[Sequence[str]], arguments: Sequence[Sequence[str]] = ()) -> Any:
    """Return `location` carrying the Python names of results and block arguments, instead of earlier ones."""
    inner = bindings.as_name(location)
    base = location if inner is None else inner.child_loc
    if not any(names) and not any(arguments):
        return base
    head = f"{_joined(arguments)}|" if any(arguments) else ""
    return bindings.ir.Location.name(head + _joined(names), base, context=context)


def _joined(names: Sequence[Sequence[str]]) -> str:
    return ";".join(",".join(part) for part in names)


def _parted(text: str) -> Names:
    return tuple(tuple(filter(None, part.split(","))) for part in text.split(";"))


def resolve(location: Any) -> Place:
    """Return what a location says; unknown parts come back as NOWHERE.

    Reading the common form from its text costs half of asking for its parts one by one.
    """
    match = _PLAIN.fullmatch(str(location))
    if match is None:
        return _resolve_parts(location)
    name, file, line, column, end_line, end_column = match.groups()
    start_line, start_column = int(line), int(column)
    span = Span(
        file,
        start_line,
        start_column,
        int(end_line) if end_line else start_line,
        int(end_column) if end_column else start_column,
    )
    if name is None:
        return Place(span, (), ())
    arguments, names = _split_names(name)
    return Place(span, (), names, arguments)


def _split_names(text: str) -> tuple[Names, Names]:
    head, bar, tail = text.rpartition("|")
    return (_parted(head) if bar else ()), _parted(tail)


def _resolve_parts(location: Any) -> Place:
    names: Names = ()
    arguments: Names = ()
    wrapper = bindings.as_name(location)
    if wrapper is not None:
        arguments, names = _split_names(wrapper.name_str)
        location = wrapper.child_loc
    spans: list[Span] = []
    site = bindings.as_callsite(location)
    while site is not None:
        spans.append(_span(site.callee))
        location = site.caller
        site = bindings.as_callsite(location)
    spans.append(_span(location))
    return Place(spans[0], tuple(spans[1:]), names, arguments)


def _span(location: Any) -> Span:
    file = bindings.as_file(location)
    if file is not None:
        return Span(file.filename, file.start_line, file.start_col, file.end_line, file.end_col)
    wrapper = bindings.as_name(location)
    if wrapper is not None:
        return _span(wrapper.child_loc)
    fused = bindings.as_fused(location)
    if fused is not None:
        spans = [span for span in map(_span, fused.locations) if span is not NOWHERE]
        return spans[0] if spans else NOWHERE
    return NOWHERE


class PlaceTable:
    """Resolve the locations of one context once each (MLIR uniques them)."""

    def __init__(self) -> None:
        self._known: dict[Any, Place] = {}

    def place(self, location: Any) -> Place:
        """Return the resolved form of a location."""
        key = location.attr
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = resolve(location)
        return found
