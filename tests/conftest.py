# SPDX-License-Identifier: Apache-2.0
"""What all tests share: where the repository is, and the interpreters that run users' scripts."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The machine may be busy: time never decides. A failure prints how to repeat it.
settings.register_profile(
    "asclens", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.load_profile("asclens")

ROOT = Path(__file__).resolve().parent.parent
# Test modules may share names (`--import-mode=importlib`); helpers beside them are imported by unique names.
sys.path[:0] = sorted(str(folder) for folder in (ROOT / "tests").iterdir() if folder.is_dir())


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the folder of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def script_python() -> Callable[[str], Path]:
    """Return a function that names the interpreter of an environment (`scripts/test_envs.py`), or skips.

    `ASCLENS_PYASC_PYTHON` may name another interpreter for the environment `pyasc`.
    """

    def find(name: str) -> Path:
        override = os.environ.get(f"ASCLENS_{name.upper()}_PYTHON")
        if override:
            return Path(override)
        folder = ROOT / f".venv-{name}"
        if (folder / "READY").exists():
            return folder / "bin" / "python"
        reason = folder / "REASON"
        why = reason.read_text(encoding="utf-8").strip() if reason.exists() else "`make test` has not made it"
        pytest.skip(f"environment {name}: {why}")

    return find
