# SPDX-License-Identifier: Apache-2.0
"""Instructions whose meaning is a function of an `OpContext`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from asclens_compiler.ascir.program import Op
from asclens_compiler.ascir.types import AscType
from asclens_compiler.backends.simulator.bundle import depends
from asclens_compiler.backends.simulator.context import Context
from asclens_compiler.backends.simulator.emit.emitter import Variant
from asclens_compiler.backends.simulator.lanes import LANE, SCALAR
from asclens_compiler.backends.simulator.plans.base import MemoryPlan, memory_of
from asclens_compiler.backends.simulator.plans.limits import check_limits, limits_of
from asclens_compiler.backends.simulator.semantics.api import Full
from asclens_compiler.backends.simulator.shadow import Access
from asclens_compiler.backends.simulator.timing import fractal_times
from asclens_compiler.hardware.pipes import Memory, Pipe
from asclens_compiler.opset.model import OpRow, PipeRule

if TYPE_CHECKING:
    from asclens_compiler.backends.simulator.core import Core


_VECTOR = LANE[Pipe.V]


class FullPlan(MemoryPlan):
    """Calls a semantics function and checks what it touched."""

    def __init__(self, op: Op, row: OpRow, pc: int, slot: int, reg_types: tuple[AscType, ...], run: Full) -> None:
        super().__init__(op, row, pc, slot, reg_types)
        self.run = run
        self.index = {item.name: i for i, item in enumerate(row.operands)}
        self.limits = limits_of(row)
        self._path = self._copy_ends()
        self._cost = row.cost.operand if row.cost is not None else "dst"
        self.anywhere = len(self.aligns)  # stands for an operand without alignment of its start
        self.aligns.append(0)

    def _copy_ends(self) -> tuple[Memory, Memory] | None:
        if self.row.pipe in (Pipe.V, Pipe.M, Pipe.S, PipeRule.NONE) or not {"dst", "src"} <= self.index.keys():
            return None
        target, source = memory_of(self.types[self.index["dst"]]), memory_of(self.types[self.index["src"]])
        return None if target is None or source is None else (source, target)

    @property
    def path(self) -> tuple[Memory, Memory] | None:
        """Return (source, target) memory of a copy."""
        return self._path

    def cache(self, core: Core) -> dict[Any, Any]:
        """Return the cache of resolved operands of this site."""
        return core.slots[self.slot]

    def caller(self, variant: Variant) -> Callable[..., Any]:
        """Return `call(core, operand values in row order)` for a variant."""

        def call(core: Core, *values: Any) -> Any:
            operands = list(values)
            if self.limits:
                check_limits(core, self.pc, self.limits, operands)
            context = Context(self, core, operands)
            result = self.run(context)
            accesses = context.accesses
            lane = self.lane
            if variant.hazards:
                time = core.T[lane] = core.T[lane] + 1
                core.hazards.check(core, accesses, lane, time, self.pc)
            if variant.history:
                for access in accesses:
                    if access.write:
                        access.owner.bank.mark(access.lo, access.hi)
            self._advance(core, context, variant)
            return result

        return call

    def _advance(self, core: Core, context: Context, variant: Variant) -> None:
        clock = core.clk
        clock[0] += 1
        lane = self.lane
        if lane == SCALAR:
            return
        nbytes = _moved(context.accesses, reads=self._cost != "dst")
        times = cube_times(context) if "mmadParams" in self.index else self.times(core, nbytes)
        start = max(clock[lane], clock[0])
        waits = start > core.end[lane] or (lane == _VECTOR and depends(context.accesses, core.written))
        length = times[1] if waits else times[0]
        core.end[lane] = clock[lane] = start + length
        if lane == _VECTOR:
            core.written = tuple(access for access in context.accesses if access.write)
        core.busy[lane] += length
        if variant.trace:
            core.trace.append((core.id, self.pc, start, length, nbytes))


def _moved(accesses: list[Access], *, reads: bool) -> int:
    """Return the bytes written, or, where the sources decide the time, the larger of read and written."""
    written = sum(access.hi - access.lo for access in accesses if access.write)
    return max(written, sum(access.hi - access.lo for access in accesses if not access.write)) if reads else written


def cube_times(context: Context) -> tuple[int, int]:
    """Return the cycles of a matrix multiplication in a busy pipe and in an idle one."""
    params = context.struct("mmadParams")
    m, n, k = (int(params.get(name, 0)) for name in "mnk")
    return fractal_times(m, n, k, context.dtype("fm"))
