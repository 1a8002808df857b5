# SPDX-License-Identifier: Apache-2.0
"""Vector clocks of the pipes of one core."""

from __future__ import annotations

from asclens_compiler.analysis.verifier.objects import Clock, Link
from asclens_compiler.ascir.program import Op
from asclens_compiler.hardware.pipes import Pipe

LANES = (Pipe.S, Pipe.V, Pipe.M, Pipe.MTE1, Pipe.MTE2, Pipe.MTE3, Pipe.FIX)
LANE = {pipe: lane for lane, pipe in enumerate(LANES)}
_SCALAR = LANE[Pipe.S]
_ALWAYS = 1 << 60
# Wait or barrier, by the index of its op -> the orders (earlier pipe, later pipe) that need it.
Used = dict[int, set[tuple[Pipe, Pipe]]]


class Clocks:
    """`known[p][q]`: how many instructions of pipe q are complete when the next one of p starts.

    The scalar unit issues everything, so what it has waited for is complete for all pipes. `links`
    holds the waits and barriers that each entry is known from, `used` those that some access needs.
    """

    __slots__ = ("issued", "known", "links", "used")

    def __init__(self, used: Used, *, auto_sync: bool) -> None:
        self.issued = [0] * len(LANES)
        self.known = [[0] * len(LANES) for _ in LANES]
        self.links: list[list[Link | None]] = [[None] * len(LANES) for _ in LANES]
        self.used = used
        self.known[_SCALAR][_SCALAR] = _ALWAYS
        if auto_sync:
            vector = LANE[Pipe.V]
            self.known[vector][vector] = _ALWAYS

    def issue(self, pipe: Pipe) -> int:
        """Start an instruction and return its number."""
        lane = LANE[pipe]
        self.issued[lane] += 1
        return self.issued[lane]

    def ordered(self, earlier: Pipe, number: int, later: Pipe) -> bool:
        """Tell whether an instruction is complete before the next one of `later` starts."""
        return self.known[LANE[later]][LANE[earlier]] >= number

    def unused(self, earlier: Pipe, number: int, later: Pipe) -> bool:
        """Tell whether an order rests on a wait that nothing needed so far."""
        link = _first(self.links[LANE[later]][LANE[earlier]], number)
        return link is not None and (earlier, later) not in self.used.get(link.op.index, ())

    def use(self, earlier: Pipe, number: int, later: Pipe) -> None:
        """Note that an access needs an order."""
        link = _first(self.links[LANE[later]][LANE[earlier]], number)
        while link is not None:
            self.used.setdefault(link.op.index, set()).add((earlier, later))
            link = _first(link.parent, number)

    def told_by(self, pipe: Pipe, number: int | None = None) -> Clock:
        """Return what a flag set on a pipe now (or right after instruction `number`) tells."""
        lane = LANE[pipe]
        row, links = list(self.known[lane]), list(self.links[lane])
        row[lane] = self.issued[lane] if number is None else number
        links[lane] = None
        return Clock(tuple(row), tuple(links))

    def join(self, pipe: Pipe, told: Clock, by: Op | None = None) -> None:
        """Take in what a flag tells a pipe."""
        for target in range(len(LANES)) if pipe is Pipe.S else (LANE[pipe],):
            row, links = self.known[target], self.links[target]
            for lane, value in enumerate(told.values):
                if value > row[lane]:
                    links[lane] = Link(by, row[lane], links[lane], told.links[lane]) if by is not None else None
                    row[lane] = value

    def barrier(self, pipe: Pipe, by: Op | None = None) -> None:
        """Wait for all earlier instructions of a pipe, or of all pipes."""
        lanes = range(len(LANES)) if pipe is Pipe.ALL else (LANE[pipe],)
        for target in lanes:
            row, links = self.known[target], self.links[target]
            for lane in lanes:
                if self.issued[lane] > row[lane]:
                    links[lane] = Link(by, row[lane], links[lane], None) if by is not None else None
                    row[lane] = self.issued[lane]


def _first(link: Link | None, number: int) -> Link | None:
    """Return the first wait after which instruction `number` was known to be complete."""
    while link is not None and link.before >= number:
        link = link.previous
    return link
