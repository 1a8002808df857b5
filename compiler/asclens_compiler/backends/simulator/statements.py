# SPDX-License-Identifier: Apache-2.0
"""Where statements start: the addresses a debugger stops at.

An instruction stands in a stack of places: the call sites of inlined helpers, outermost first, then
its own line. A statement of frame k starts where place k of the stack is new against the
instruction before, or where a loop comes back.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from asclens_compiler.backends.simulator.flatten import Flat, Instr, Jump, LoopNext
from asclens_compiler.source.span import Span

Place = tuple[str, int]  # file, line


def spans_of(instr: Instr) -> tuple[Span, ...]:
    """Return the places of an instruction, outermost call site first."""
    return (*reversed(instr.calls), instr.span)


def places_of(instr: Instr) -> tuple[Place, ...]:
    """Return (file, line) of each frame, outermost first."""
    return tuple((span.file, span.line) for span in spans_of(instr))


@dataclass(frozen=True, slots=True)
class Start:
    """A stop address: frames `level` and deeper enter a new statement (`returned`: a call ended)."""

    pc: int
    places: tuple[Place, ...]
    level: int
    returned: bool


class Statements:
    """The stop addresses of one program."""

    def __init__(self, flat: Flat) -> None:
        self.flat = flat
        self.starts: dict[int, Start] = {}
        back = _back_targets(flat)
        before: tuple[Place, ...] = ()
        for pc, instr in enumerate(flat.instrs[:-1]):
            if instr.quiet:
                continue
            places = places_of(instr)
            level = _first_new(before, places)
            if pc in back and level >= len(places):
                level = len(places) - 1
            if level < len(places):
                self.starts[pc] = Start(pc, places, level, returned=False)
            elif len(before) > len(places):
                self.starts[pc] = Start(pc, places, len(places) - 1, returned=True)
            before = places

    def lines(self, file: str) -> list[int]:
        """Return the lines of a file at which something can stop."""
        found = {place[1] for start in self._entries() for place in start.places[start.level :] if place[0] == file}
        return sorted(found)

    def _entries(self) -> Iterable[Start]:
        return (start for start in self.starts.values() if not start.returned)

    def resolve(self, file: str, line: int) -> int | None:
        """Return the first stoppable line at or after `line`, or None."""
        return next((found for found in self.lines(file) if found >= line), None)

    def at_lines(self, places: frozenset[Place]) -> frozenset[int]:
        """Return the addresses where a statement on one of `places` starts."""
        return frozenset(
            start.pc for start in self._entries() if any(place in places for place in start.places[start.level :])
        )

    def depth_at(self, pc: int, places: frozenset[Place]) -> int:
        """Return the outermost frame that enters one of `places` at an address."""
        start = self.starts[pc]
        return next(level for level in range(start.level, len(start.places)) if start.places[level] in places)

    def next_stops(self, pc: int, depth: int) -> frozenset[int]:
        """Return where "step over" from frame `depth` at `pc` may stop."""
        here = places_of(self.flat.instrs[pc])[: depth + 1]
        return frozenset(
            start.pc
            for start in self.starts.values()
            if (start.level < depth if start.returned else start.level <= depth)
            and (start.places[: depth + 1] != here or start.pc == pc)
        )

    def out_stops(self, depth: int) -> frozenset[int]:
        """Return where "step out" of frame `depth` may stop."""
        return frozenset(start.pc for start in self.starts.values() if start.level < depth)

    def all_stops(self) -> frozenset[int]:
        """Return every stop address."""
        return frozenset(self.starts)


def _first_new(before: tuple[Place, ...], places: tuple[Place, ...]) -> int:
    """Return the first frame whose place is new; the number of frames when none is."""
    for level, place in enumerate(places):
        if level >= len(before) or before[level] != place:
            return level
    return len(places)


def _back_targets(flat: Flat) -> frozenset[int]:
    found: set[int] = set()
    for pc, instr in enumerate(flat.instrs):
        if isinstance(instr, LoopNext):
            found.add(instr.body)
        elif isinstance(instr, Jump) and instr.target <= pc:
            found.add(instr.target)
    return frozenset(found)
