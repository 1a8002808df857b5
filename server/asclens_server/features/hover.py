# SPDX-License-Identifier: Apache-2.0
"""Hover: what a call becomes on the device, and what a name holds."""

from __future__ import annotations

from dataclasses import dataclass

from asclens_compiler.source.span import Span

from asclens_server.features.snapshot import CallFact, Snapshot, ValueFact


@dataclass(frozen=True, slots=True)
class Card:
    """A hover text in Markdown and the range it describes."""

    span: Span
    markdown: str


def hover(snapshot: Snapshot, line: int, column: int) -> Card | None:
    """Describe the name or call at a position (from 1, columns in code points)."""
    value = snapshot.value_at(line, column)
    call = snapshot.call_at(line, column)
    if value is not None and (call is None or _inside(value.span, call.span)):
        return Card(value.span, _value_text(value))
    if call is not None:
        return Card(call.span, _call_text(call))
    return None


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
