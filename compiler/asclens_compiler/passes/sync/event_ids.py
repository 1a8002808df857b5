# SPDX-License-Identifier: Apache-2.0
"""Give event ids to flag pairs: a flag is never set again before its last wait is known to be over.

Ids 0..5 are free for kernels; 6 is reserved and 7 belongs to the toolchain (CANN static tensor
programming guide). In a loop the waiter may have to answer before the next trip sets the flag again. A pair
that no id fits is replaced by a barrier over all pipes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from asclens_compiler.ascir.program import Block, Branch, Loop, Node, walk
from asclens_compiler.hardware.pipes import Pipe
from asclens_compiler.passes.sync.execution import Execution
from asclens_compiler.passes.sync.model import DRAIN_TICK, EVENTS, LANE, PRIME_TICK, SET_TICK, TICKS, FlagPair, Plan
from asclens_compiler.passes.sync.state import State
from asclens_compiler.passes.sync.summary import Summaries
from asclens_compiler.passes.sync.verification import unmet_needs

EVENT_IDS = (0, 1, 2, 3, 4, 5)
TakenIds = dict[tuple[Pipe, Pipe], set[int]]


def assign_event_ids(plan: Plan, summaries: Summaries, taken: TakenIds) -> None:
    """Set `event_id` of all flags of the plan; `taken` are ids that the kernel uses itself."""
    answered: set[tuple[FlagPair, int]] = set()
    while True:
        refused = _Allocation(plan, summaries).run(taken)
        if refused is None:
            return
        pair, loop = refused.pair, refused.loop
        if loop is not None and (pair, loop) not in answered and (pair.target, pair.source) in EVENTS:
            answered.add((pair, loop))
            plan.flags.append(_answer(pair, loop, summaries))
            continue
        plan.flags.remove(pair)
        plan.add_barrier(pair.before, Pipe.ALL)
        for need in unmet_needs(plan, summaries):
            plan.add_barrier(need.before, need.source if need.source is need.target else Pipe.ALL)


def _answer(pair: FlagPair, loop: int, summaries: Summaries) -> FlagPair:
    """Return the flag by which the waiter of a pair tells, in each trip, that the next trip may set it again."""
    ends = (pair.before, pair.after) if pair.loop is None else (pair.loop, pair.loop)
    after, before = (_child_of(loop, end, summaries) for end in ends)
    return FlagPair(pair.target, pair.source, after, before, loop)


def _child_of(loop: int, index: int, summaries: Summaries) -> int:
    """Return the node of a loop's body that a node is or lies in."""
    nodes = {node.index: node for node in walk(summaries.accesses.program.body)}
    around = [node.index for node in summaries.accesses.definitions.ancestors(nodes[index])] + [index]
    return around[around.index(loop) + 1]


@dataclass(frozen=True, slots=True)
class _Refused:
    """A pair that no id fits; `loop` is given when only the next trip of that loop is in the way."""

    pair: FlagPair
    loop: int | None


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


@dataclass(slots=True, eq=False)
class _Group:
    """The pairs of one direction that share an id, in order of their sets.

    What is known to be over only grows, so the last wait stands for all of them, and in the next
    trip of a loop the first set.
    """

    last_wait: int = -1
    first_in_loop: dict[int, FlagPair] = field(default_factory=dict[int, FlagPair])


class _Allocation:
    """One attempt: greedy, in order of the sets."""

    def __init__(self, plan: Plan, summaries: Summaries) -> None:
        self._plan = plan
        self._summaries = summaries
        self._knowledge = _Knowledge(plan, summaries)
        self._definitions = summaries.accesses.definitions
        self._nodes: dict[int, Node] = {node.index: node for node in walk(summaries.accesses.program.body)}

    def run(self, taken: TakenIds) -> _Refused | None:
        """Give out ids; return the first pair that none fits, or None when all have one."""
        groups: dict[tuple[Pipe, Pipe, int], _Group] = {}
        for pair in sorted(self._plan.flags, key=lambda item: (self._begin(item), self._end(item))):
            blocked = taken.get((pair.source, pair.target), set())
            loops = self._loops_around(pair)
            pair.event_id = -1
            for candidate in EVENT_IDS:
                group = groups.setdefault((pair.source, pair.target, candidate), _Group())
                if candidate not in blocked and self._fits(pair, loops, group):
                    pair.event_id = candidate
                    group.last_wait = self._end(pair)
                    for loop in loops:
                        group.first_in_loop.setdefault(loop, pair)
                    break
            if pair.event_id < 0:
                unanswered = [loop for loop in loops if not self._over_in_next_trip(pair, loop, _Group())]
                return _Refused(pair, unanswered[0] if unanswered else None)
        return None

    def _begin(self, pair: FlagPair) -> int:
        if pair.loop is not None:
            return pair.loop * TICKS + PRIME_TICK
        return self._summaries.of(self._nodes[pair.after]).end * TICKS + SET_TICK

    def _end(self, pair: FlagPair) -> int:
        if pair.loop is not None:
            return self._summaries.of(self._nodes[pair.loop]).end * TICKS + DRAIN_TICK
        return pair.wait_tick

    def _fits(self, pair: FlagPair, loops: Sequence[int], group: _Group) -> bool:
        """Tell whether a pair may take the id of a group: each set comes after the wait before it is over."""
        if group.last_wait >= self._begin(pair):
            return False
        if pair.target is Pipe.S:
            return True  # a wait of the scalar unit holds back every later instruction
        known = self._knowledge
        if pair.loop is not None and known.at_set_in_loop.get(pair, -1) < pair.wait_tick:
            return False
        if known.at_first.get(pair, -1) < group.last_wait:
            return False
        return all(self._over_in_next_trip(pair, loop, group) for loop in loops)

    def _over_in_next_trip(self, pair: FlagPair, loop: int, group: _Group) -> bool:
        """Tell whether the next trip of a loop sets the id only after the pair's wait."""
        first = group.first_in_loop.get(loop, pair)
        known = self._knowledge.at_first_of_next_trip.get((loop, first), -1)
        return pair.target is Pipe.S or known >= self._end(pair)

    def _loops_around(self, pair: FlagPair) -> list[int]:
        """Return the loops around a pair that may have a next trip."""
        place = self._nodes[pair.loop if pair.loop is not None else pair.before]
        trips = self._summaries.accesses.forms.trip_count
        return [
            node.index
            for node in self._definitions.ancestors(place)
            if isinstance(node, Loop) and trips(node) not in (0, 1)
        ]
