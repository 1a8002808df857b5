# SPDX-License-Identifier: Apache-2.0
"""Uses that would end the process when done on MLIR's own handles end in a Python exception here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_hostile_uses_end_in_exceptions() -> None:
    program = Path(__file__).parent / "hostile_program.py"
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, timeout=120, check=False)
    lines = done.stdout.splitlines()
    tried = [line.split()[1] for line in lines if line.startswith("try ")]
    caught = [line.split()[1] for line in lines if line.startswith("caught ")]
    assert done.returncode == 0, (lines[-1:], done.stderr[-2000:])
    assert len(tried) >= 24
    assert set(tried) == set(caught)
