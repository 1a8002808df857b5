# SPDX-License-Identifier: Apache-2.0
"""Accesses of different pipes (or of one) to the same bytes that nothing orders."""

from __future__ import annotations

from asclens_compiler.analysis.verifier.accesses import Line, Touch
from asclens_compiler.analysis.verifier.clocks import LANE, Clocks
from asclens_compiler.analysis.verifier.findings import Fault, Findings
from asclens_compiler.analysis.verifier.operands import WalkValues
from asclens_compiler.hardware.autosync import Cover, cover
from asclens_compiler.hardware.pipes import HardEvent, Memory, Pipe

MAX_HISTORY = 48
# Accumulation into L0C needs no barrier from this many 16 x 16 tiles on (CANN Mmad page).
_MMAD_TILES = 10
_EVENTS = {(event.source, event.target): event for event in HardEvent}


class Hazards:
    """Remember recent accesses per line of memory and compare each new one with them."""

    def __init__(self, clocks: Clocks, findings: Findings, *, auto_sync: bool, atomics: bool) -> None:
        self._clocks = clocks
        self._findings = findings
        self._auto_sync = auto_sync
        self._atomics = atomics
        self._lines: dict[Line, list[Touch]] = {}

    def instruction(self, touches: list[Touch], values: WalkValues) -> None:
        """Check all accesses of one instruction, then remember them."""
        gaps: dict[Pipe, tuple[Touch, Touch]] = {}
        for touch in touches:
            for old in self._lines.get(touch.line, ()):
                if self._conflict(old, touch, values):
                    known = gaps.get(old.pipe)
                    if known is None or old.number > known[0].number:
                        gaps[old.pipe] = (old, touch)
        for old, touch in _needed(gaps, self._clocks):
            self._report(old, touch)
        for touch in touches:
            self._remember(touch)

    def is_blind(self) -> bool:
        """Tell whether some accesses could not be compared: one buffer at offsets of different unknowns."""
        bases = [base for base, _ in self._lines]
        return len(bases) != len(set(bases))

    def _conflict(self, old: Touch, new: Touch, values: WalkValues) -> bool:
        if not (old.write or new.write) or (old.pipe is new.pipe and not old.write):
            return False
        if self._clocks.ordered(old.pipe, old.number, new.pipe):
            if self._clocks.unused(old.pipe, old.number, new.pipe) and old.meets(new):
                self._clocks.use(old.pipe, old.number, new.pipe)
            return False
        if not old.meets(new):
            return False
        if self._atomics and old.write and new.write and old.tensor.memory is Memory.GM:
            return False
        return not (old.pipe is new.pipe is Pipe.M and not _small_mmad(values))

    def _report(self, old: Touch, new: Touch) -> None:
        how = cover(old.pipe, new.pipe, auto_sync=self._auto_sync)
        self._clocks.join(new.pipe, self._clocks.told_by(old.pipe, old.number))
        if how is Cover.ORDERED:
            return
        kind = ("Write" if new.write and not new.read else "Read") if not old.write or not new.write else "Write"
        if old.write and new.read:
            kind = "Read"
        before = "write" if old.write else "read"
        event = _EVENTS.get((old.pipe, new.pipe))
        needed = f"PIPE_{new.pipe.name}" if old.pipe is new.pipe else event.name if event is not None else "PIPE_ALL"
        self._findings.add(
            Fault.MISSING_SYNC if how is Cover.NONE else Fault.AUTO_SYNC_ONLY,
            new.op,
            (old.op, f"the {before} on pipe {old.pipe.name}"),
            key=needed,
            carried=old.op.index >= new.op.index,
            kind=kind,
            before=before,
            first=old.pipe.name,
            second=new.pipe.name,
            line=old.op.span.line,
            memory=new.tensor.memory.value,
            low=max(old.low, new.low),
            needed=needed,
            flag="" if old.pipe is new.pipe or event is None else event.name,
            put="Put the barrier" if needed.startswith("PIPE_") else "Put the pair set_flag and wait_flag",
            place="between the two lines" if old.op.index < new.op.index else "behind the earlier one, in the loop",
        )

    def _remember(self, touch: Touch) -> None:
        history = self._lines.setdefault(touch.line, [])
        if touch.solid:
            history[:] = [old for old in history if not _stands_for(touch, old)]
        history.append(touch)
        if len(history) > MAX_HISTORY:
            del history[0]


def _stands_for(new: Touch, old: Touch) -> bool:
    """Tell whether whoever must wait for `old` must wait for `new` too."""
    inside = new.low <= old.low and old.high <= new.high
    return inside and new.write >= old.write and (new.pipe is old.pipe or new.write) and new.op is not old.op


def _small_mmad(values: WalkValues) -> bool:
    rows, columns = values.member("mmadParams", "m"), values.member("mmadParams", "n")
    if rows is None or columns is None:
        return False
    return -(-rows // 16) * -(-columns // 16) < _MMAD_TILES


def _needed(gaps: dict[Pipe, tuple[Touch, Touch]], clocks: Clocks) -> list[tuple[Touch, Touch]]:
    """Return the gaps that the flag for another gap does not close as well."""
    kept = dict(gaps)
    for pipe, (old, _) in gaps.items():
        told = [clocks.told_by(other, first.number) for other, (first, _) in kept.items() if other is not pipe]
        if any(row.values[LANE[pipe]] >= old.number for row in told):
            del kept[pipe]
    return list(kept.values())
