# SPDX-License-Identifier: Apache-2.0
"""Prove that a plan meets its needs, and drop what it can do without."""

from __future__ import annotations

from asclens_compiler.ascir.program import Block, Branch, Loop, Node, While
from asclens_compiler.hardware.pipes import Pipe
from asclens_compiler.passes.sync.execution import Execution
from asclens_compiler.passes.sync.model import TICKS, Need, Plan
from asclens_compiler.passes.sync.state import State
from asclens_compiler.passes.sync.summary import Summaries

# Dropping costs one execution per flag and barrier; beyond this product the plan stays as it is.
MAX_EFFORT = 200_000


def unmet_needs(plan: Plan, summaries: Summaries) -> list[Need]:
    """Return the needs that a plan leaves open."""
    return _Verifier(plan, summaries).run()


class _Verifier:
    def __init__(self, plan: Plan, summaries: Summaries) -> None:
        self._execution = Execution(plan, summaries)
        self._summaries = summaries
        self._needs: dict[tuple[int, int | None], list[Need]] = {}
        for need in plan.needs:
            self._needs.setdefault((need.before, need.loop), []).append(need)
        self._open: list[Need] = []

    def run(self) -> list[Need]:
        """Execute the program and collect what is not guaranteed."""
        self._block(self._summaries.accesses.program.body, State())
        return self._open

    def _check(self, node: Node, loop: int | None, state: State) -> None:
        for need in self._needs.get((node.index, loop), ()):
            if not state.covers(need.target, need.source, need.source_op * TICKS):
                self._open.append(need)

    def _block(self, block: Block, state: State) -> list[State]:
        trail: list[State] = []
        for node in block.nodes:
            self._execution.before(node, state, 0)
            self._check(node, None, state)
            self._inside(node, state)
            trail.append(state.copy())
            self._execution.after(node, state)
        return trail

    def _inside(self, node: Node, state: State) -> None:
        match node:
            case Loop():
                entry = state.copy()
                self._execution.prime(node, state)
                trail = self._block(node.body, state)
                self._second_trip(node, state.copy())
                self._execution.leave_loop(node, entry, state, trail, 0)
            case Branch():
                other = state.copy()
                self._block(node.then, state)
                self._block(node.orelse, other)
                state.meet(other)
            case While():
                entry = state.copy()
                self._block(node.before, state)
                self._block(node.body, state)
                state.meet(entry)
            case _:
                self._execution.inside(node, state, 0)

    def _second_trip(self, loop: Loop, state: State) -> None:
        width = (self._summaries.of(loop).end - loop.index) * TICKS
        for node in loop.body.nodes:
            self._execution.before(node, state, width)
            self._check(node, loop.index, state)
            self._execution.inside(node, state, width)
            self._execution.after(node, state)


def drop_redundant(plan: Plan, summaries: Summaries) -> None:
    """Remove flags and barriers without which all needs are still met, later ones first."""
    nodes = summaries.accesses.program.body.nodes
    size = summaries.of(nodes[-1]).end if nodes else 1
    count = len(plan.flags) + sum(len(pipes) for pipes in plan.barriers.values())
    if count * size > MAX_EFFORT:
        return
    for pair in list(reversed(plan.flags)):
        position = plan.flags.index(pair)
        del plan.flags[position]
        if unmet_needs(plan, summaries):
            plan.flags.insert(position, pair)
    for before in sorted(plan.barriers, reverse=True):
        for pipe in sorted(plan.barriers[before] - {Pipe.ALL}):
            plan.barriers[before].discard(pipe)
            if unmet_needs(plan, summaries):
                plan.barriers[before].add(pipe)
