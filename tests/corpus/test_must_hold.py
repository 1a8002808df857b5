# SPDX-License-Identifier: Apache-2.0
"""Small scripts as a newcomer writes them: what `asclens run` shows."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PRINTED = """
import asc; print(asc.Tensor(shape=(1024,), dtype=asc.DataType.FLOAT32, scope=asc.Scope.GLOBAL))
"""
LINES = r"""
import asc
import asc.lib.runtime as rt
import numpy as np
@asc.jit
def lines(x: asc.GlobalAddress):
    asc.printf("plain %d\n", 1)
    asc.printf("escaped %d\\n", 2)
lines[1, rt.current_stream()](np.zeros(8, np.float32))
"""


def run(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    script = folder / "script.py"
    script.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "asclens_compiler.cli", "run", str(script)]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120, cwd=folder)


def test_a_tensor_prints_a_readable_line(tmp_path: Path) -> None:
    assert run(PRINTED, tmp_path).stdout == "Tensor(shape=(1024,), dtype=float32, scope=GLOBAL)\n"


def test_a_newline_in_printf_is_a_newline(tmp_path: Path) -> None:
    shown = run(LINES, tmp_path).stderr
    assert "plain 1\n" in shown
    assert "escaped 2\n" in shown
    assert "\\n" not in shown
