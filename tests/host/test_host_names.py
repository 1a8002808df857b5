# SPDX-License-Identifier: Apache-2.0
"""The facade's table of names agrees with the opset."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_names_are_up_to_date(root: Path) -> None:
    script = root / "scripts" / "generate_host_names.py"
    done = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"run python {script.relative_to(root)}\n{done.stderr}"
