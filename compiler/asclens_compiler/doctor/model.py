# SPDX-License-Identifier: Apache-2.0
"""What the doctor looks at and what it finds."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path


class Status(Enum):
    """Say how a finding bears on running kernels on an NPU."""

    OK = "ok"
    NOTE = "note"  # worth knowing, stops nothing
    FAULT = "fault"  # kernels cannot run on the NPU until it is mended
    UNKNOWN = "unknown"  # could not be looked at


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One statement about the machine; `fix` is the exact command or step that mends a fault."""

    name: str
    status: Status
    message: str
    fix: str = ""


@dataclass(frozen=True, slots=True)
class CommandResult:
    """What a command printed; `status` None means that it is not installed."""

    status: int | None
    output: str


Runner = Callable[[Sequence[str]], CommandResult]
COMMAND_LIMIT_S = 20


def run_command(command: Sequence[str]) -> CommandResult:
    """Run a command and return its output; a missing or hanging one is a result, not an error."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=COMMAND_LIMIT_S, check=False)
    except (FileNotFoundError, PermissionError):
        return CommandResult(None, "")
    except subprocess.TimeoutExpired:
        return CommandResult(-1, f"no answer within {COMMAND_LIMIT_S} s")
    return CommandResult(done.returncode, done.stdout + done.stderr)


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """The machine as the checks see it; tests give another root, environment and runner.

    `python` is the interpreter that runs the user's scripts.
    """

    root: Path = Path("/")
    env: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    run: Runner = run_command
    python: str = "python3"
    os_name: str = field(default_factory=platform.system)
    machine: str = field(default_factory=platform.machine)
    home: Path = field(default_factory=Path.home)

    def path(self, absolute: str | Path) -> Path:
        """Return an absolute path under this system's root."""
        return self.root / str(absolute).lstrip("/")

    def read(self, absolute: str | Path) -> str | None:
        """Return the text of a file, or None when it cannot be read."""
        try:
            return self.path(absolute).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return None

    def exists(self, absolute: str | Path) -> bool:
        """Tell whether a path exists."""
        return self.path(absolute).exists()


def ok(name: str, message: str) -> Finding:
    """Make a finding that all is well."""
    return Finding(name=name, status=Status.OK, message=message)


def note(name: str, message: str, fix: str = "") -> Finding:
    """Make a finding that stops nothing."""
    return Finding(name=name, status=Status.NOTE, message=message, fix=fix)


def fault(name: str, message: str, fix: str) -> Finding:
    """Make a finding that must be mended before kernels run on an NPU."""
    return Finding(name=name, status=Status.FAULT, message=message, fix=fix)


def unknown(name: str, message: str, fix: str = "") -> Finding:
    """Make a finding about something that could not be looked at."""
    return Finding(name=name, status=Status.UNKNOWN, message=message, fix=fix)
