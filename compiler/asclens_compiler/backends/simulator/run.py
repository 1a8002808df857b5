# SPDX-License-Identifier: Apache-2.0
"""Run a program on the simulator from start to end."""

from __future__ import annotations

import gc
from collections.abc import Generator, Sequence
from contextlib import contextmanager

import numpy as np

from asclens_compiler.ascir.program import Program
from asclens_compiler.backends.simulator.api import Arg, PrintSink, RunResult, SimOptions, TraceEvent, Wait
from asclens_compiler.backends.simulator.deadlock import report_deadlock, waits
from asclens_compiler.backends.simulator.findings import StopRun
from asclens_compiler.backends.simulator.lanes import LANES
from asclens_compiler.backends.simulator.launch import Launch
from asclens_compiler.backends.simulator.machine import Machine, Stop
from asclens_compiler.errors import AscLensError
from asclens_compiler.hardware.chips import chip_for

MAX_BLOCKS = 65535


@contextmanager
def quiet() -> Generator[None]:
    """Run without the garbage collector and numpy warnings: a run makes many records that stay."""
    enabled = gc.isenabled()
    gc.freeze()
    gc.disable()
    try:
        with np.errstate(all="ignore"):
            yield
    finally:
        if enabled:
            gc.enable()
        gc.unfreeze()


def simulate(
    program: Program,
    *,
    target: str,
    blocks: int,
    args: Sequence[Arg],
    options: SimOptions | None = None,
    on_print: PrintSink | None = None,
) -> RunResult:
    """Run `blocks` blocks of a kernel on a simulated chip; results are written into the arrays of `args`.

    Raises AscLensError for an unknown chip, a number of blocks that no launch can have, or
    arguments that do not fit the kernel.
    """
    if not 0 < blocks <= MAX_BLOCKS:
        raise AscLensError(f"A launch has 1 to {MAX_BLOCKS} blocks, not {blocks}.")
    launch = Launch(program=program, target=chip_for(target), blocks=blocks, args=args, options=options or SimOptions())
    machine = Machine(launch, on_print=on_print)
    error, deadlock = "", ()
    try:
        with quiet():
            stop = machine.run()
        if stop is Stop.DEADLOCK:
            deadlock = waits(machine)
            report_deadlock(machine, deadlock)
            error = f"deadlock: {len(deadlock)} pipes wait for ever"
        elif stop is Stop.LIMIT:
            error = "the run reached its limit"
    except StopRun as stopped:
        error = stopped.diagnostic.message
    machine.arrays.write_back(machine.written)
    return result_of(machine, error=error, deadlock=deadlock)


def result_of(machine: Machine, *, error: str, deadlock: tuple[Wait, ...]) -> RunResult:
    """Return what a machine has produced so far."""
    return RunResult(
        ok=not error,
        cycles=machine.cycles,
        pipes=machine.pipes(),
        steps=machine.op,
        prints=tuple(machine.prints),
        findings=machine.findings.all(),
        deadlock=deadlock,
        trace=trace_of(machine),
        error=error,
    )


def trace_of(machine: Machine) -> tuple[TraceEvent, ...]:
    """Return the recorded instructions in the order they were issued."""
    instrs, lanes = machine.code.flat.instrs, machine.code.shared.lanes
    return tuple(
        TraceEvent(
            core=core,
            pipe=LANES[lanes[pc]].name,
            op=machine.reports.op(pc),
            start=start,
            duration=duration,
            nbytes=nbytes,
            span=instrs[pc].span,
        )
        for core, pc, start, duration, nbytes in machine.trace
    )


class Simulator:
    """The default backend."""

    name = "simulator"

    def run(
        self,
        program: Program,
        *,
        target: str,
        blocks: int,
        args: Sequence[Arg],
        options: SimOptions,
        on_print: PrintSink | None = None,
    ) -> RunResult:
        """Run a program; see `simulate`."""
        return simulate(program, target=target, blocks=blocks, args=args, options=options, on_print=on_print)


SIMULATOR = Simulator()
