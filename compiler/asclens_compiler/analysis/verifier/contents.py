# SPDX-License-Identifier: Apache-2.0
"""What the bytes of local memories hold: written or not, and through which hand-placed tensor."""

from __future__ import annotations

from asclens_compiler.analysis.verifier.accesses import Line, Touch
from asclens_compiler.analysis.verifier.findings import Fault, Findings
from asclens_compiler.analysis.verifier.objects import Base, Tensor
from asclens_compiler.ascir.program import Op
from asclens_compiler.hardware.pipes import Memory

_REST = 1 << 40


class Contents:
    """Follow the writes of UB; only reads that are certain are judged."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._written: dict[Line, list[tuple[int, int]]] = {}
        self._bases: set[Base] = set()
        self._vague: set[Base] = set()
        self._owners: dict[Line, list[Touch]] = {}
        self.writes: list[Base] = []

    def instruction(self, touches: list[Touch], *, judge: bool) -> None:
        """Check the reads of one instruction when `judge` says that they are certain, then note its writes."""
        for touch in touches:
            if touch.tensor.memory is Memory.UB and touch.read and not touch.write and judge:
                self._read(touch)
        for touch in touches:
            if touch.write and touch.tensor.memory is Memory.UB:
                self._write(touch)

    def forget_since(self, place: int) -> None:
        """Take what was written since `writes` had `place` entries as written anywhere: trips were left out."""
        self._vague.update(self.writes[place:])

    def unknown_write(self, tensor: Tensor) -> None:
        """Note a write to a place that is not known."""
        self._vague.add(tensor.base)

    def _read(self, touch: Touch) -> None:
        base = touch.tensor.base
        if base in self._vague or touch.tensor.start is None or _is_unknown(touch.tensor):
            return
        self._check_owner(touch)
        if not isinstance(touch.tensor.start, int):
            if base not in self._bases and touch.tensor.placed is None:
                self._report(touch, touch.low, touch.high)
            return
        if touch.solid:
            gap = _gap(self._written.get(touch.line, []), touch.low, touch.high)
            if gap is not None and not self._other_lines(base, touch.line):
                self._report(touch, *gap)

    def _other_lines(self, base: Base, line: Line) -> bool:
        return any(key != line and key[0] == base for key in self._written)

    def _report(self, touch: Touch, low: int, high: int) -> None:
        base = touch.tensor.start if isinstance(touch.tensor.start, int) else 0
        self._findings.add(
            Fault.NEVER_WRITTEN, touch.op, key=touch.operand, first=low - base, last=high - base - 1,
            operand=touch.operand, read=touch.high - touch.low, missing=high - low,
        )  # fmt: skip
        self._written.setdefault(touch.line, []).append((touch.low, touch.high))
        self._bases.add(touch.tensor.base)

    def _write(self, touch: Touch) -> None:
        self.writes.append(touch.tensor.base)
        self._bases.add(touch.tensor.base)
        low, high = touch.low, touch.high
        if touch.combs is None:
            high = low + touch.tensor.size_bytes if touch.tensor.size_bytes is not None else _REST
        runs = self._written.setdefault(touch.line, [])
        if not any(start <= low and high <= end for start, end in runs):
            runs[:] = _joined([*runs, (low, high)])
        if touch.tensor.placed is not None and isinstance(touch.tensor.start, int):
            owners = self._owners.setdefault(touch.line, [])
            owners[:] = [old for old in owners if not (low <= old.low and old.high <= high)]
            owners.append(touch)

    def _check_owner(self, touch: Touch) -> None:
        """Report a read of bytes that a partly overlapping tensor overwrote after this one was written."""
        mine = touch.tensor.placed
        if mine is None or not touch.solid:
            return
        owners = self._owners.get(touch.line, [])
        own = max((place for place, old in enumerate(owners) if old.tensor.placed is mine), default=-1)
        for old in owners[own + 1 :] if own >= 0 else ():
            other = old.tensor.placed
            if other is None or other is mine or not (old.low < touch.high and touch.low < old.high):
                continue
            if old.solid and _partly(old, touch):
                later, earlier = (mine, other) if mine.index > other.index else (other, mine)
                self._overlap(later, earlier, old, touch)

    def _overlap(self, later: Op, earlier: Op, old: Touch, new: Touch) -> None:
        self._findings.add(
            Fault.PLACED_OVERLAP, later, (earlier, "the other tensor"), (old.op, "overwritten here"),
            (new.op, "and read here"), low=max(old.low, new.low), high=min(old.high, new.high) - 1,
            line=earlier.span.line, memory=new.tensor.memory.value,
        )  # fmt: skip


def _partly(old: Touch, new: Touch) -> bool:
    """Tell whether neither access lies inside the other's tensor."""
    inside = (new.low <= old.low and old.high <= new.high) or (old.low <= new.low and new.high <= old.high)
    return not inside


def _is_unknown(tensor: Tensor) -> bool:
    return tensor.base[0] == "any"


def _gap(runs: list[tuple[int, int]], low: int, high: int) -> tuple[int, int] | None:
    """Return the first bytes of a range that no run holds."""
    for start, end in runs:
        if start > low:
            break
        low = max(low, end)
    if low >= high:
        return None
    following = min((start for start, _ in runs if start > low), default=high)
    return low, min(high, following)


def _joined(runs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    runs.sort()
    found: list[tuple[int, int]] = []
    for start, end in runs:
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found
