# SPDX-License-Identifier: Apache-2.0
"""Interval map of one memory: disjoint records with the last writer and the readers of a range."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asclens_compiler.backends.simulator.values import Owner

KEEP_PIECES = 64  # a write over more records than this merges them into one
ReadKey = tuple[int, int, int, int]  # lo, hi, core, pipe
ReadStamp = tuple[int, int, int]  # time, pc, phase


class Rec:
    """A byte range with one history; bounds never change, a split makes new records.

    `owner` is the allocation it was last written through (None: never written), `previous` the one
    whose data that write replaced. Times count accesses of a pipe; 0 means none.
    """

    __slots__ = (
        "atomic", "dead", "hi", "lo", "more", "owner", "previous", "rcore", "rp", "rpc", "rphase", "rt",
        "wcore", "wp", "wpc", "wphase", "wt",
    )  # fmt: skip

    def __init__(self, lo: int, hi: int, owner: Owner | None = None, core: int = 0) -> None:
        self.lo, self.hi, self.owner = lo, hi, owner
        self.previous: Owner | None = None
        self.dead = False
        self.atomic = False
        self.wp = self.wt = self.wphase = 0
        self.rp = self.rt = self.rphase = 0
        self.wcore = self.rcore = core
        self.wpc = self.rpc = -1
        self.more: dict[ReadKey, ReadStamp] | None = None  # readers beyond the first, or of a part

    def part(self, lo: int, hi: int) -> Rec:
        """Return a record for a part with the same history."""
        new = Rec(lo, hi, self.owner)
        new.previous, new.atomic = self.previous, self.atomic
        new.wcore, new.rcore = self.wcore, self.rcore
        if not (self.wt or self.rt or self.more):
            return new
        new.wp, new.wt, new.wpc, new.wphase = self.wp, self.wt, self.wpc, self.wphase
        new.rp, new.rt, new.rpc, new.rphase = self.rp, self.rt, self.rpc, self.rphase
        if self.more:
            new.more = {key: stamp for key, stamp in self.more.items() if key[0] < hi and lo < key[1]}
        return new


DEAD = Rec(0, 0)
DEAD.dead = True


class Access:
    """A byte range that one operand touches, and the records it was last found in."""

    __slots__ = ("atomic", "exact", "hi", "lo", "owner", "rec", "recs", "shadow", "write")

    def __init__(self, shadow: Shadow, owner: Owner, lo: int, hi: int, *, write: bool) -> None:
        self.shadow, self.owner, self.lo, self.hi, self.write = shadow, owner, lo, hi, write
        self.atomic = False
        self.rec = DEAD  # the record with exactly these bounds, else DEAD
        self.recs: list[Rec] = [DEAD]  # records overlapped
        self.exact = not shadow.shared


class Shadow:
    """Sorted disjoint records, kept in chunks so that lists stay short.

    `shared` memories (global memory) are written by several cores.
    """

    __slots__ = ("chunk", "name", "recs", "shared", "size", "starts")

    def __init__(self, name: str, size: int, *, chunk: int = 0, shared: bool = False, core: int = 0) -> None:
        self.name, self.size, self.shared = name, size, shared
        self.chunk = chunk or max(size, 1)
        bounds = [(lo, min(lo + self.chunk, size)) for lo in range(0, max(size, 1), self.chunk)]
        self.starts = [[lo] for lo, _ in bounds]
        self.recs = [[Rec(lo, hi, core=core)] for lo, hi in bounds]

    def declare(self, lo: int, hi: int, owner: Owner | None) -> None:
        """Mark a range as holding data (or, with None, as holding none)."""
        if lo >= hi:
            return
        for rec in self.carve(lo, hi):
            rec.owner, rec.previous = owner, None

    def overlap(self, lo: int, hi: int) -> list[Rec]:
        """Return the records that touch [lo, hi)."""
        first, last = lo // self.chunk, (hi - 1) // self.chunk
        if first == last:
            rec = self.recs[first][bisect_right(self.starts[first], lo) - 1]
            if rec.hi >= hi:
                return [rec]
        out: list[Rec] = []
        for n in range(first, min(last, len(self.recs) - 1) + 1):
            starts, recs = self.starts[n], self.recs[n]
            i = max(bisect_right(starts, lo) - 1, 0)
            while i < len(recs) and recs[i].lo < hi:
                out.append(recs[i])
                i += 1
        return out

    def carve(self, lo: int, hi: int) -> list[Rec]:
        """Split at `lo` and `hi`, then return the records that make up exactly [lo, hi)."""
        found = self.overlap(lo, hi)
        if found[0].lo < lo:
            found[0] = self._split(found[0], lo)[1]
        if found[-1].hi > hi:
            found[-1] = self._split(found[-1], hi)[0]
        return found

    def _split(self, rec: Rec, at: int) -> tuple[Rec, Rec]:
        n = rec.lo // self.chunk
        i = bisect_right(self.starts[n], rec.lo) - 1
        left, right = rec.part(rec.lo, at), rec.part(at, rec.hi)
        rec.dead = True
        self.starts[n][i : i + 1] = [rec.lo, at]
        self.recs[n][i : i + 1] = [left, right]
        return left, right

    def merge(self, pieces: list[Rec]) -> list[Rec]:
        """Join freshly written neighbours into one record per chunk."""
        out: list[Rec] = []
        for n in sorted({rec.lo // self.chunk for rec in pieces}):
            mine = [rec for rec in pieces if rec.lo // self.chunk == n]
            joined = mine[0].part(mine[0].lo, mine[-1].hi)
            i = bisect_right(self.starts[n], mine[0].lo) - 1
            self.starts[n][i : i + len(mine)] = [joined.lo]
            self.recs[n][i : i + len(mine)] = [joined]
            for rec in mine:
                rec.dead = True
            out.append(joined)
        return out
