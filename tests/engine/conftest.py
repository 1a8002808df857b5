# SPDX-License-Identifier: Apache-2.0
"""Interpreters, scripts and processes of the engine tests."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from asclens_compiler.engine.client import EngineClient

PYASC_SOURCES = "ASCLENS_PYASC_SOURCES"


@pytest.fixture
def client() -> Iterator[EngineClient]:
    """Return a client with a fresh engine."""
    with EngineClient.start() as engine:
        yield engine


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes a script and gives its path."""

    def write_script(text: str, name: str = "script.py") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    return write_script


@pytest.fixture(scope="session")
def pyasc_sources() -> Path:
    """Return a checkout of hicann/pyasc, whose scripts run unmodified."""
    folder = os.environ.get(PYASC_SOURCES)
    if not folder:
        pytest.skip(f"{PYASC_SOURCES} names no checkout of hicann/pyasc")
    return Path(folder)
