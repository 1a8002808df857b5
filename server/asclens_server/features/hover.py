# SPDX-License-Identifier: Apache-2.0
"""Hover: what a call becomes on the device, and what a name holds."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from asclens_compiler.source.span import Span

from asclens_server.features.snapshot import CallFact, Snapshot, ValueFact

_NAME = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class Card:
    """A hover text in Markdown and the range it describes."""

    span: Span
    markdown: str


def hover(snapshot: Snapshot, text: str, line: int, column: int) -> Card | None:
    """Describe the name or call at a position (from 1, columns in code points); `text` is its line."""
    value = snapshot.value_at(line, column) or _used_value(snapshot, text, line, column)
    call = snapshot.call_at(line, column)
    if value is not None and (call is None or _inside(value.span, call.span)):
        return Card(value.span, _value_text(value))
    if call is not None:
        return Card(call.span, _call_text(call))
    return None


def _used_value(snapshot: Snapshot, text: str, line: int, column: int) -> ValueFact | None:
    """Return what the name at a position holds: the latest binding above it in its kernel, shown there."""
    word = next((word for word in _NAME.finditer(text) if word.start() < column <= word.end() + 1), None)
    if word is None or (word.start() and text[word.start() - 1] == "."):
        return None
    kernels = [kernel.span.line for kernel in snapshot.kernels if kernel.span.line <= line]
    first = max(kernels, default=1)
    bound = [fact for fact in snapshot.values if fact.name == word.group() and first <= fact.span.line <= line]
    if not bound:
        return None
    latest = max(bound, key=lambda fact: fact.span.line)
    place = Span(latest.span.file, line, word.start() + 1, line, word.end() + 1)
    return replace(latest, span=place)


def _inside(inner: Span, outer: Span) -> bool:
    return outer.contains(inner.line, inner.column) and outer.contains(inner.end_line, inner.end_column)


def _call_text(call: CallFact) -> str:
    head = f"**{call.api}**" + (f" — {call.summary}" if call.summary else "")
    rows = [
        f"pipe `{call.pipe}`" if call.pipe else "",
        f"op `ascir.{call.op}`" if call.op else "",
    ]
    parts = [head, " · ".join(row for row in rows if row)]
    if call.overload:
        parts.append(f"```python\n{call.overload}\n```")
    if call.cpp:
        parts.append(f"```cpp\n{call.cpp}\n```")
    return "\n\n".join(part for part in parts if part)


def _value_text(value: ValueFact) -> str:
    head = f"```python\n{value.name}: {value.type}\n```"
    facts: list[str] = []
    if value.constant is not None:
        facts.append(f"compile-time value `{value.constant}`")
    if value.dtype is not None:
        shape = "" if value.shape is None else "[" + ", ".join(map(str, value.shape)) + "]"
        facts.append(f"`{value.dtype}{shape}`")
    if value.size_bytes is not None:
        facts.append(f"{value.size_bytes:,} bytes")
    if value.memory is not None:
        place = value.memory if value.position is None else f"{value.memory} ({value.position})"
        facts.append(f"in {place}" + ("" if value.address is None else f" at {value.address:#x}"))
    return head + ("\n\n" + " · ".join(facts) if facts else "")
