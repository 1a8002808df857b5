# SPDX-License-Identifier: Apache-2.0
"""Running a project's own pytest with its kernels on the simulator (`asclens test`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from asclens_compiler.engine.run_script import ScriptRun

PLUGIN = "asclens_host.pytest_plugin"


def pytest_run(
    arguments: Sequence[str], *, python: str | None = None, options: Mapping[str, Any] | None = None
) -> ScriptRun:
    """Return what to run for `pytest ARGUMENTS`; give it to `run_script`."""
    command = ("-m", "pytest", "-p", PLUGIN, "--asc-backend=simulator", *arguments)
    return ScriptRun(command=command, python=python, options=dict(options or {}))
