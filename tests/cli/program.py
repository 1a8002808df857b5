# SPDX-License-Identifier: Apache-2.0
"""The `asclens` program as a user starts it, for tests."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LIMIT_S = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What a finished program left."""

    status: int
    out: str
    err: str


def asclens(*args: str, cwd: Path = ROOT, stdin: bytes = b"", python: str = sys.executable) -> Done:
    """Run `asclens ARGS` in a process of its own, without colours."""
    done = subprocess.run(
        [python, "-m", "asclens_compiler.cli", *args],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        check=False,
        timeout=LIMIT_S,
        env=os.environ | {"NO_COLOR": "1", "PYTHONUTF8": "1", "COLUMNS": "100"},
    )
    return Done(status=done.returncode, out=done.stdout.decode(), err=done.stderr.decode())


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """What the docstring of a broken sample promises."""

    file: str
    code: str
    command: str
    line: int


def broken_samples() -> list[Expectation]:
    """Return the expectation of every file in `samples/broken`."""
    found: list[Expectation] = []
    for path in sorted((ROOT / "samples/broken").glob("*.py")):
        text = path.read_text(encoding="utf-8")
        expects = re.search(r"^Expects: (ASC\d{3}) from (check|run)", text, re.M)
        lines = [number for number, line in enumerate(text.splitlines(), 1) if line.endswith("# defect")]
        assert expects is not None, f"{path}: no `Expects:` line"
        assert len(lines) == 1, f"{path}: mark exactly one line as `# defect`"
        name = str(path.relative_to(ROOT))
        found.append(Expectation(file=name, code=expects[1], command=expects[2], line=lines[0]))
    return found


def good_samples() -> list[str]:
    """Return the files of samples that are right."""
    files = [*(ROOT / "samples/staged").glob("*.py"), *(ROOT / "samples/ascendc").glob("*.py")]
    return sorted(str(path.relative_to(ROOT)) for path in files)
