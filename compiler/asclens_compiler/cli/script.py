# SPDX-License-Identifier: Apache-2.0
"""Running a user's script in its own interpreter, linked to an engine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from asclens_compiler.engine.client import EngineClient, EngineLostError
from asclens_compiler.engine.host_path import host_path
from asclens_compiler.errors import AscLensError

EventHandler = Callable[[str, Mapping[str, Any]], None]
_LINK_VARIABLE = "ASCLENS_LINK"
_INTERRUPT_LIMIT_S = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """Name a script, its arguments, and the interpreter that runs it."""

    path: str
    arguments: tuple[str, ...]
    python: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptEnd:
    """State how a script ended; `engine_lost` says that the engine went first."""

    status: int
    engine_version: str
    engine_lost: str = ""


def choose_python(given: str | None) -> str:
    """Return the interpreter for scripts; AscLensError when it does not exist.

    In order: the one given, `ASCLENS_PYTHON`, the active virtual or conda environment, the one that
    runs AscLens.
    """
    wanted = given or os.environ.get("ASCLENS_PYTHON")
    if wanted:
        found = shutil.which(os.path.expanduser(wanted))
        if found is None:
            raise AscLensError(f"there is no Python interpreter {wanted}", help="name one with --python")
        return found
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        home = os.environ.get(variable)
        if home and (found := shutil.which("python", path=str(Path(home) / _SCRIPTS))):
            return found
    return sys.executable


def interpreter_version(python: str) -> str:
    """Return the version of an interpreter, such as `3.11.7`; AscLensError when it does not start."""
    command = [python, "-S", "-c", "import platform; print(platform.python_version())"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise AscLensError(f"{python} does not start as a Python interpreter") from error
    return done.stdout.strip()


def run_script(script: Script, options: Mapping[str, Any], on_event: EventHandler) -> ScriptEnd:
    """Run a script to its end; events of its launches arrive while it runs, on another thread.

    The script's stdin, stdout and stderr are ours. Its status follows the shell's custom: 128 plus
    the number of the signal that ended it.
    """
    with EngineClient.start(on_event=on_event) as client:
        client.set_options(**options)
        link = client.request("listen")
        environment = _environment(f"{link['port']}:{link['token']}")
        status = _wait(_start(script, environment))
        try:
            version = str(client.request("hello")["version"])  # its answer comes after the last event
        except EngineLostError as error:
            return ScriptEnd(status=status, engine_version="", engine_lost=str(error))
    return ScriptEnd(status=status, engine_version=version)


_SCRIPTS = "Scripts" if sys.platform == "win32" else "bin"


def _environment(link: str) -> dict[str, str]:
    paths = [str(host_path()), os.environ.get("PYTHONPATH", "")]
    return os.environ | {_LINK_VARIABLE: link, "PYTHONPATH": os.pathsep.join(path for path in paths if path)}


def _start(script: Script, environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    command: Sequence[str] = [script.python, "-m", "asclens_host", script.path, *script.arguments]
    try:
        return subprocess.Popen(command, env=environment)
    except OSError as error:
        raise AscLensError(f"cannot start {script.python}: {error.strerror or error}") from error


def _wait(process: subprocess.Popen[bytes]) -> int:
    try:
        status = process.wait()
    except KeyboardInterrupt:
        # The terminal sent Ctrl-C to the script as well: it ends by itself, or is ended.
        try:
            process.wait(_INTERRUPT_LIMIT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        raise
    return 128 - status if status < 0 else status
