# SPDX-License-Identifier: Apache-2.0
"""Vector clocks of the pipes of one core."""

from __future__ import annotations

from collections.abc import Sequence

from asclens_compiler.analysis.verifier.objects import Clock
from asclens_compiler.hardware.pipes import Pipe

LANES = (Pipe.S, Pipe.V, Pipe.M, Pipe.MTE1, Pipe.MTE2, Pipe.MTE3, Pipe.FIX)
LANE = {pipe: lane for lane, pipe in enumerate(LANES)}
_SCALAR = LANE[Pipe.S]
_ALWAYS = 1 << 60


class Clocks:
    """`known[p][q]`: how many instructions of pipe q are complete when the next one of p starts.

    The scalar unit issues everything, so what it has waited for is complete for all pipes.
    """

    __slots__ = ("issued", "known")

    def __init__(self, *, auto_sync: bool) -> None:
        self.issued = [0] * len(LANES)
        self.known = [[0] * len(LANES) for _ in LANES]
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

    def told_by(self, pipe: Pipe, number: int | None = None) -> Clock:
        """Return what a flag set on a pipe now (or right after instruction `number`) tells."""
        lane = LANE[pipe]
        row = list(self.known[lane])
        row[lane] = self.issued[lane] if number is None else number
        return tuple(row)

    def join(self, pipe: Pipe, told: Sequence[int]) -> None:
        """Take in what a flag tells a pipe."""
        rows = self.known if pipe is Pipe.S else (self.known[LANE[pipe]],)
        for row in rows:
            for lane, value in enumerate(told):
                row[lane] = max(row[lane], value)

    def barrier(self, pipe: Pipe) -> None:
        """Wait for all earlier instructions of a pipe, or of all pipes."""
        if pipe is Pipe.ALL:
            for row in self.known:
                for lane, value in enumerate(self.issued):
                    row[lane] = max(row[lane], value)
            return
        lane = LANE[pipe]
        self.known[lane][lane] = max(self.known[lane][lane], self.issued[lane])
