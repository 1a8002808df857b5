# SPDX-License-Identifier: Apache-2.0
"""Stepping through a launch: what the debugger talks to.

A session stands still between calls. `resume` and `back` move it and return why it stopped. All
cores share one deterministic order of operations; a step of one core lets the others run when it
is their turn. Going back restores a checkpoint and executes again, with the same bits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from asclens_compiler.backends.simulator.api import PrintSink, RunResult
from asclens_compiler.backends.simulator.core import Status
from asclens_compiler.backends.simulator.deadlock import report_deadlock, waits
from asclens_compiler.backends.simulator.findings import StopRun
from asclens_compiler.backends.simulator.flatten import Jump
from asclens_compiler.backends.simulator.history import CAP_BYTES, EVERY, History
from asclens_compiler.backends.simulator.inspection import Inspector
from asclens_compiler.backends.simulator.launch import Launch
from asclens_compiler.backends.simulator.machine import Machine, Stop
from asclens_compiler.backends.simulator.run import quiet, result_of
from asclens_compiler.backends.simulator.statements import Place, Statements, spans_of
from asclens_compiler.backends.simulator.variables import Variables
from asclens_compiler.diagnostics.model import Diagnostic
from asclens_compiler.source.span import Span

SLICE = 1 << 15  # events between looks at a request to pause


class How(Enum):
    """Choose how far a session moves."""

    CONTINUE = "continue"
    NEXT = "next"
    STEP_IN = "step_in"
    STEP_OUT = "step_out"
    FINISH = "finish"


class Reason(Enum):
    """Say why a session stopped."""

    ENTRY = "entry"
    STEP = "step"
    BREAKPOINT = "breakpoint"
    PAUSE = "pause"
    VIOLATION = "violation"
    END = "end"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopped:
    """A stop: why, on which core; `diagnostic` for a violation, `error` when the launch could not finish."""

    reason: Reason
    core: int
    diagnostic: Diagnostic | None = None
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One frame of a core: the helper's or kernel's place; `depth` 0 is the kernel."""

    depth: int
    span: Span


class Session:
    """A launch that is run step by step."""

    def __init__(
        self, launch: Launch, *, on_print: PrintSink | None = None, every: int = EVERY, cap_bytes: int = CAP_BYTES
    ) -> None:
        self.machine = Machine(launch, on_print=on_print, history=True)
        self.history = History(self.machine, every, cap_bytes)
        self.statements = Statements(self.machine.code.flat)
        self.inspect = Inspector(self.machine, Variables(self.machine.code.flat), self.history)
        self._breakpoints: dict[str, frozenset[int]] = {}
        self.stop_cores: frozenset[int] | None = None
        self._pausing = False
        self._shown: dict[int, int] = {}  # core -> innermost frame shown, where an inlined call is about to start
        self.error = ""
        self.finished = False

    # -- breakpoints ------------------------------------------------------------------------------------
    def set_breakpoints(self, file: str, lines: list[int]) -> list[int | None]:
        """Replace the breakpoints of a file; return the line each one stops at, None for none."""
        resolved = [self.statements.resolve(file, line) for line in lines]
        self._breakpoints[file] = frozenset(line for line in resolved if line is not None)
        return resolved

    def _places(self) -> frozenset[Place]:
        return frozenset((file, line) for file, lines in self._breakpoints.items() for line in lines)

    # -- moving -------------------------------------------------------------------------------------------
    def pause(self) -> None:
        """Ask a running session to stop; callable from another thread."""
        self._pausing = True

    def start(self, core: int = 0) -> Stopped:
        """Go to the first statement of a core."""
        return self._go(self.statements.all_stops(), frozenset({core}), Reason.ENTRY)

    def resume(self, how: How, core: int = 0) -> Stopped:
        """Move on and return the stop."""
        self._pausing = False
        if how in (How.NEXT, How.STEP_IN, How.STEP_OUT):
            elsewhere = self._settle(core)
            if elsewhere is not None:
                return elsewhere
        depth = self.depth(core)
        pc = self.machine.cores[core].pc
        if how is How.FINISH:
            return self._go(frozenset(), None, Reason.STEP)
        if how is How.CONTINUE:
            return self._go(frozenset(), None, Reason.BREAKPOINT)
        if how is How.STEP_IN:
            if depth < len(spans_of(self.machine.code.flat.instrs[pc])) - 1:
                self._shown[core] = depth + 1
                return Stopped(reason=Reason.STEP, core=core)
            stops = self.statements.all_stops()
        else:
            stops = self.statements.out_stops(depth) if how is How.STEP_OUT else self.statements.next_stops(pc, depth)
        return self._go(stops, frozenset({core}), Reason.STEP, depth if how is How.NEXT else None)

    def _settle(self, core: int) -> Stopped | None:
        """Bring a core that stands before a statement, but was not stopped there, to it; return a stop on the way."""
        machine = self.machine
        pc, instrs = machine.cores[core].pc, machine.code.flat.instrs
        while instrs[pc].quiet and not isinstance(instrs[pc], Jump):
            pc += 1
        if pc not in self.statements.starts or machine.stopped == (core, machine.op):
            return None
        stopped = self._go(frozenset({pc}), frozenset({core}), Reason.STEP)
        arrived = stopped.core == core and stopped.reason is Reason.STEP and machine.cores[core].pc == pc
        return None if arrived else stopped

    def _go(
        self, steps: frozenset[int], only: frozenset[int] | None, reason: Reason, depth: int | None = None
    ) -> Stopped:
        """Run to a step address on the cores `only`, or to a breakpoint on the cores that have them."""
        if self.finished:
            return Stopped(reason=Reason.END, core=0, error=self.error)
        places = self._places() if reason is not Reason.STEP or steps else frozenset[Place]()
        marks = self.statements.at_lines(places)
        wanted = self.stop_cores if self.stop_cores is not None else frozenset(range(len(self.machine.cores)))
        self._shown.clear()
        while True:
            try:
                with quiet():
                    stop = self.history.run(SLICE, steps | marks, wanted | (only or frozenset()))
            except StopRun as stopped:
                return self._violated(stopped)
            if stop is Stop.COUNT:
                if self._pausing:
                    self._pausing = False
                    return Stopped(reason=Reason.PAUSE, core=self.machine.current)
                continue
            if stop is not Stop.BREAKPOINT:
                return self._end(stop)
            core = self.machine.current
            pc = self.machine.cores[core].pc
            if pc in marks and core in wanted:
                self._shown[core] = self.statements.depth_at(pc, places)
                return Stopped(reason=Reason.BREAKPOINT, core=core)
            if only is not None and core in only and pc in steps:
                start = self.statements.starts[pc]
                self._shown[core] = start.level if depth is None else min(depth, len(start.places) - 1)
                return Stopped(reason=reason, core=core)

    def _violated(self, stopped: StopRun) -> Stopped:
        core = self.machine.current
        return Stopped(reason=Reason.VIOLATION, core=core, diagnostic=stopped.diagnostic)

    def _end(self, stop: Stop) -> Stopped:
        self.finished = True
        machine = self.machine
        if stop is Stop.DEADLOCK:
            found = waits(machine)
            report_deadlock(machine, found)
            self.error = f"deadlock: {len(found)} pipes wait for ever"
        elif stop is Stop.LIMIT:
            self.error = "the run reached its limit"
        return Stopped(reason=Reason.END, core=0, error=self.error)

    # -- going back ---------------------------------------------------------------------------------------
    def back(self, core: int = 0) -> Stopped:
        """Go back to the statement before, on one core."""
        return self._back(self.statements.all_stops(), frozenset({core}), Reason.STEP)

    def reverse(self) -> Stopped:
        """Go back to the last breakpoint before, or to the start."""
        wanted = self.stop_cores if self.stop_cores is not None else frozenset(range(len(self.machine.cores)))
        return self._back(self.statements.at_lines(self._places()), wanted, Reason.BREAKPOINT)

    def _back(self, stops: frozenset[int], only: frozenset[int], reason: Reason) -> Stopped:
        machine, history = self.machine, self.history
        target, limit = machine.op, machine.op
        self.finished, self.error = False, ""
        self._shown.clear()
        with quiet():
            while limit > 0 and history.checkpoints:
                saved = history.before(limit - 1)
                found = self._last_stop(saved.op, limit, target, stops, only)
                if found is not None:
                    op, core = found
                    history.goto(op)
                    machine.stopped = (core, op)
                    self._shown[core] = self.statements.starts[machine.cores[core].pc].level
                    return Stopped(reason=reason, core=core)
                limit = saved.op
            history.goto(0)
        first = min(only, default=0)
        return Stopped(reason=Reason.ENTRY, core=first)

    def _last_stop(
        self, start: int, limit: int, target: int, stops: frozenset[int], only: frozenset[int]
    ) -> tuple[int, int] | None:
        """Execute events [start, limit) again and return the last stop before `target`, with its core."""
        machine, history = self.machine, self.history
        history.goto(start)
        machine.stopped = (-1, -1)
        found: tuple[int, int] | None = None
        while machine.op < limit:
            if history.run(limit - machine.op, stops, only) is not Stop.BREAKPOINT:
                break
            if machine.op < target:
                found = machine.op, machine.current
        return found

    # -- looking ------------------------------------------------------------------------------------------
    def depth(self, core: int) -> int:
        """Return the innermost frame a core shows."""
        places = spans_of(self.machine.code.flat.instrs[self.machine.cores[core].pc])
        return min(self._shown.get(core, len(places) - 1), len(places) - 1)

    def frames(self, core: int) -> tuple[Frame, ...]:
        """Return the frames of a core, innermost first."""
        spans = spans_of(self.machine.code.flat.instrs[self.machine.cores[core].pc])[: self.depth(core) + 1]
        return tuple(Frame(depth=depth, span=span) for depth, span in reversed(list(enumerate(spans))))

    def status(self, core: int) -> Status:
        """Return what a core is doing."""
        return self.machine.cores[core].status

    def edit(self, change: Callable[[], None]) -> None:
        """Apply a change to memory or registers, so that executing again repeats it."""
        self.history.edit(change)

    def result(self) -> RunResult:
        """Return what the launch has given so far, with results written back to the caller's arrays."""
        self.machine.arrays.write_back(self.machine.written)
        found = waits(self.machine) if self.error.startswith("deadlock") else ()
        return result_of(self.machine, error=self.error, deadlock=found)
