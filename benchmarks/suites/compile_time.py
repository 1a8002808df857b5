# SPDX-License-Identifier: Apache-2.0
"""Compile time per sample, side by side with the real pyasc frontend."""

from __future__ import annotations

import tempfile
from pathlib import Path

from measure import Table, interleave
from workers import ROOT, Worker, compile_workers


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
        refused = "real" in workers and not _answers(workers["real"])
        subjects = {name: worker.measure for name, worker in workers.items() if name == "ours" or not refused}
        timings = interleave(subjects, rounds)
    ours = timings["ours"].median_ms / launches
    if "real" not in timings:
        return (script.stem, launches, ours, "refused" if refused else None, None)
    real = timings["real"].median_ms / launches
    return (script.stem, launches, ours, real, ours / real)


def _answers(worker: Worker) -> bool:
    try:
        worker.measure()
    except RuntimeError:
        return False
    return True
