# SPDX-License-Identifier: Apache-2.0
"""What the simulator costs per op above the NumPy arithmetic itself, with and without checks."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from asclens_compiler.ascir.program import Program
from asclens_compiler.backends.simulator.api import ArrayArg, Checks, SimOptions
from asclens_compiler.backends.simulator.run import simulate
from asclens_compiler.frontend.driver import DEFAULT_SOC
from kernels import compile_text, looped
from measure import Table, interleave

TIMES = 20_000
A = np.ones(8192, np.float32)
B = np.zeros(8192, np.float32)
SCALE = np.float32(2)
OPS: dict[str, tuple[str, Callable[[int], object]]] = {
    "add": ("asc.add(b, a, a, {n})", lambda n: np.add(A[:n], A[:n], out=B[:n])),
    "muls": ("asc.muls(b, a, 2.0, {n})", lambda n: np.multiply(A[:n], SCALE, out=B[:n])),
    "relu": ("asc.relu(b, a, {n})", lambda n: np.maximum(A[:n], 0, out=B[:n])),
    "exp": ("asc.exp(b, a, {n})", lambda n: np.exp(A[:n], out=B[:n])),
    "duplicate": ("asc.duplicate(b, 2.0, {n})", lambda n: B[:n].fill(2)),
}
SIZES = (64, 2048)


def run(rounds: int) -> Table:
    rows = [_row(name, size, max(3, rounds // 3)) for name in OPS for size in SIZES]
    return Table(
        title="Simulator: cost per executed op above NumPy, in microseconds",
        columns=("op", "elements", "NumPy, us", "no checks", "fast checks", "all checks"),
        rows=tuple(rows),
        notes=(
            f"A loop of {TIMES} equal ops on one core, set-up included; NumPy: the same calls, fresh views. CPU time.",
            "Medians of interleaved rounds. Columns 4 to 6: (run time - NumPy time) / ops.",
        ),
    )


def _row(name: str, size: int, rounds: int) -> tuple[str | float | None, ...]:
    statement, work = OPS[name]
    program = compile_text(looped(statement.format(n=size), TIMES))
    subjects = {"numpy": lambda: _numpy_ms(work, size)}
    for checks in Checks:
        subjects[checks.value] = lambda checks=checks: _simulate_ms(program, checks)
    per_op = {key: value.median_ms * 1e3 / TIMES for key, value in interleave(subjects, rounds).items()}
    return (name, size, per_op["numpy"], *(per_op[checks.value] - per_op["numpy"] for checks in Checks))


def _numpy_ms(work: Callable[[int], object], size: int) -> float:
    start = time.process_time()
    for _ in range(TIMES):
        work(size)
    return (time.process_time() - start) * 1e3


def _simulate_ms(program: Program, checks: Checks) -> float:
    arguments = [ArrayArg(name=param.name, data=A.copy()) for param in program.params]
    start = time.process_time()
    result = simulate(program, target=DEFAULT_SOC, blocks=1, args=arguments, options=SimOptions(checks=checks))
    spent = (time.process_time() - start) * 1e3
    if not result.ok:
        raise RuntimeError(result.error)
    return spent
