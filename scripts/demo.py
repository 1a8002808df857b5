# SPDX-License-Identifier: Apache-2.0
"""The demo: shows what AscLens says about broken kernels, then runs good ones on the simulator.

Every broken sample names the code it must give; the demo fails when one is not found, or when a good
sample computes a wrong number.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = os.environ | {"PYTHONUNBUFFERED": "1", **({"FORCE_COLOR": "1"} if sys.stdout.isatty() else {})}
MARK = re.compile(r"# defect(?:: (ASC\d{3}))?$")
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
FOUND = re.compile(r"\[(ASC\d{3})\][^\n]*\n\s*--> ([^\n:]+):(\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """Name a broken sample, the code it must give, the command that gives it, and its line."""

    file: str
    code: str
    command: str
    line: int


def main() -> int:
    """Run both halves and say how many samples behaved."""
    start = time.perf_counter()
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        outcomes = [*show_broken(pool), *run_good(pool)]
    failed = sum(not good for good in outcomes)
    print(f"\n{len(outcomes) - failed} of {len(outcomes)} samples as expected, in {time.perf_counter() - start:.0f} s")
    return 1 if failed else 0


def show_broken(pool: Executor) -> list[bool]:
    """Check all broken samples at once, then run those whose defect shows only in a run."""
    samples = [read_expectations(path) for path in sorted((ROOT / "samples/broken").glob("*.py"))]
    heading("Broken kernels, found without running anything")
    checked = "".join(show(done) for done in asclens(pool, [["check", "samples/broken"]]))
    heading("Broken kernels, found on the simulator")
    commands = [["run", items[0].file] for items in samples if any(item.command == "run" for item in items)]
    ran = "".join(show(done) for done in asclens(pool, commands))
    found = {"check": set(FOUND.findall(checked)), "run": set(FOUND.findall(ran))}
    return [report(items, found) for items in samples]


def read_expectations(path: Path) -> list[Broken]:
    """Return what a sample promises: each code of its docstring at each line marked for it."""
    text = path.read_text(encoding="utf-8")
    promise = re.search(r"^Expects: (.*), where marked\.$", text, re.M)
    if promise is None:
        raise SystemExit(f"{path}: no `Expects:` line")
    marks = [(number, MARK.search(line)) for number, line in enumerate(text.splitlines(), 1)]
    return [
        Broken(file=str(path.relative_to(ROOT)), code=code, command=command, line=number)
        for code, command in re.findall(r"(ASC\d{3}) from (check|run)", promise[1])
        for number, mark in marks
        if mark and mark[1] in (None, code)
    ]


def report(items: Iterable[Broken], found: dict[str, set[tuple[str, str, str]]]) -> bool:
    """Tell whether a sample gave its codes at its lines; name what is missing."""
    missing = [item for item in items if (item.code, item.file, str(item.line)) not in found[item.command]]
    for item in missing:
        print(f"NOT FOUND: {item.code} at {item.file}:{item.line} ({item.command})")
    return not missing


def run_good(pool: Executor) -> list[bool]:
    """Run every good sample; its host code compares the result with NumPy."""
    heading("Good kernels on the simulated NPU")
    files = sorted([*(ROOT / "samples/staged").glob("*.py"), *(ROOT / "samples/ascendc").glob("*.py")])
    outcomes: list[bool] = []
    for done in asclens(pool, [["run", str(path.relative_to(ROOT))] for path in files]):
        show(done)
        outcomes.append(done.returncode == 0)
        if not outcomes[-1]:
            print(f"FAILED: status {done.returncode}")
    return outcomes


def asclens(pool: Executor, commands: Iterable[Sequence[str]]) -> Iterator[subprocess.CompletedProcess[str]]:
    """Run several commands of `asclens` at a time and give them back in order, stderr within stdout."""

    def run(arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "asclens_compiler.cli", *arguments]
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        return subprocess.run(command, cwd=ROOT, text=True, check=False, env=ENVIRONMENT, **streams)

    return pool.map(run, commands)


def heading(text: str) -> None:
    """Print a heading."""
    print(f"\n== {text}\n", flush=True)


def show(done: subprocess.CompletedProcess[str]) -> str:
    """Print a command and what it said; return that without colours."""
    print(f"$ asclens {' '.join(done.args[3:])}\n{done.stdout}", flush=True)
    return COLOURS.sub("", done.stdout)


if __name__ == "__main__":
    sys.exit(main())
