# SPDX-License-Identifier: Apache-2.0
"""Give event ids to flag pairs: a flag is never set again before its last wait is known to be over.

Ids 0..5 are free for kernels; 6 is reserved and 7 belongs to the toolchain (CANN static tensor
programming guide). A pair that no id fits is replaced by a barrier over all pipes.
"""

from __future__ import annotations

from asclens_compiler.ascir.program import Block, Branch, Loop, Node, walk
from asclens_compiler.hardware.pipes import Pipe
from asclens_compiler.passes.sync.execution import Execution
from asclens_compiler.passes.sync.model import DRAIN_TICK, LANE, PRIME_TICK, SET_TICK, TICKS, FlagPair, Plan
from asclens_compiler.passes.sync.state import State
from asclens_compiler.passes.sync.summary import Summaries

EVENT_IDS = (0, 1, 2, 3, 4, 5)
TakenIds = dict[tuple[Pipe, Pipe], set[int]]


def assign_event_ids(plan: Plan, summaries: Summaries, taken: TakenIds) -> None:
    """Set `event_id` of all flags of the plan; `taken` are ids that the kernel uses itself."""
    while True:
        failed = _Allocation(plan, summaries).run(taken)
        if failed is None:
            return
        plan.flags.remove(failed)
        plan.add_barrier(failed.before, Pipe.ALL)


class _Knowledge:
    """What the setting pipe knows of the waiting pipe at the sets of each flag."""

    def __init__(self, plan: Plan, summaries: Summaries) -> None:
        self.at_first: dict[FlagPair, int] = {}
        self.at_first_of_next_trip: dict[tuple[int, FlagPair], int] = {}
        self.at_set_in_loop: dict[FlagPair, int] = {}
        self._summaries = summaries
        self._second_trip_of: int | None = None
        self._execution = Execution(plan, summaries, self._observe)
        self._block(summaries.accesses.program.body, State())

    def _observe(self, pair: FlagPair, state: State, before_loop: bool) -> None:
        known = state.known[LANE[pair.source]][LANE[pair.target]]
        if pair.loop is not None and not before_loop:
            if self._second_trip_of is None:
                self.at_set_in_loop[pair] = known
        elif self._second_trip_of is None:
            self.at_first[pair] = known
        else:
            self.at_first_of_next_trip[self._second_trip_of, pair] = known

    def _block(self, block: Block, state: State) -> list[State]:
        trail: list[State] = []
        for node in block.nodes:
            self._execution.before(node, state, 0)
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
            case _:
                self._execution.inside(node, state, 0)

    def _second_trip(self, loop: Loop, state: State) -> None:
        self._second_trip_of = loop.index
        self._execution.block(loop.body, state, (self._summaries.of(loop).end - loop.index) * TICKS)
        self._second_trip_of = None


class _Allocation:
    """One attempt: greedy, in order of the sets."""

    def __init__(self, plan: Plan, summaries: Summaries) -> None:
        self._plan = plan
        self._summaries = summaries
        self._knowledge = _Knowledge(plan, summaries)
        self._definitions = summaries.accesses.definitions
        self._nodes: dict[int, Node] = {node.index: node for node in walk(summaries.accesses.program.body)}

    def run(self, taken: TakenIds) -> FlagPair | None:
        """Give out ids; return the first pair that none fits, or None when all have one."""
        groups: dict[tuple[Pipe, Pipe, int], list[FlagPair]] = {}
        for pair in sorted(self._plan.flags, key=lambda item: (self._begin(item), self._end(item))):
            blocked = taken.get((pair.source, pair.target), set())
            pair.event_id = -1
            for candidate in EVENT_IDS:
                group = groups.setdefault((pair.source, pair.target, candidate), [])
                if candidate not in blocked and self._fits(pair, group):
                    pair.event_id = candidate
                    group.append(pair)
                    break
            if pair.event_id < 0:
                return pair
        return None

    def _begin(self, pair: FlagPair) -> int:
        if pair.loop is not None:
            return pair.loop * TICKS + PRIME_TICK
        return self._summaries.of(self._nodes[pair.after]).end * TICKS + SET_TICK

    def _end(self, pair: FlagPair) -> int:
        if pair.loop is not None:
            return self._summaries.of(self._nodes[pair.loop]).end * TICKS + DRAIN_TICK
        return pair.wait_tick

    def _fits(self, pair: FlagPair, group: list[FlagPair]) -> bool:
        if (
            pair.loop is not None
            and pair.target is not Pipe.S
            and self._knowledge.at_set_in_loop.get(pair, -1) < pair.wait_tick
        ):
            return False
        return self._free_in_next_trip(pair, pair) and all(self._compatible(other, pair) for other in group)

    def _compatible(self, first: FlagPair, second: FlagPair) -> bool:
        """Tell whether two pairs may share an id; `first` begins first."""
        if self._end(first) >= self._begin(second):
            return False
        over = second.target is Pipe.S or self._knowledge.at_first.get(second, -1) >= self._end(first)
        return over and self._free_in_next_trip(second, first)

    def _free_in_next_trip(self, earlier: FlagPair, later: FlagPair) -> bool:
        """Tell whether, in all loops around both, `earlier` is over when the next trip sets `later`."""
        if later.target is Pipe.S:
            return True
        known = self._knowledge.at_first_of_next_trip
        return all(known.get((loop, later), -1) >= self._end(earlier) for loop in self._loops_around(earlier, later))

    def _loops_around(self, first: FlagPair, second: FlagPair) -> list[int]:
        around = [self._definitions.ancestors(self._place(pair)) for pair in (first, second)]
        second_nodes = {node.index for node in around[1]}
        return [node.index for node in around[0] if isinstance(node, Loop) and node.index in second_nodes]

    def _place(self, pair: FlagPair) -> Node:
        return self._nodes[pair.loop if pair.loop is not None else pair.before]
