# SPDX-License-Identifier: Apache-2.0
"""Which waits and barriers some access needs, and which guard nothing."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from asclens_compiler.analysis.verifier.clocks import Used
from asclens_compiler.analysis.verifier.findings import Fault, Findings
from asclens_compiler.ascir.program import Loop, Op, Program, walk
from asclens_compiler.hardware.pipes import HardEvent, Pipe

_EVENTS = {(event.source, event.target): event for event in HardEvent}


@dataclass(slots=True, eq=False)
class Usage:
    """What all walks of a program saw; `blind` tells that some accesses could not be compared."""

    used: Used = field(default_factory=Used)
    pairs: set[tuple[Op, Op]] = field(default_factory=set[tuple[Op, Op]])
    blind: bool = False

    def report(self, program: Program, findings: Findings) -> None:
        """Give advice on flags that guard nothing and on barriers in loops that one flag could replace."""
        for group in _groups(self.pairs):
            if any(op.index in self.used for op in group):
                continue
            first, *rest = sorted(group, key=lambda op: op.index)
            findings.add(
                Fault.USELESS_FLAG, first, *((op, "of the same flag") for op in rest), event=first.attr("event")
            )
        for loop in program.walk():
            if not isinstance(loop, Loop):
                continue
            for op in walk(loop.body):
                if isinstance(op, Op) and op.name == "pipe_barrier" and op.attr("pipe") == "PIPE_ALL":
                    self._barrier(op, findings)

    def explain(self, findings: Findings) -> None:
        """Point from a missing flag at one between the same lines that guards nothing: it has the wrong pipes."""
        idle = [pair for pair in self.pairs if pair[1].index not in self.used and pair[0].index < pair[1].index]
        for place, item in enumerate(findings.items):
            if item.fault is not Fault.MISSING_SYNC or item.carried:
                continue
            first = item.others[0][0]
            for setter, waiter in sorted(idle, key=lambda pair: pair[0].index):
                if first.index < setter.index and waiter.index < item.op.index:
                    note = (setter, "this flag guards nothing here"), (waiter, "and its wait")
                    findings.items[place] = replace(item, others=(*item.others, *note))
                    break

    def _barrier(self, op: Op, findings: Findings) -> None:
        orders = self.used.get(op.index, set())
        if len(orders) != 1:
            return
        earlier, later = next(iter(orders))
        event = _EVENTS.get((earlier, later))
        if event is not None and Pipe.S not in (earlier, later):
            findings.add(Fault.STRONG_BARRIER, op, event=event.name, first=earlier.name, second=later.name)


def _groups(pairs: set[tuple[Op, Op]]) -> list[list[Op]]:
    """Return sets and waits that share flags, joined over all ids."""
    parents: dict[int, int] = {}
    ops: dict[int, Op] = {}
    for setter, waiter in pairs:
        ops[setter.index], ops[waiter.index] = setter, waiter
        parents[_root(parents, waiter.index)] = _root(parents, setter.index)
    groups: dict[int, list[Op]] = {}
    for index, op in ops.items():
        groups.setdefault(_root(parents, index), []).append(op)
    return list(groups.values())


def _root(parents: dict[int, int], index: int) -> int:
    while parents.setdefault(index, index) != index:
        parents[index] = parents[parents[index]]
        index = parents[index]
    return index
