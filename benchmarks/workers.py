# SPDX-License-Identifier: Apache-2.0
"""Processes that measure in another environment, one answer per line, so that rounds can interleave."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from asclens_compiler.engine import client
from asclens_compiler.engine.run_script import ScriptRun, run_script

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


class Worker:
    """A child that answers each line with the seconds that its work took."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.facts: dict[str, Any] = self._read()

    def measure(self) -> float:
        """Return the milliseconds of one round."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return float(self._read()) * 1e3

    def close(self) -> None:
        """End the child."""
        self._process.kill()
        self._process.wait()

    def _read(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self._process.args} ended with status {self._process.wait()}")
        return json.loads(line)


@contextmanager
def compile_workers(script: Path, folder: Path) -> Iterator[dict[str, Worker]]:
    """Give a worker per compiler for the launches of a script: "ours", and "real" where it is installed."""
    records = folder / f"{script.stem}.jsonl"
    record_launches(script, records)
    workers = {"ours": Worker([sys.executable, str(HERE / "our_compiler.py"), str(records)])}
    real = real_python()
    if real is not None:
        workers["real"] = Worker([real, str(HERE / "real_pyasc.py"), str(script)])
    try:
        yield workers
    finally:
        for worker in workers.values():
            worker.close()


def real_python() -> str | None:
    """Return the interpreter that has the real pyasc, or None."""
    given = os.environ.get("ASCLENS_PYASC_PYTHON")
    if given:
        return given
    folder = ROOT / ".venv-pyasc"
    return str(folder / "bin/python") if (folder / "READY").exists() else None


def record_launches(script: Path, records: Path) -> None:
    """Run a script and write its launch records."""
    records.unlink(missing_ok=True)
    command = [sys.executable, str(HERE / "recording_engine.py")]
    with (
        mock.patch.object(client, "engine_command", return_value=command),
        mock.patch.dict(os.environ, {"ASCLENS_RECORDS": str(records)}),
    ):
        outcome = run_script(ScriptRun(command=[str(script)], python=sys.executable))
    if outcome.exit_status or not records.exists():
        raise RuntimeError(f"{script} did not run right")
