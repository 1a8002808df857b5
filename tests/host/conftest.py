# SPDX-License-Identifier: Apache-2.0
"""Interpreters and scripts of the host tests."""

from __future__ import annotations

import importlib.util
import sys
import textwrap
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
VERSIONS = ((3, 9), (3, 11), (3, 12), (3, 13))


@cache
def _pythons() -> dict[tuple[int, int], Path]:
    spec = importlib.util.spec_from_file_location("test_envs", ROOT / "scripts" / "test_envs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module.find_pythons()


@pytest.fixture(params=VERSIONS, ids=lambda version: "python{}.{}".format(*version))
def bare_python(request: pytest.FixtureRequest) -> Path:
    """Return an interpreter of each supported version, without packages in mind."""
    version: tuple[int, int] = request.param
    python = _pythons().get(version)
    if python is None:
        pytest.skip(f"no Python {version[0]}.{version[1]} on this machine")
    return python


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes a script and gives its path."""

    def write_script(text: str, name: str = "script.py") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    return write_script
