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


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A finding: its code, and the line that it stands at."""

    code: str
    line: int


def broken_samples() -> list[str]:
    """Return the files of samples with a defect."""
    return sorted(str(path.relative_to(ROOT)) for path in (ROOT / "samples/broken").glob("*.py"))


def expected(file: str, command: str) -> set[Place]:
    """Return what a broken sample promises for `check` or `run`.

    Its docstring says `Expects: CODE from check, CODE from run`; lines end in `# defect` for all codes,
    or in `# defect: CODE`.
    """
    text = (ROOT / file).read_text(encoding="utf-8")
    promise = re.search(r"^Expects: (.*), where marked\.$", text, re.M)
    assert promise is not None, f"{file}: no `Expects:` line"
    codes = {code for code, source in re.findall(r"(ASC\d{3}) from (check|run)", promise[1]) if source == command}
    found: set[Place] = set()
    for number, line in enumerate(text.splitlines(), 1):
        mark = re.search(r"# defect(?:: (ASC\d{3}))?$", line)
        if mark:
            found |= {Place(code, number) for code in codes if mark[1] in (None, code)}
    return found


def good_samples() -> list[str]:
    """Return the files of samples that are right."""
    files = [*(ROOT / "samples/staged").glob("*.py"), *(ROOT / "samples/ascendc").glob("*.py")]
    return sorted(str(path.relative_to(ROOT)) for path in files)
