# SPDX-License-Identifier: Apache-2.0
"""Stalled pipes: a wait stops its own pipe only, later instructions of that pipe queue up behind it.

The same queues give adversarial schedules: an instruction of a late pipe runs only when something
waits for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asclens_compiler.backends.simulator.core import DRAIN, Blocked, Core, Deferred
from asclens_compiler.backends.simulator.lanes import SCALAR, flag_source, flag_target

if TYPE_CHECKING:
    from asclens_compiler.backends.simulator.code import Code
    from asclens_compiler.backends.simulator.semantics.api import VectorState

_NONE: frozenset[int] = frozenset()
# Registers that the scalar unit sets at issue: an instruction keeps the values it was issued with.
_ISSUED = ("mask_low", "mask_high", "mask_counter", "atomic_op", "atomic_dtype", "pad_value")


def issue_registers(state: VectorState) -> tuple[Any, ...]:
    """Return the registers an instruction takes along."""
    return tuple(getattr(state, name) for name in _ISSUED)


def set_registers(state: VectorState, values: tuple[Any, ...]) -> None:
    """Put registers back."""
    for name, value in zip(_ISSUED, values, strict=True):
        setattr(state, name, value)


class Stalls:
    """Execute instructions of cores some of whose pipes are stalled or late."""

    def __init__(self, late: frozenset[int]) -> None:
        self.late = late

    def step(self, core: Core, pc: int, code: Code) -> int:
        """Execute or queue one instruction; return the next address."""
        shared = code.shared
        lane, use = shared.lanes[pc], shared.flags.get(pc)
        if pc in shared.drains:
            self.drain(core, code)
            if any(core.queues):
                raise Blocked(pc, DRAIN)
        stalled = bool(core.queues[lane]) or lane in self.late
        key = use.key(core.regs) if use is not None else -1
        if use is not None and not use.sets and not stalled and key >= 0:
            stalled = not self.demand(core, code, key, _NONE)
        if stalled and lane != SCALAR:
            core.queues[lane].append((pc, core.regs[:], core.clk[0], issue_registers(core.vs)))
            return pc + 1
        if use is not None and use.sets and key >= 0:
            self.make_room(core, code, key)
        after = code.steps[pc](core)
        if use is not None and use.sets and not self.late:
            self.drain(core, code)
        return after

    def demand(self, core: Core, code: Code, key: int, asked: frozenset[int]) -> bool:
        """Run what is queued before the set of flag `key`, and no more; tell whether it is set then."""
        queue = core.queues[flag_source(key)]
        while queue and key not in core.flags and key not in asked:
            wanted = self._waits_for(code, queue[0])
            if wanted >= 0 and not self.demand(core, code, wanted, asked | {key}):
                break
            self._execute(core, code, queue.popleft())
        return key in core.flags

    def drain(self, core: Core, code: Code) -> None:
        """Run everything that can run."""
        moved = True
        while moved:
            moved = False
            for queue in core.queues:
                while queue and self._can_run(core, code, queue[0]):
                    self._execute(core, code, queue.popleft())
                    moved = True
        core.slow = any(core.queues) or bool(self.late)

    def make_room(self, core: Core, code: Code, key: int) -> None:
        """Let the waiter take flag `key` before it is set again; queue code relies on that."""
        queue = core.queues[flag_target(key)]
        while queue and key in core.flags:
            wanted = self._waits_for(code, queue[0])
            if wanted >= 0 and not self.demand(core, code, wanted, frozenset({key})):
                break
            self._execute(core, code, queue.popleft())

    def _execute(self, core: Core, code: Code, item: Deferred) -> None:
        pc, regs, issued, registers = item
        use = code.shared.flags.get(pc)
        if use is not None and use.sets:
            key = use.key(regs)
            if key >= 0:
                self.make_room(core, code, key)
        kept: tuple[list[Any], int] = (core.regs, core.clk[0])
        kept_registers = issue_registers(core.vs)
        core.regs, core.clk[0] = regs, issued
        set_registers(core.vs, registers)
        code.steps[pc](core)
        core.regs, core.clk[0] = kept
        set_registers(core.vs, kept_registers)

    def _can_run(self, core: Core, code: Code, item: Deferred) -> bool:
        wanted = self._waits_for(code, item)
        return wanted < 0 or wanted in core.flags

    @staticmethod
    def _waits_for(code: Code, item: Deferred) -> int:
        use = code.shared.flags.get(item[0])
        return use.key(item[1]) if use is not None and not use.sets else -1
