# SPDX-License-Identifier: Apache-2.0
"""Compile time per sample, side by side with the real pyasc frontend."""

from __future__ import annotations

import tempfile
from pathlib import Path

from measure import Table, interleave
from workers import ROOT, compile_workers


def run(rounds: int) -> Table:
    rows: list[tuple[str | float | None, ...]] = []
    with tempfile.TemporaryDirectory() as folder:
        for script in sorted((ROOT / "samples/ascendc").glob("*.py")):
            rows.append(_row(script, Path(folder), rounds))
    return Table(
        title="Compile time per launch",
        columns=("sample", "launches", "ours, ms", "real pyasc, ms", "ours / real"),
        rows=tuple(rows),
        notes=(
            "ours: frontend, verification, passes, decoding. real pyasc 1.1.1: code generation, passes, emission.",
            "Medians of CPU time, interleaved rounds, warm processes; both compile the same launches of the same file.",
        ),
    )


def _row(script: Path, folder: Path, rounds: int) -> tuple[str | float | None, ...]:
    with compile_workers(script, folder) as workers:
        launches = workers["ours"].facts["launches"]
        timings = interleave({name: worker.measure for name, worker in workers.items()}, rounds)
    ours = timings["ours"].median_ms / launches
    real = timings["real"].median_ms / launches if "real" in timings else None
    return (script.stem, launches, ours, real, ours / real if real else None)
