# SPDX-License-Identifier: Apache-2.0
"""The machine: cores, global memory, and a deterministic scheduler over them."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from enum import Enum
from typing import Any

from asclens_compiler.ascir.program import CoreKind
from asclens_compiler.backends.simulator.api import Checks, Print, PrintSink, Schedule, SimOptions
from asclens_compiler.backends.simulator.code import RUN_FILE, Code, code_book
from asclens_compiler.backends.simulator.core import CROSS, END, SYNC, Blocked, Core, Status
from asclens_compiler.backends.simulator.emit.emitter import Variant
from asclens_compiler.backends.simulator.ending import check_end
from asclens_compiler.backends.simulator.findings import Findings, StopRun
from asclens_compiler.backends.simulator.hazards import Hazards
from asclens_compiler.backends.simulator.lanes import LANES, N_LANES, SCALAR
from asclens_compiler.backends.simulator.launch import GlobalArrays, Launch, parameter_values
from asclens_compiler.backends.simulator.reports import Reporter
from asclens_compiler.backends.simulator.rules import limit
from asclens_compiler.backends.simulator.stall import Stalls
from asclens_compiler.backends.simulator.timing import gm_bytes_per_cycle
from asclens_compiler.backends.simulator.values import Owner, Pointer, Tensor
from asclens_compiler.errors import AscLensError, InternalError

QUANTUM = 1024
SECONDS_EVERY = 64  # bursts between looks at the clock


class Stop(Enum):
    """Say why the scheduler returned."""

    COUNT = "count"
    BREAKPOINT = "breakpoint"
    DONE = "done"
    DEADLOCK = "deadlock"
    LIMIT = "limit"


class Machine:
    """One launch. `history` notes written ranges, for checkpoints."""

    def __init__(
        self,
        launch: Launch,
        *,
        on_print: PrintSink | None = None,
        history: bool = False,
        compiled: bool = True,
    ) -> None:
        program, options = launch.program, launch.options
        self.program, self.target, self.options = program, launch.target, options
        self.book = code_book(program)
        in_order = options.schedule is Schedule.PROGRAM  # races are found in program order only
        self.variant = Variant(
            hazards=options.checks is Checks.ALL and in_order,
            checks=options.checks is not Checks.NONE,
            trace=options.trace,
            history=history,
        )
        self.code: Code = self.book.code(self.variant)
        self.compiled = compiled
        self.findings = Findings(options.checks, options.on_violation, program.kernel, launch.target.soc)
        self.reports = Reporter(self.code.flat, self.findings)
        self.hazards = Hazards(self.reports, auto_sync=program.auto_sync)
        self.trace: list[tuple[int, int, int, int, int]] = []
        self.prints: list[Print] = []
        self.on_print = on_print
        self.arrays = GlobalArrays(launch.args, with_workspace=self.code.shared.needs_workspace)
        self.gm = self.arrays.bank
        self.gm_rate = gm_bytes_per_cycle(launch.target, launch.blocks, self.arrays.nbytes)
        self.written: set[Owner] = set()
        self.workspace: Pointer | None = None  # what set_sys_workspace gave
        self.site_handles: dict[tuple[int, int], dict[Any, Tensor | Any]] = {}
        self.late = late_lanes(options)
        self.stalls = Stalls(self.late)
        self.arrivals: dict[int, dict[int, list[list[int]]]] = {}
        self.tokens: dict[tuple[int, int], list[dict[int, list[int]]]] = {}
        self.block_flags: dict[tuple[int, int], list[dict[int, list[int]]]] = {}
        self.chain_started: set[int] = set()
        self.cores = [Core(self, index) for index in range(launch.blocks)]
        for register, value in parameter_values(program, launch.args, self.arrays):
            for core in self.cores:
                core.regs[register] = value
        self.op = self.frontier = 0
        self.current, self.left = 0, QUANTUM
        self.deadline = time.monotonic() + options.max_seconds if options.max_seconds else 0.0
        self._bursts = 0
        self.stopped = (-1, -1)  # core and event of the last stop: going on from there does not stop again

    def has_core(self, kind: str) -> bool:
        """Tell whether logical cores of this kernel have the kind "aic" or "aiv"."""
        wanted = CoreKind.AIC if kind == "aic" else CoreKind.AIV
        return self.program.core_kind in (wanted, CoreKind.MIX)

    def print(self, core: Core, pc: int, text: str) -> None:
        """Take one line that a kernel printed; repeats of re-execution are dropped."""
        if self.op < self.frontier:
            return
        line = Print(core=core.id, text=text, span=self.code.flat.instrs[pc].span)
        self.prints.append(line)
        if self.on_print is not None:
            self.on_print(line)

    # -- scheduler ------------------------------------------------------------------------------------
    def run(
        self, count: int | None = None, stops: frozenset[int] = frozenset(), only: frozenset[int] | None = None
    ) -> Stop:
        """Run `count` events (operations of all cores), to a stop address, or to the end.

        `only` limits stops to some cores. Becoming blocked or done is an event of its own.
        """
        end = self.op + count if count is not None else 1 << 62
        while self.op < end:
            core = self._pick()
            if core is None:
                return Stop.DONE if all(c.status is Status.DONE for c in self.cores) else Stop.DEADLOCK
            if self._over_limit(core):
                return Stop.LIMIT
            here = stops if only is None or core.id in only else frozenset[int]()
            done, hit = self._burst(core, self._budget(end), here)
            self._advance(done)
            if hit:
                self.stopped = (core.id, self.op)
                return Stop.BREAKPOINT
        return Stop.COUNT

    def _advance(self, done: int) -> None:
        self.op += done
        self.left -= done
        if self.op > self.frontier:
            self.frontier = self.op
            self.findings.silent = False

    def _pick(self) -> Core | None:
        for _ in range(len(self.cores) + 1):
            core = self.cores[self.current]
            if core.status is Status.READY and self.left > 0:
                return core
            self.current = (self.current + 1) % len(self.cores)
            self.left = QUANTUM
        return None

    def _over_limit(self, core: Core) -> bool:
        options = self.options
        if options.max_steps and self.op >= options.max_steps:
            self.reports.at(core, core.pc, limit.RULE, value=self.op, unit="steps", limit=options.max_steps)
            return True
        self._bursts += 1
        if self.deadline and self._bursts % SECONDS_EVERY == 0 and time.monotonic() > self.deadline:
            unit, value = "seconds", options.max_seconds
            self.reports.at(core, core.pc, limit.RULE, value=f"more than {value:g}", unit=unit, limit=f"{value:g}")
            return True
        return False

    def _budget(self, end: int) -> int:
        budget = min(self.left, end - self.op)
        if self.op < self.frontier:
            budget = min(budget, self.frontier - self.op)
        if self.options.max_steps:
            budget = min(budget, max(self.options.max_steps - self.op, 1))
        return budget

    def _code(self) -> Code:
        """Return the code: what lies behind the frontier was checked and traced before."""
        if self.op >= self.frontier:
            self.findings.silent, self.findings.step = False, self.op
            return self.code
        self.findings.silent = True
        return self.book.replay(self.variant)

    def _burst(self, core: Core, budget: int, stops: frozenset[int]) -> tuple[int, bool]:
        """Run one core for a while; return the events that passed and whether a stop was hit."""
        code, left, pc = self._code(), budget, core.pc
        steps, runs, one = code.steps, code.runs, self.stalls.step
        here = self.stopped == (core.id, self.op)  # it stands at a stop that was reported already
        try:
            if core.slow or stops or not self.compiled:
                while left:
                    if pc in stops and not (here and left == budget):
                        core.pc = pc
                        return budget - left, True
                    pc = one(core, pc, code) if core.slow else steps[pc](core)
                    left -= 1
            else:
                while left:
                    step, size = runs[pc]
                    if size > left:
                        step, size = steps[pc], 1
                    pc = step(core)
                    left -= size
        except Blocked as stop:
            left -= stop.pc - pc + 1
            core.pc = stop.pc
            self._blocked(core, stop.key)
            return budget - left, False
        except Exception as error:
            at = _fault_address(error, code, pc)
            core.pc = at
            self._advance(budget - left + at - pc)
            if isinstance(error, StopRun | AscLensError | InternalError):
                raise
            span = self.code.flat.instrs[at].span
            raise InternalError(f"{type(error).__name__}: {error}", op=self.reports.op(at), span=span) from error
        core.pc = pc
        return budget - left, False

    def _blocked(self, core: Core, key: int) -> None:
        use = self.code.shared.flags.get(core.pc)
        queued = any(core.queues)
        if key >= 0 and use is not None and use.lane != SCALAR:
            core.slow = True  # only that pipe stalls; issue goes on
        elif key == END and not queued:
            core.status = Status.DONE
            if self.op >= self.frontier and self.variant.checks:
                check_end(core)
        elif key == SYNC and not queued:
            core.status = Status.SYNC
            if all(other.status is Status.SYNC for other in self.cores):
                self._release()
        else:
            core.status, core.why = Status.WAITING, key

    def wake(self, why: int) -> None:
        """Let cores that wait for other cores try again."""
        for core in self.cores:
            if core.status is Status.WAITING and core.why == why:
                core.status = Status.READY

    def _release(self) -> None:
        """Let all cores pass a barrier: everything before is complete everywhere."""
        now = max(max(core.clk) for core in self.cores)
        for core in self.cores:
            core.busy[SCALAR] -= now - core.clk[SCALAR]
            core.status, core.pc, core.clk[:] = Status.READY, core.pc + 1, [now] * N_LANES
            if self.variant.hazards and self.op >= self.frontier:
                self.hazards.join_all(core, core.T)
                core.phase += 1

    def drop_hazards(self) -> None:
        """Check no more for races and initialisation: the user changed the past."""
        self.variant = replace(self.variant, hazards=False)
        self.code = self.book.code(self.variant)

    # -- results --------------------------------------------------------------------------------------
    @property
    def cycles(self) -> int:
        """Return the time of the slowest core."""
        return max((max(core.clk) for core in self.cores), default=0)

    def pipes(self) -> dict[str, int]:
        """Return the busy cycles of each pipe on the core where it was busiest."""
        busy = {LANES[lane].name: max(core.busy[lane] for core in self.cores) for lane in range(1, N_LANES)}
        scalar = max(core.clk[SCALAR] + core.busy[SCALAR] for core in self.cores)
        return {"S": scalar} | {name: value for name, value in busy.items() if value}


def late_lanes(options: SimOptions) -> frozenset[int]:
    """Return the lanes that run as late as they can in this schedule."""
    if options.schedule is Schedule.PROGRAM:
        return frozenset()
    chooser = random.Random(options.seed)
    asynchronous = [lane for lane in range(N_LANES) if lane != SCALAR]
    chosen = frozenset(lane for lane in asynchronous if chooser.random() < 0.5)
    return chosen or frozenset({chooser.choice(asynchronous)})


def _fault_address(error: BaseException, code: Code, pc: int) -> int:
    """Return the address of the instruction that raised, also inside a compiled run."""
    table = code.run_lines.get(pc)
    trace = error.__traceback__
    while trace is not None and table is not None:
        if trace.tb_frame.f_code.co_filename == f"{RUN_FILE}{pc}":
            return table[min(trace.tb_lineno - 1, len(table) - 1)]
        trace = trace.tb_next
    return pc


__all__ = ["CROSS", "Machine", "Stop", "late_lanes"]
