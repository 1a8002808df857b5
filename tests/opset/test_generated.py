# SPDX-License-Identifier: Apache-2.0
"""Generated pages are up to date."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path


def test_op_pages_are_current(root: Path) -> None:
    script = root / "scripts" / "generate_op_docs.py"
    done = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_stubs_are_current(root: Path) -> None:
    script = root / "scripts" / "generate_stubs.py"
    done = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_stubs_are_python(root: Path) -> None:
    files = sorted((root / "compiler" / "asclens_compiler" / "stubs").rglob("*.pyi"))
    assert len(files) > 40
    for file in files:
        ast.parse(file.read_text(encoding="utf-8"))
