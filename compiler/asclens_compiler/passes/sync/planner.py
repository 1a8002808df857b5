# SPDX-License-Identifier: Apache-2.0
"""Decide flags and barriers: every dependency between accesses gets ordered, none twice.

The program is executed once in the abstract, block by block. For each node of a block the earlier
nodes of that block (and, in loops, those of the trip before) that touch the same bytes must be
complete; what `State` already knows costs nothing, the rest becomes a flag pair whose set and wait
stand in that block, or a barrier on one pipe.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from asclens_compiler.analysis.accesses import Access, Accesses
from asclens_compiler.analysis.tensors import Base
from asclens_compiler.ascir.program import Block, Branch, Loop, Node, Op, While
from asclens_compiler.hardware.pipes import Memory, Pipe
from asclens_compiler.passes.sync.execution import Execution
from asclens_compiler.passes.sync.model import EVENTS, TICKS, FlagPair, Need, Plan
from asclens_compiler.passes.sync.state import State
from asclens_compiler.passes.sync.summary import Summaries


@dataclass(slots=True, eq=False)
class _Seen:
    """An earlier access of a block, at position `position` of its nodes."""

    position: int
    access: Access


@dataclass(slots=True, eq=False)
class _History:
    """What a block's trip has done so far: accesses by memory, and the state after each node."""

    seen: dict[Memory, dict[Base, list[_Seen]]] = field(default_factory=dict[Memory, dict[Base, list[_Seen]]])
    after: list[State] = field(default_factory=list[State])

    def add(self, position: int, accesses: Iterable[Access]) -> None:
        """Remember the accesses of a node, dropping those that a newer one stands for."""
        for access in accesses:
            rows = self.seen.setdefault(access.base.memory, {}).setdefault(access.base, [])
            rows[:] = [row for row in rows if not _stands_for(access, row.access)]
            rows.append(_Seen(position, access))

    def meeting(self, base: Base) -> Iterator[_Seen]:
        """Yield the accesses to buffers that may have bytes in common with one."""
        for other, rows in self.seen.get(base.memory, {}).items():
            if other.may_meet(base):
                yield from rows


def _stands_for(new: Access, old: Access) -> bool:
    """Tell whether waiting for `new` always waits for `old` too: same pipe, same bytes, no weaker."""
    return (
        new.pipe is old.pipe
        and new.write == old.write
        and new.size_bytes == old.size_bytes
        and new.offset == old.offset
    )


def _apart(one: Access, two: Access) -> bool:
    """Tell quickly that two accesses of one buffer at constant offsets have no byte in common."""
    first, second = one.offset, two.offset
    if first is None or second is None or first.terms or second.terms or one.base != two.base:
        return False
    gap = second.constant - first.constant
    size = one.size_bytes if gap >= 0 else two.size_bytes
    return size is not None and abs(gap) >= size


class Planner:
    """Make the plan of one program."""

    def __init__(self, accesses: Accesses) -> None:
        self.accesses = accesses
        self.summaries = Summaries(accesses)
        self.plan = Plan()
        self._execution = Execution(self.plan, self.summaries)

    def run(self) -> Plan:
        """Return the plan."""
        self._block(self.accesses.program.body, State())
        return self.plan

    def _block(self, block: Block, state: State) -> _History:
        history = _History()
        for position, node in enumerate(block.nodes):
            self._order(node, history, state, block, loop=None)
            self._inside(node, state)
            history.add(position, self.summaries.of(node).accesses)
            history.after.append(state.copy())
        return history

    def _inside(self, node: Node, state: State) -> None:
        """Plan the blocks inside a node and move the state past it."""
        match node:
            case Op():
                self._execution.op(node, state, 0)
            case Loop():
                entry = state.copy()
                history = self._block(node.body, state)
                self._carried(node, history, state.copy())
                self._execution.leave_loop(node, entry, state, history.after, 0)
            case Branch():
                other = state.copy()
                self._block(node.then, state)
                self._block(node.orelse, other)
                state.meet(other)
            case While():
                self._while(node, state)

    def _while(self, node: While, state: State) -> None:
        """Order the two blocks of a `while` by barriers: flags would be set once more than waited for."""
        for block in (node.before, node.body):
            if block.nodes and self.summaries.of(node).accesses:
                self.plan.add_barrier(block.nodes[0].index, Pipe.ALL)
            self._block(block, state)
        if self.summaries.of(node).accesses:
            state.barrier(Pipe.ALL)

    def _carried(self, loop: Loop, history: _History, state: State) -> None:
        """Run a second trip and order it after the first."""
        if self.accesses.forms.trip_count(loop) in (0, 1):
            return
        width = (self.summaries.of(loop).end - loop.index) * TICKS
        for position, node in enumerate(loop.body.nodes):
            self._execution.before(node, state, width)
            self._order(node, history, state, loop.body, loop=loop, first=position)
            self._execution.inside(node, state, width)
            self._execution.after(node, state)

    def _order(
        self, node: Node, history: _History, state: State, block: Block, *, loop: Loop | None, first: int = 0
    ) -> None:
        """Order a node after the accesses of the history that it depends on."""
        wanted: dict[tuple[Pipe, Pipe], _Seen] = {}
        for access in self.summaries.of(node).accesses:
            for row in history.meeting(access.base):
                if row.position >= first and self._depends(row.access, access, loop):
                    key = (row.access.pipe, access.pipe)
                    latest = wanted.get(key)
                    if latest is None or row.access.op.index > latest.access.op.index:
                        wanted[key] = row
        for (source, target), row in sorted(wanted.items(), key=lambda item: -item[1].access.op.index):
            source_op = row.access.op.index
            need = Need(source, source_op, target, node.index, loop.index if loop is not None else None)
            self.plan.needs.append(need)
            if not state.covers(target, source, source_op * TICKS):
                self._add(need, block.nodes[row.position], history.after[row.position], state)

    def _depends(self, earlier: Access, later: Access, loop: Loop | None) -> bool:
        if not (earlier.write or later.write):
            return False
        if earlier.pipe is later.pipe and (earlier.pipe is Pipe.S or not earlier.write):
            return False
        return not _apart(earlier, later) and self.accesses.may_overlap(earlier, later, across=loop)

    def _add(self, need: Need, after: Node, then: State, state: State) -> None:
        if need.source is need.target:
            self.plan.add_barrier(need.before, need.source)
            state.barrier(need.source)
        elif (need.source, need.target) not in EVENTS:
            self.plan.add_barrier(need.before, Pipe.ALL)
            state.barrier(Pipe.ALL)
        else:
            pair = FlagPair(need.source, need.target, after.index, need.before, need.loop)
            self.plan.flags.append(pair)
            self._execution.register(pair)
            row = then.snapshot(need.source)
            if need.loop is None:
                self._execution.rows[pair] = row
            state.wait(need.target, row, pair.wait_tick)
