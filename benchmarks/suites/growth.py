# SPDX-License-Identifier: Apache-2.0
"""How check, compile and run time grow with the length of a kernel."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from asclens_compiler.backends.simulator.api import ArrayArg
from asclens_compiler.backends.simulator.run import simulate
from asclens_compiler.engine.analysis import check_file
from asclens_compiler.frontend.driver import DEFAULT_SOC
from asclens_compiler.source.text import SourceText
from kernels import FILE, compile_text, straight
from measure import Table, growth_exponent, interleave, timed
from workers import compile_workers

LINES = (100, 300, 1000, 3000)
STATEMENT = "asc.adds(b, a, 1.0, 256)"


def run(rounds: int) -> Table:
    rows = [_row(lines, max(3, rounds // 3)) for lines in LINES]
    exponents = tuple(
        growth_exponent(LINES, [row[column] for row in rows]) if all(row[column] for row in rows) else None  # type: ignore[misc]
        for column in range(1, 5)
    )
    return Table(
        title="Growth with kernel length, milliseconds",
        columns=("statements", "check", "compile", "run", "real pyasc compile"),
        rows=(*((f"{row[0]:.0f}", *row[1:]) for row in rows), ("exponent", *exponents)),
        notes=("Straight-line kernels of equal statements. Exponent 1 is linear growth.",),
    )


def _row(lines: int, rounds: int) -> tuple[float, float, float, float, float | None]:
    text = straight(STATEMENT, lines)
    source = SourceText(FILE, text)
    program = compile_text(text)
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / FILE
        script.write_text(text, encoding="utf-8")
        with compile_workers(script, Path(folder)) as workers:
            subjects = {name: worker.measure for name, worker in workers.items()}
            subjects["check"] = timed(lambda: check_file(source, soc=DEFAULT_SOC, facts=False))
            subjects["run"] = timed(
                lambda: simulate(program, target=DEFAULT_SOC, blocks=1, args=[_array(p.name) for p in program.params])
            )
            found = {name: value.median_ms for name, value in interleave(subjects, rounds).items()}
    return (lines, found["check"], found["ours"], found["run"], found.get("real"))


def _array(name: str) -> ArrayArg:
    return ArrayArg(name=name, data=np.ones(8192, np.float32))
