# SPDX-License-Identifier: Apache-2.0
"""Pass `insert-sync`: flags and barriers so that every dependency between pipes holds.

Runs on staged kernels and on kernels with automatic synchronisation (`insert_sync`). Buffers must
have their addresses. The number of flags is minimal: each one has a dependency of its own.
"""

from __future__ import annotations

from asclens_compiler.analysis.accesses import Accesses
from asclens_compiler.ascir.program import Const, Op, Program
from asclens_compiler.ascir.rewrite import IROp, Rewriter
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import HardEvent, Pipe
from asclens_compiler.passes.numbering import kernels_with_programs, ops_by_index
from asclens_compiler.passes.selection import wants_sync
from asclens_compiler.passes.sync.event_ids import EVENT_IDS, TakenIds, assign_event_ids
from asclens_compiler.passes.sync.model import FlagPair, Plan
from asclens_compiler.passes.sync.planner import Planner
from asclens_compiler.passes.sync.verification import drop_redundant
from asclens_compiler.source.span import Span

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
            _Insertion(rewriter, ops_by_index(rewriter, kernel, program)).apply(plan_sync(program))


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

    def __init__(self, rewriter: Rewriter, ops: dict[int, IROp]) -> None:
        self._rewriter = rewriter
        self._ops = ops

    def apply(self, plan: Plan) -> None:
        """Insert everything; in front of an op stand waits, then barriers, then first sets of a loop."""
        before: dict[int, list[tuple[int, str, FlagPair]]] = {}
        after: dict[int, list[tuple[int, str, FlagPair]]] = {}
        for pair in plan.flags:
            before.setdefault(pair.before, []).append((0, "wait_flag", pair))
            after.setdefault(pair.after, []).append((1, "set_flag", pair))
            if pair.loop is not None:
                before.setdefault(pair.loop, []).append((1, "set_flag", pair))
                after.setdefault(pair.loop, []).append((0, "wait_flag", pair))
        for index in sorted({*before, *plan.barriers}):
            steps = sorted(before.get(index, ()), key=lambda step: step[0])
            op = self._ops[index]
            for _, name, pair in (step for step in steps if step[0] == 0):
                self._flag(name, pair, op, op.span)
            for pipe in sorted(plan.barriers.get(index, ())):
                self._barrier(pipe, op)
            for _, name, pair in (step for step in steps if step[0] == 1):
                self._flag(name, pair, op, self._ops[pair.after].span)
        for index, steps in after.items():
            op = self._ops[index]
            # Each insertion goes directly behind the op, so the last one comes first.
            for _, name, pair in sorted(steps, key=lambda step: step[0], reverse=True):
                self._flag(name, pair, op, op.span, behind=True)

    def _flag(self, name: str, pair: FlagPair, op: IROp, span: Span, *, behind: bool = False) -> None:
        place = self._rewriter.after(op) if behind else self._rewriter.before(op)
        with place as builder:
            number = builder.constant(pair.event_id, DType.INT32, span)
            builder.op(name, [number], attrs={"event": pair.event.name}, span=span)

    def _barrier(self, pipe: Pipe, op: IROp) -> None:
        with self._rewriter.before(op) as builder:
            builder.op("pipe_barrier", attrs={"pipe": f"PIPE_{pipe.name}"}, span=op.span)
