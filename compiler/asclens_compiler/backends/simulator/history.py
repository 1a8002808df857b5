# SPDX-License-Identifier: Apache-2.0
"""Checkpoints of a machine: going back restores one and executes again."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from asclens_compiler.backends.simulator.core import Saved
from asclens_compiler.backends.simulator.machine import Machine, Stop
from asclens_compiler.backends.simulator.memory import PAGE_BYTES, Bank, Pages
from asclens_compiler.hardware.pipes import Memory

EVERY = 1 << 12
CAP_BYTES = 512 << 20
_SHARED = ("arrivals", "tokens", "block_flags", "chain_started")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state of a machine after `op` events; `pages` by (core, memory), core -1 for global memory."""

    op: int
    cores: tuple[Saved, ...]
    turn: tuple[int, int]
    shared: tuple[Any, ...]
    pages: dict[tuple[int, Memory], Pages]


@dataclass(slots=True)
class History:
    """Checkpoints every so many events, thinned out under a memory cap, and edits by the user."""

    machine: Machine
    every: int = EVERY
    cap_bytes: int = CAP_BYTES
    checkpoints: list[Checkpoint] = field(default_factory=list[Checkpoint])
    edits: list[tuple[int, Callable[[], None]]] = field(default_factory=list[tuple[int, Callable[[], None]]])

    def banks(self) -> list[tuple[tuple[int, Memory], Bank]]:
        """Return all memories that exist."""
        found = [((-1, Memory.GM), self.machine.gm)]
        for core in self.machine.cores:
            found += [((core.id, memory), bank) for memory, bank in core.banks.items() if memory is not Memory.GM]
        return found

    def run(self, count: int | None, stops: frozenset[int], only: frozenset[int] | None) -> Stop:
        """Run like `Machine.run`, taking checkpoints on the way and repeating edits."""
        machine = self.machine
        end = machine.op + count if count is not None else 1 << 62
        while machine.op < end:
            self._checkpoint_if_due()
            due = self.checkpoints[-1].op + self.every
            if machine.op < self.checkpoints[-1].op:
                due = end
            limit = min([end, due, *(op for op, _ in self.edits if op > machine.op)])
            stop = machine.run(limit - machine.op, stops, only)
            self._repeat_edits()
            if stop is not Stop.COUNT:
                return stop
        return Stop.COUNT

    def _checkpoint_if_due(self) -> None:
        last = self.checkpoints[-1].op if self.checkpoints else -self.every
        if self.machine.op >= last + self.every:
            self.checkpoint()

    def checkpoint(self) -> None:
        """Save the state of now."""
        machine = self.machine
        pages = {key: bank.snapshot() for key, bank in self.banks()}
        shared = tuple(deepcopy(getattr(machine, name)) for name in _SHARED)
        cores = tuple(core.save() for core in machine.cores)
        self.checkpoints.append(Checkpoint(machine.op, cores, (machine.current, machine.left), shared, pages))
        self._thin()

    def _thin(self) -> None:
        """Drop every second old checkpoint while the pages kept exceed the cap."""
        while len(self.checkpoints) > 4 and self._kept_bytes() > self.cap_bytes:
            half = len(self.checkpoints) // 2
            self.checkpoints[1:half] = self.checkpoints[1:half:2][1:] if half <= 3 else self.checkpoints[2:half:2]

    def _kept_bytes(self) -> int:
        if len(self.checkpoints) % 16:
            return 0
        kept = {id(page) for item in self.checkpoints for pages in item.pages.values() for page in pages}
        return len(kept) * PAGE_BYTES

    def before(self, op: int) -> Checkpoint:
        """Return the last checkpoint at or before an event."""
        return self.checkpoints[bisect_right(self.checkpoints, op, key=lambda item: item.op) - 1]

    def restore(self, saved: Checkpoint) -> None:
        """Put the machine into a saved state."""
        machine = self.machine
        for key, bank in self.banks():
            pages = saved.pages.get(key)
            if pages is None:
                bank.clear()
            else:
                bank.restore(pages)
        for core, state in zip(machine.cores, saved.cores, strict=True):
            core.load(state)
        for name, value in zip(_SHARED, saved.shared, strict=True):
            setattr(machine, name, deepcopy(value))
        machine.op, (machine.current, machine.left) = saved.op, saved.turn
        self._repeat_edits()

    def goto(self, op: int) -> None:
        """Go to the state after `op` events."""
        self.restore(self.before(op))
        if op > self.machine.op:
            self.run(op - self.machine.op, frozenset(), None)

    def edit(self, change: Callable[[], None]) -> None:
        """Apply a change of the user's; it is repeated whenever this point is executed again.

        A change in the past makes another future: later checkpoints go, and what follows is no
        longer checked for races, because the clocks of the old future are gone.
        """
        machine = self.machine
        if machine.op < machine.frontier:
            machine.frontier = machine.op
            machine.drop_hazards()
        self.checkpoints = [item for item in self.checkpoints if item.op < machine.op] or self.checkpoints[:1]
        self.edits = [item for item in self.edits if item[0] <= machine.op]
        self.edits.append((machine.op, change))
        change()

    def _repeat_edits(self) -> None:
        for op, change in self.edits:
            if op == self.machine.op:
                change()
