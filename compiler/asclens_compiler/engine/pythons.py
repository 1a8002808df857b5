# SPDX-License-Identifier: Apache-2.0
"""Which interpreter runs a user's script."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from asclens_compiler.errors import AscLensError

_TOOL_FOLDERS = ("/pipx/venvs/", "/uv/tools/")  # environments that hold a program, not the user's packages


def script_python(wanted: str | None = None) -> str:
    """Return the interpreter for scripts: the one that is asked for, else the active environment's.

    Without an active environment it is ours, unless we live in a tool's environment; then it is the
    `python3` on PATH. AscLensError when there is none.
    """
    if wanted:
        found = shutil.which(wanted)
        if found is None:
            raise AscLensError(f"{wanted}: no such Python", help="give --python a path or a name on PATH")
        return found
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        prefix = os.environ.get(variable)
        if prefix and (found := _python_of(Path(prefix))):
            return found
    if any(folder in f"{Path(sys.prefix).as_posix()}/" for folder in _TOOL_FOLDERS):
        found = shutil.which("python3") or shutil.which("python")
        if found:
            return found
    return sys.executable


def _python_of(prefix: Path) -> str | None:
    names = ("Scripts/python.exe", "python.exe") if sys.platform == "win32" else ("bin/python3", "bin/python")
    return next((str(prefix / name) for name in names if (prefix / name).exists()), None)
