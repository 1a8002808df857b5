# SPDX-License-Identifier: Apache-2.0
"""One logical core: plain data that can be copied, plus its memories and caches."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol

from asclens_compiler.backends.simulator.lanes import N_LANES
from asclens_compiler.backends.simulator.memory import Bank
from asclens_compiler.backends.simulator.semantics.api import VectorState
from asclens_compiler.backends.simulator.values import Owner, Tensor
from asclens_compiler.hardware.pipes import Memory

if TYPE_CHECKING:
    from asclens_compiler.backends.simulator.bundle import Bundle
    from asclens_compiler.backends.simulator.machine import Machine
    from asclens_compiler.backends.simulator.shadow import Access

LOCAL_GUARD_BYTES = 65536
SITE_CACHE = 512

Deferred = tuple[int, list[Any], int, tuple[Any, ...]]  # pc, registers, scalar time, masks and modes at issue
Saved = tuple[Any, ...]


class Status(Enum):
    """Say what a core is doing."""

    READY = "ready"
    WAITING = "waiting"
    SYNC = "sync"
    DONE = "done"


class Stateful(Protocol):
    """State of a queue, buffer, pool or pipe object of a core."""

    def copy(self) -> Stateful:
        """Return an independent copy."""
        ...


class Blocked(Exception):  # noqa: N818 - not an error: the core waits
    """The core cannot go on at `pc`; `key` is a flag, or one of the codes below."""

    def __init__(self, pc: int, key: int) -> None:
        self.pc, self.key = pc, key


SYNC, END, DRAIN, CROSS = -1, -2, -3, -4  # what a core may wait for besides a flag
NO_FLAG = -9


class Core:
    """A core. `save` copies what decides the future; caches and check state never go back."""

    def __init__(self, machine: Machine, index: int) -> None:
        self.id, self.machine = index, machine
        self.pc, self.status, self.why = 0, Status.READY, 0
        self.slow = bool(machine.late)
        self.regs: list[Any] = [None] * machine.code.flat.n_regs
        self.clk = [0] * N_LANES  # time at which each pipe is free
        self.end = [-1] * N_LANES  # when the last instruction of each pipe ended
        self.written: tuple[Access, ...] = ()  # by the last vector instruction
        self.busy = [0] * N_LANES  # cycles of work; for S: minus the cycles it waited
        self.flags: dict[int, int] = {}  # flag -> time at which it was set
        self.flag_pc: dict[int, int] = {}
        self.events: dict[int, int] = {}  # ids handed out, one bit each
        self.cross: dict[int, int] = {}  # cross-core flag counters
        self.queues: tuple[deque[Deferred], ...] = tuple(deque() for _ in range(N_LANES))
        self.objects: dict[int, Stateful] = {}
        self.vs = VectorState()
        # Not saved: derived from the past or only for checks.
        self.slots: list[dict[Any, Bundle]] = [{} for _ in range(machine.code.n_slots)]
        self.hazards, self.trace = machine.hazards, machine.trace
        self.banks: dict[Memory, Bank] = {Memory.GM: machine.gm}
        self.owners: dict[Any, Owner] = {}
        self.addressed: dict[int, Tensor] = {}  # what get_phy_addr was asked for
        self.phase = 0
        self.T: list[int] = []
        self.K: list[list[int]] = []
        self.tok: dict[int, list[int]] = {}
        self.waited: dict[int, int] = {}
        self.seen: dict[int, list[int]] = {}  # other core -> its clocks known complete
        self.hazards.start(self)

    def bank(self, memory: Memory) -> Bank:
        """Return one of the core's memories, made when it is first touched."""
        found = self.banks.get(memory)
        if found is None:
            size = self.machine.target.memory_bytes(memory)
            found = self.banks[memory] = Bank(memory, size, LOCAL_GUARD_BYTES, core=self.id)
        return found

    def owner(self, key: Any, make: Owner) -> Owner:
        """Return the owner known under `key`, else remember `make`."""
        return self.owners.setdefault(key, make)

    def save(self) -> Saved:
        """Return a copy of everything that decides what the core does next."""
        return (
            self.pc, self.slow, self.status, self.why, self.regs[:], self.clk[:], self.busy[:], dict(self.flags),
            dict(self.flag_pc), dict(self.events), dict(self.cross), tuple(tuple(queue) for queue in self.queues),
            {key: state.copy() for key, state in self.objects.items()},
            replace(self.vs, more=dict(self.vs.more)), self.end[:], self.written,
        )  # fmt: skip

    def load(self, saved: Saved) -> None:
        """Go back to a saved state."""
        (
            self.pc, self.slow, self.status, self.why, regs, clk, busy, flags, flag_pc, events, cross, queues,
            objects, vs, end, self.written,
        ) = saved  # fmt: skip
        self.end = end[:]
        self.regs, self.clk, self.busy = regs[:], clk[:], busy[:]
        self.flags, self.flag_pc, self.events, self.cross = dict(flags), dict(flag_pc), dict(events), dict(cross)
        self.queues = tuple(deque(queue) for queue in queues)
        self.objects = {key: state.copy() for key, state in objects.items()}
        self.vs = replace(vs, more=dict(vs.more))
