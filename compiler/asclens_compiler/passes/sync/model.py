# SPDX-License-Identifier: Apache-2.0
"""What the synchronisation planner decides: flag pairs, barriers, and what they must guarantee."""

from __future__ import annotations

from dataclasses import dataclass, field

from asclens_compiler.hardware.pipes import HardEvent, Pipe

PIPES = (Pipe.S, Pipe.V, Pipe.M, Pipe.MTE1, Pipe.MTE2, Pipe.MTE3, Pipe.FIX)
LANE = {pipe: lane for lane, pipe in enumerate(PIPES)}
SCALAR_LANE = LANE[Pipe.S]
N_LANES = len(PIPES)
NEVER = -1
ALWAYS = 1 << 60
# The clock counts `TICKS` per node of the program. In front of node j stand, in this order: waits after
# a loop that ends there, sets, waits, barriers, the sets before a loop.
TICKS = 8
DRAIN_TICK, SET_TICK, WAIT_TICK, PRIME_TICK = -6, -5, -3, -1
EVENTS = {(event.source, event.target): event for event in HardEvent}


@dataclass(slots=True, eq=False)
class FlagPair:
    """A set and a wait of one flag.

    `after` and `before` are nodes of one block. With `loop`, the wait belongs to the trip after the
    set: the flag is set once before the loop and waited for once after it. `event_id` is -1 until
    ids are given out.
    """

    source: Pipe
    target: Pipe
    after: int
    before: int
    loop: int | None = None
    event_id: int = -1

    @property
    def wait_tick(self) -> int:
        """Return when the wait stands in front of its node."""
        return self.before * TICKS + WAIT_TICK

    @property
    def event(self) -> HardEvent:
        """Return the direction of the flag."""
        return EVENTS[(self.source, self.target)]


@dataclass(frozen=True, slots=True)
class Need:
    """Demand that op `source_op` on `source` is complete before node `before` starts on `target`.

    With `loop`, the source is an instance of the trip before.
    """

    source: Pipe
    source_op: int
    target: Pipe
    before: int
    loop: int | None = None


@dataclass(slots=True, eq=False)
class Plan:
    """All synchronisation of one kernel; nodes go by their index in the program."""

    flags: list[FlagPair] = field(default_factory=list[FlagPair])
    barriers: dict[int, set[Pipe]] = field(default_factory=dict[int, set[Pipe]])
    needs: list[Need] = field(default_factory=list[Need])

    def add_barrier(self, before: int, pipe: Pipe) -> None:
        """Put a barrier before a node; one of ALL replaces the others there."""
        pipes = self.barriers.setdefault(before, set())
        if Pipe.ALL in pipes:
            return
        if pipe is Pipe.ALL:
            pipes.clear()
        pipes.add(pipe)
