# SPDX-License-Identifier: Apache-2.0
"""Pass `insert-sync`: flags and barriers so that every dependency between pipes holds.

Runs on staged kernels and on kernels with automatic synchronisation (`insert_sync`). Buffers must
have their addresses. The number of flags is minimal: each one has a dependency of its own.
"""

from __future__ import annotations

from itertools import pairwise

from asclens_compiler.analysis.accesses import Accesses
from asclens_compiler.ascir.program import Const, Op, Program
from asclens_compiler.ascir.rewrite import IROp, Rewriter
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import HardEvent
from asclens_compiler.passes.numbering import kernels_with_programs, ops_by_index
from asclens_compiler.passes.selection import wants_sync
from asclens_compiler.passes.sync.event_ids import EVENT_IDS, TakenIds, assign_event_ids
from asclens_compiler.passes.sync.model import FlagPair, Plan
from asclens_compiler.passes.sync.planner import Planner
from asclens_compiler.passes.sync.verification import drop_redundant

_FLAG_OPS = frozenset({"set_flag", "wait_flag"})


def plan_sync(program: Program) -> Plan:
    """Return the synchronisation that a program lacks, with event ids."""
    planner = Planner(Accesses(program))
    plan = planner.run()
    drop_redundant(plan, planner.summaries)
    assign_event_ids(plan, planner.summaries, _taken_ids(program))
    return plan


def insert_sync(rewriter: Rewriter) -> None:
    """Insert the synchronisation of every kernel that wants it."""
    for kernel, program in kernels_with_programs(rewriter):
        if wants_sync(kernel, program):
            _Insertion(rewriter, kernel, ops_by_index(rewriter, kernel, program)).apply(plan_sync(program))


def _taken_ids(program: Program) -> TakenIds:
    """Return the event ids that flags of the kernel itself may use; all of a direction if one is not known."""
    taken: TakenIds = {}
    for node in program.walk():
        if isinstance(node, Op) and node.name in _FLAG_OPS:
            event = HardEvent[str(node.attr("event"))]
            used = taken.setdefault((event.source, event.target), set())
            number = node.operands[0]
            used.update((int(number.value),) if isinstance(number, Const) else EVENT_IDS)
    return taken


class _Insertion:
    """Write a plan into a kernel."""

    def __init__(self, rewriter: Rewriter, kernel: IROp, ops: dict[int, IROp]) -> None:
        self._rewriter = rewriter
        self._ops = ops
        self._next = _successors(rewriter, kernel)

    def apply(self, plan: Plan) -> None:
        """Insert everything.

        Behind an op stand the last waits of a loop, then sets; in front of an op waits, barriers, then
        the first sets of a loop.
        """
        loops = {pair: pair.loop for pair in plan.flags if pair.loop is not None}
        for pair, loop in loops.items():
            self._flag("wait_flag", pair, self._behind(loop), self._ops[loop])
        for pair in plan.flags:
            self._flag("set_flag", pair, self._behind(pair.after), self._ops[pair.after])
        for pair in plan.flags:
            self._flag("wait_flag", pair, self._ops[pair.before], self._ops[pair.before])
        for index in sorted(plan.barriers):
            for pipe in sorted(plan.barriers[index]):
                with self._rewriter.before(self._ops[index]) as builder:
                    attrs = {"pipe": f"PIPE_{pipe.name}"}
                    builder.op("pipe_barrier", attrs=attrs, span=self._ops[index].span)
        for pair, loop in loops.items():
            self._flag("set_flag", pair, self._ops[loop], self._ops[pair.after])

    def _behind(self, index: int) -> IROp:
        return self._next[self._ops[index]]

    def _flag(self, name: str, pair: FlagPair, anchor: IROp, reason: IROp) -> None:
        span = reason.span
        with self._rewriter.before(anchor) as builder:
            number = builder.constant(pair.event_id, DType.INT32, span)
            builder.op(name, [number], attrs={"event": pair.event.name}, span=span)


def _successors(rewriter: Rewriter, kernel: IROp) -> dict[IROp, IROp]:
    """Return the op after each op of a kernel in its block."""
    found: dict[IROp, IROp] = {}
    blocks = list(kernel.blocks)
    for op in rewriter.walk(kernel):
        if op.name.startswith("scf."):
            blocks += op.blocks
    for block in blocks:
        ops = block.ops
        found.update(pairwise(ops))
    return found
