# SPDX-License-Identifier: Apache-2.0
"""Flags as tokens: each set is taken by one wait."""

from __future__ import annotations

from dataclasses import dataclass, field

from asclens_compiler.analysis.verifier.clocks import Clocks
from asclens_compiler.analysis.verifier.findings import Fault, Findings
from asclens_compiler.analysis.verifier.objects import Clock
from asclens_compiler.ascir.program import CoreKind, Op
from asclens_compiler.hardware.chips import AIC_PIPES, AIV_PIPES, EVENT_IDS
from asclens_compiler.hardware.pipes import HardEvent, Pipe

RESERVED_IDS = frozenset({6, 7})
Key = tuple[HardEvent, object]


@dataclass(slots=True, eq=False)
class _Flag:
    told: Clock | None = None
    set_by: Op | None = None
    early_waits: list[tuple[Op, int]] = field(default_factory=list[tuple[Op, int]])


class Flags:
    """Follow the flags of one walk; ids that are no numbers match when they are equal expressions."""

    def __init__(self, clocks: Clocks, findings: Findings, core: CoreKind, pairs: set[tuple[Op, Op]]) -> None:
        self._pairs = pairs
        self._clocks = clocks
        self._findings = findings
        self._core = core
        self._flags: dict[Key, _Flag] = {}
        self._vague: set[HardEvent] = set()

    def set(self, op: Op, event: HardEvent, ident: object) -> None:
        """Execute a `set_flag`."""
        if not self._usable(op, event, ident):
            return
        flag = self._flags.setdefault((event, ident), _Flag())
        if flag.early_waits:
            early, number = flag.early_waits.pop(0)
            if self._clocks.ordered(event.target, number, event.source):
                self._hang(early, event, ident, (op, "this set itself waits for it"))
                return
            self._findings.add(
                Fault.WAIT_BEFORE_SET, early, (op, "the set comes only here"), event=event.name, id=_shown(ident),
                pipe=event.target.name, line=op.span.line,
            )  # fmt: skip
            return
        if flag.told is not None and flag.set_by is not None:
            self._findings.add(
                Fault.SET_TWICE, op, (flag.set_by, "the set before"), event=event.name, id=_shown(ident),
                line=flag.set_by.span.line, carried=flag.set_by.index >= op.index,
            )  # fmt: skip
        flag.told, flag.set_by = self._clocks.told_by(event.source), op

    def wait(self, op: Op, event: HardEvent, ident: object) -> None:
        """Execute a `wait_flag`."""
        if not self._usable(op, event, ident):
            return
        flag = self._flags.setdefault((event, ident), _Flag())
        if flag.told is None:
            self._clocks.barrier(Pipe.ALL)
            if event.target is Pipe.S:
                self._hang(op, event, ident)
            else:
                flag.early_waits.append((op, self._clocks.issue(event.target)))
            return
        self._clocks.join(event.target, flag.told, op)
        if flag.set_by is not None:
            self._pairs.add((flag.set_by, op))
        flag.told = flag.set_by = None

    def end(self, *, exact: bool) -> None:
        """Check what is left when the kernel ends; `exact` when no trip of a loop was left out."""
        for (event, ident), flag in self._flags.items():
            if event in self._vague or not exact:
                continue
            for op, _ in flag.early_waits:
                self._hang(op, event, ident)
            if flag.set_by is not None:
                self._findings.add(
                    Fault.SET_NOT_AWAITED, flag.set_by, event=event.name, id=_shown(ident), pipe=event.target.name
                )

    def _hang(self, op: Op, event: HardEvent, ident: object, *others: tuple[Op, str]) -> None:
        if event not in self._vague:
            self._findings.add(
                Fault.WAIT_WITHOUT_SET, op, *others, event=event.name, id=_shown(ident), pipe=event.target.name,
                source=event.source.name,
            )  # fmt: skip

    def _usable(self, op: Op, event: HardEvent, ident: object) -> bool:
        """Report what is wrong with the event itself; tell whether the flag can be followed."""
        pipes = {CoreKind.AIV: AIV_PIPES, CoreKind.AIC: AIC_PIPES}.get(self._core)
        wrong = [pipe.name for pipe in (event.source, event.target) if pipes is not None and pipe not in pipes]
        if wrong:
            self._findings.add(
                Fault.EVENT_PIPES, op, event=event.name, pipe=wrong[0], core=self._core.value,
                has=", ".join(sorted(pipe.name for pipe in pipes or ())),
            )  # fmt: skip
        if isinstance(ident, int):
            if not 0 <= ident < EVENT_IDS:
                self._findings.add(Fault.EVENT_ID, op, id=ident, high=EVENT_IDS - 1)
                self._vague.add(event)
            elif ident in RESERVED_IDS:
                self._findings.add(Fault.RESERVED_ID, op, id=ident)
        if ident is None:
            self._vague.add(event)
        if event in self._vague:
            self._clocks.barrier(Pipe.ALL)
            return False
        return True


def _shown(ident: object) -> str:
    return str(ident) if isinstance(ident, int) else "of this expression"
