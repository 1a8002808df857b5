# SPDX-License-Identifier: Apache-2.0
"""Happens-before checks: clocks per pipe, flags as tokens, accesses against the range shadows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from asclens_compiler.backends.simulator.cache import DataCache
from asclens_compiler.backends.simulator.lanes import LANE, N_LANES, SCALAR
from asclens_compiler.backends.simulator.semantics.fractal import FRACTAL_BYTES
from asclens_compiler.backends.simulator.shadow import KEEP_PIECES, Access, Rec
from asclens_compiler.hardware.pipes import Memory, Pipe

if TYPE_CHECKING:
    from asclens_compiler.backends.simulator.core import Core
    from asclens_compiler.backends.simulator.reports import Reporter

INFINITE = 1 << 62


@dataclass(slots=True)
class Conflict:
    """An earlier access that is not ordered before the current one."""

    kind: str
    lane: int
    time: int
    pc: int
    core: int
    lo: int
    hi: int
    access: Access


class Hazards:
    """Judge accesses; `T[p]` counts the accesses of pipe p of a core, `K[p][q]` how many of q's are
    known complete when the next op of p starts."""

    __slots__ = ("auto_sync", "cache", "reports")

    def __init__(self, reports: Reporter, *, auto_sync: bool) -> None:
        self.reports = reports
        self.auto_sync = auto_sync
        self.cache = DataCache()

    # -- clocks -----------------------------------------------------------------------------------
    def start(self, core: Core) -> None:
        """Give a core its clocks at the start of a launch."""
        core.T = [0] * N_LANES
        core.K = [[0] * N_LANES for _ in range(N_LANES)]
        core.K[SCALAR][SCALAR] = INFINITE
        if self.auto_sync:
            core.K[LANE[Pipe.V]][LANE[Pipe.V]] = INFINITE

    def join_all(self, core: Core, seen: Sequence[int]) -> None:
        """Order everything issued from now on after `seen`: the scalar unit waited."""
        for lane in range(N_LANES):
            self.join(core, lane, seen)

    @staticmethod
    def join(core: Core, lane: int, seen: Sequence[int]) -> None:
        """Order the next op of one pipe after `seen`."""
        mine = core.K[lane]
        for other in range(N_LANES):
            mine[other] = max(mine[other], seen[other])

    @staticmethod
    def _ordered(core: Core, lane: int, other: int, phase: int, q: int, time: int) -> bool:
        if other == core.id:
            return core.K[lane][q] >= time
        if phase < core.phase:
            return True
        seen = core.seen.get(other)
        return seen is not None and seen[q] >= time

    # -- accesses off the fast path -----------------------------------------------------------------
    def check(self, core: Core, accesses: Sequence[Access], lane: int, time: int, pc: int) -> None:
        """Check and record all accesses of one op, reads first."""
        for access in accesses:
            if not access.write:
                self.read(core, accesses, access, lane, time, pc)
        for access in accesses:
            if access.write:
                self.write(core, accesses, access, lane, time, pc)

    def read(self, core: Core, accesses: Sequence[Access], acc: Access, lane: int, time: int, pc: int) -> None:
        """Check and record one read."""
        recs, me = acc.recs, core.id
        for rec in recs:
            if rec.dead:
                recs = self._locate(acc, acc.shadow.overlap(acc.lo, acc.hi))
                break
        lo, hi, owner = acc.lo, acc.hi, acc.owner
        if self.cache.lines and acc.shadow.shared:
            self._check_cache(core, acc, lane, pc)
        for rec in recs:
            if rec.owner is not owner:
                self._check_content(core, acc, rec, pc)
            if rec.wt and not self._ordered(core, lane, rec.wcore, rec.wphase, rec.wp, rec.wt):
                self._race(core, accesses, lane, time, pc)
            rlo, rhi = rec.lo, rec.hi
            if lo <= rlo and rhi <= hi and (not rec.rt or (rec.rp == lane and rec.rcore == me)):
                rec.rp, rec.rt, rec.rpc, rec.rcore, rec.rphase = lane, time, pc, me, core.phase
            else:
                key = (lo if lo > rlo else rlo, hi if hi < rhi else rhi, me, lane)
                if rec.more is None:
                    rec.more = {}
                rec.more[key] = (time, pc, core.phase)

    def write(self, core: Core, accesses: Sequence[Access], acc: Access, lane: int, time: int, pc: int) -> None:
        """Check and record one write."""
        recs, me, mine = acc.recs, core.id, core.K[lane]
        fits = recs[0].lo >= acc.lo and recs[-1].hi <= acc.hi
        for rec in recs:
            if rec.dead or not fits:
                recs = self._locate(acc, acc.shadow.carve(acc.lo, acc.hi))
                break
        owner, phase = acc.owner, core.phase
        for rec in recs:
            if (
                rec.more
                or (rec.wt and (rec.wcore != me or mine[rec.wp] < rec.wt))
                or (rec.rt and (rec.rcore != me or (rec.rp != lane and mine[rec.rp] < rec.rt)))
            ):
                if next(self._write_conflicts(core, acc, rec, lane), None):
                    self._race(core, accesses, lane, time, pc)
                rec.more = None
            if rec.owner is not owner:
                rec.previous, rec.owner = rec.owner, owner
            rec.wp, rec.wt, rec.wpc = lane, time, pc
            rec.wcore, rec.wphase, rec.rt, rec.atomic = me, phase, 0, acc.atomic
        if len(recs) > KEEP_PIECES:
            self._locate(acc, acc.shadow.merge(recs))

    @staticmethod
    def _locate(acc: Access, recs: list[Rec]) -> list[Rec]:
        """Remember where the access lies; one record with the same bounds opens the fast path."""
        acc.recs = recs
        if acc.exact and len(recs) == 1 and recs[0].lo == acc.lo and recs[0].hi == acc.hi:
            acc.rec = recs[0]
        return recs

    def _write_conflicts(self, core: Core, acc: Access, rec: Rec, lane: int) -> Iterator[Conflict]:
        """Yield unordered earlier accesses to `rec`.

        A later write of one pipe never passes that pipe's own reads. An unordered reader hides the
        writer before it: the edge that orders the reader orders the writer too.
        """
        lo, hi, found = max(acc.lo, rec.lo), min(acc.hi, rec.hi), False
        if (
            rec.rt
            and not (rec.rp == lane and rec.rcore == core.id)
            and not self._ordered(core, lane, rec.rcore, rec.rphase, rec.rp, rec.rt)
        ):
            found = True
            yield Conflict("Write after read", rec.rp, rec.rt, rec.rpc, rec.rcore, lo, hi, acc)
        for (rlo, rhi, rcore, rlane), (rt, rpc, rphase) in (rec.more or {}).items():
            own = rlane == lane and rcore == core.id
            if rlo >= acc.hi or acc.lo >= rhi or own or self._ordered(core, lane, rcore, rphase, rlane, rt):
                continue
            found = True
            yield Conflict("Write after read", rlane, rt, rpc, rcore, max(rlo, acc.lo), min(rhi, acc.hi), acc)
        if found or not rec.wt or (rec.atomic and acc.atomic):
            return
        if not self._ordered(core, lane, rec.wcore, rec.wphase, rec.wp, rec.wt):
            yield Conflict("Write after write", rec.wp, rec.wt, rec.wpc, rec.wcore, lo, hi, acc)

    # -- races --------------------------------------------------------------------------------------
    def _conflicts(self, core: Core, accesses: Sequence[Access], lane: int) -> Iterator[Conflict]:
        """Yield all unordered accesses of a whole instruction."""
        for acc in accesses:
            for rec in acc.shadow.overlap(acc.lo, acc.hi):
                lo, hi = max(acc.lo, rec.lo), min(acc.hi, rec.hi)
                if acc.write:
                    yield from self._write_conflicts(core, acc, rec, lane)
                elif rec.wt and not self._ordered(core, lane, rec.wcore, rec.wphase, rec.wp, rec.wt):
                    yield Conflict("Read after write", rec.wp, rec.wt, rec.wpc, rec.wcore, lo, hi, acc)

    def _race(self, core: Core, accesses: Sequence[Access], lane: int, time: int, pc: int) -> None:
        """Report each missing edge into this instruction once, then act as if it were there.

        `time` is the clock of the current instruction: its own earlier operands are no conflicts.
        """
        groups: dict[tuple[int, int], list[Conflict]] = {}
        for hit in self._conflicts(core, accesses, lane):
            if hit.core == core.id and hit.lane == lane and hit.time == time:
                continue
            groups.setdefault((hit.core, hit.lane), []).append(hit)
        for (other, q), hits in self._needed(core, groups):
            last = max(hits, key=lambda hit: hit.time)
            if other == core.id:
                seen = self._edge(core, q, last.time)
                if lane == SCALAR:
                    self.join_all(core, seen)
                else:
                    self.join(core, lane, seen)
            self.reports.race(core, pc, lane, last, hits, auto_sync=self.auto_sync)

    @staticmethod
    def _edge(core: Core, q: int, time: int) -> list[int]:
        """Return what a flag from pipe `q` after its access `time` would make known."""
        seen = list(core.K[q])
        seen[q] = time
        return seen

    def _needed(
        self, core: Core, groups: dict[tuple[int, int], list[Conflict]]
    ) -> list[tuple[tuple[int, int], list[Conflict]]]:
        """Return the groups without those that the edge for another group orders as well."""
        last = {key: max(hit.time for hit in hits) for key, hits in groups.items()}
        kept = dict(groups)
        for key in groups:
            others = [other for other in kept if other != key and other[0] == core.id == key[0]]
            if any(self._edge(core, other[1], last[other])[key[1]] >= last[key] for other in others):
                del kept[key]
        return list(kept.items())

    def stored(self, core: Core, accesses: Sequence[Access], pc: int) -> None:
        """Note a scalar store to global memory."""
        for access in accesses:
            other = self.cache.store(core.id, access, pc)
            if other is not None:
                self.reports.shared_line(core, pc, access, *other)

    def _check_cache(self, core: Core, acc: Access, lane: int, pc: int) -> None:
        store = self.cache.stale(core.id, acc, scalar=lane == SCALAR)
        if store is not None:
            self.reports.stale_cache(core, store, pc, acc)

    def _check_content(self, core: Core, acc: Access, rec: Rec, pc: int) -> None:
        lo, hi = max(acc.lo, rec.lo), min(acc.hi, rec.hi)
        if rec.owner is None:
            if not _is_padding(acc, lo, hi):
                self.reports.uninitialised(core, pc, acc, lo, hi)
            return
        if acc.shadow.shared or rec.previous is not acc.owner:
            return
        if (rec.owner.lo, rec.owner.hi) != (acc.owner.lo, acc.owner.hi):
            self.reports.overwritten(core, pc, acc, rec, lo, hi)


def _is_padding(acc: Access, lo: int, hi: int) -> bool:
    """Tell whether unwritten bytes of L1 are rows that fill up a fractal: loads take whole fractals."""
    if acc.shadow.name != Memory.L1.value:
        return False
    base = acc.owner.lo
    first_whole = -(-(lo - base) // FRACTAL_BYTES) * FRACTAL_BYTES
    return first_whole + FRACTAL_BYTES > hi - base
