# SPDX-License-Identifier: Apache-2.0
"""Inlay hints: dtype and shape of the tensors that a kernel binds to names."""

from __future__ import annotations

from dataclasses import dataclass

from asclens_compiler.source.span import Span

from asclens_server.features.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Hint:
    """A text shown behind a name."""

    line: int
    column: int
    text: str


def inlay_hints(snapshot: Snapshot, wanted: Span) -> list[Hint]:
    """Return one hint per line and name for tensors with a known element type."""
    hints: dict[tuple[int, str], Hint] = {}
    for value in snapshot.values:
        if not wanted.line <= value.span.line <= wanted.end_line:
            continue
        if value.dtype is None or value.shape is None or value.memory is None:
            continue
        kind = "mask" if value.type.startswith("a mask") else value.dtype
        text = f": {kind}[{', '.join(map(str, value.shape))}]"
        hints.setdefault((value.span.line, value.name), Hint(value.span.end_line, value.span.end_column, text))
    return list(hints.values())
