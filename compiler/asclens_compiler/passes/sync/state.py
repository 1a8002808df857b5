# SPDX-License-Identifier: Apache-2.0
"""What each pipe is known to have finished at a point of the program (vector clocks, statically)."""

from __future__ import annotations

from collections.abc import Sequence

from asclens_compiler.hardware.pipes import Pipe
from asclens_compiler.passes.sync.model import ALWAYS, LANE, N_LANES, NEVER, SCALAR_LANE

Row = list[int]


class State:
    """Hold `known[p][q]`: the last op of pipe q that is complete before the next op of pipe p starts.

    Ops and waits go by their tick (plus an offset in a second trip of a loop); `issued[q]` is the
    last one of q so far. The scalar unit issues everything, so what it waits for is complete for all pipes.
    """

    __slots__ = ("issued", "known")

    def __init__(self) -> None:
        self.issued: Row = [NEVER] * N_LANES
        self.known: list[Row] = [[NEVER] * N_LANES for _ in range(N_LANES)]
        self.known[SCALAR_LANE][SCALAR_LANE] = ALWAYS

    def copy(self) -> State:
        """Return an independent copy."""
        other = State.__new__(State)
        other.issued = list(self.issued)
        other.known = [list(row) for row in self.known]
        return other

    def issue(self, pipe: Pipe, tick: int) -> None:
        """Start an op."""
        self.issued[LANE[pipe]] = tick

    def covers(self, target: Pipe, source: Pipe, tick: int) -> bool:
        """Tell whether an op of `source` is complete before the next op of `target`."""
        return self.known[LANE[target]][LANE[source]] >= tick

    def snapshot(self, source: Pipe) -> Row:
        """Return what a flag set on `source` now tells its waiter."""
        lane = LANE[source]
        row = list(self.known[lane])
        row[lane] = max(row[lane], self.issued[lane]) if lane != SCALAR_LANE else self.issued[lane]
        return row

    def join(self, target: Pipe, row: Sequence[int]) -> None:
        """Take in what a flag tells."""
        rows = self.known if target is Pipe.S else (self.known[LANE[target]],)
        for mine in rows:
            for lane, value in enumerate(row):
                mine[lane] = max(mine[lane], value)

    def wait(self, target: Pipe, row: Sequence[int], tick: int) -> None:
        """Wait for a flag: a step of the target pipe that later sets of that pipe tell about."""
        self.join(target, row)
        self.issue(target, tick)

    def barrier(self, pipe: Pipe) -> None:
        """Wait for all earlier ops of a pipe, or of all pipes."""
        if pipe is Pipe.ALL:
            for row in self.known:
                for lane, tick in enumerate(self.issued):
                    row[lane] = max(row[lane], tick)
            return
        lane = LANE[pipe]
        self.known[lane][lane] = max(self.known[lane][lane], self.issued[lane])

    def meet(self, other: State) -> None:
        """Keep what holds on both of two paths; ops that a path did not run are no demand on it."""
        issued = [max(pair) for pair in zip(self.issued, other.issued, strict=True)]
        for mine, theirs in zip(self.known, other.known, strict=True):
            for lane in range(N_LANES):
                first = issued[lane] if mine[lane] >= self.issued[lane] else mine[lane]
                second = issued[lane] if theirs[lane] >= other.issued[lane] else theirs[lane]
                mine[lane] = min(first, second)
        self.known[SCALAR_LANE][SCALAR_LANE] = ALWAYS
        self.issued = issued
