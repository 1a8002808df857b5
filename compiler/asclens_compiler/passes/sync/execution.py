# SPDX-License-Identifier: Apache-2.0
"""Abstract execution of a program with a plan: how flags and barriers move the states."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from asclens_compiler.ascir.program import Block, Branch, Loop, Node, Op, While
from asclens_compiler.hardware.pipes import Pipe
from asclens_compiler.passes.sync.model import DRAIN_TICK, TICKS, FlagPair, Plan
from asclens_compiler.passes.sync.state import Row, State
from asclens_compiler.passes.sync.summary import Summaries

# Called at each set with True at the first set of a carried flag, before its loop.
Observer = Callable[[FlagPair, State, bool], None]
_PIPE_NAMES = {f"PIPE_{pipe.name}": pipe for pipe in Pipe}
_WHOLE_CORE = frozenset({"sync_all_hard", "sync_all_soft"})


class Execution:
    """Run nodes under a plan; `rows[pair]` is what the last set of a flag told.

    `offset` is added to every tick, so that a second trip of a loop differs from the first.
    """

    def __init__(self, plan: Plan, summaries: Summaries, observe: Observer | None = None) -> None:
        self.plan = plan
        self.summaries = summaries
        self.rows: dict[FlagPair, Row] = {}
        self.carried: dict[int, list[FlagPair]] = {}
        self._observe = observe
        self._sets: dict[int, list[FlagPair]] = {}
        self._waits: dict[int, list[FlagPair]] = {}
        for pair in plan.flags:
            self.register(pair)

    def register(self, pair: FlagPair) -> None:
        """Take a new flag pair in."""
        self._sets.setdefault(pair.after, []).append(pair)
        self._waits.setdefault(pair.before, []).append(pair)
        if pair.loop is not None:
            self.carried.setdefault(pair.loop, []).append(pair)

    def before(self, node: Node, state: State, offset: int) -> None:
        """Execute the waits and barriers in front of a node."""
        for pair in self._waits.get(node.index, ()):
            row = self.rows.get(pair)
            if row is not None:
                state.wait(pair.target, row, pair.wait_tick + offset)
        for pipe in sorted(self.plan.barriers.get(node.index, ())):
            state.barrier(pipe)

    def after(self, node: Node, state: State) -> None:
        """Execute the sets behind a node."""
        for pair in self._sets.get(node.index, ()):
            self.rows[pair] = state.snapshot(pair.source)
            if self._observe is not None:
                self._observe(pair, state, False)

    def block(self, block: Block, state: State, offset: int) -> list[State]:
        """Execute a block and return the states after its nodes (before their sets)."""
        trail: list[State] = []
        for node in block.nodes:
            self.before(node, state, offset)
            self.inside(node, state, offset)
            trail.append(state.copy())
            self.after(node, state)
        return trail

    def inside(self, node: Node, state: State, offset: int) -> None:
        """Execute a node without what stands around it."""
        match node:
            case Op():
                self.op(node, state, offset)
            case Loop():
                entry = state.copy()
                self.prime(node, state)
                trail = self.block(node.body, state, offset)
                self.leave_loop(node, entry, state, trail, offset)
            case Branch():
                other = state.copy()
                self.block(node.then, state, offset)
                self.block(node.orelse, other, offset)
                state.meet(other)
            case While():
                entry = state.copy()
                self.block(node.before, state, offset)
                self.block(node.body, state, offset)
                state.meet(entry)

    def op(self, op: Op, state: State, offset: int) -> None:
        """Execute one op."""
        if op.name == "pipe_barrier":
            state.barrier(_PIPE_NAMES.get(str(op.attr("pipe")), Pipe.S))
            return
        if op.name in _WHOLE_CORE:
            state.barrier(Pipe.ALL)
            return
        pipe = self.summaries.accesses.pipe(op)
        if pipe is not None:
            state.issue(pipe, op.index * TICKS + offset)

    def prime(self, loop: Loop, state: State) -> None:
        """Set the flags that the first trip waits for."""
        for pair in self.carried.get(loop.index, ()):
            self.rows[pair] = state.snapshot(pair.source)
            if self._observe is not None:
                self._observe(pair, state, True)

    def leave_loop(self, loop: Loop, entry: State, state: State, trail: Sequence[State], offset: int) -> None:
        """Move the state behind a loop that may not have run at all, and wait for its last flags."""
        trips = self.summaries.accesses.forms.trip_count(loop)
        if not trips:
            state.meet(entry)
        position = {node.index: place for place, node in enumerate(loop.body.nodes)}
        for pair in self.carried.get(loop.index, ()):
            row = trail[position[pair.after]].snapshot(pair.source)
            tick = self.summaries.of(loop).end * TICKS + DRAIN_TICK + offset
            state.wait(pair.target, row if trips else _if_run(row, entry, pair), tick)


def _if_run(row: Row, entry: State, pair: FlagPair) -> Row:
    """Weaken what the last set of a loop told to what the first one, before the loop, told too."""
    first = entry.snapshot(pair.source)
    return [
        value if at_entry >= entry.issued[lane] else min(value, at_entry)
        for lane, (value, at_entry) in enumerate(zip(row, first, strict=True))
    ]
