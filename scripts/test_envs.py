# SPDX-License-Identifier: Apache-2.0
"""Make the interpreters in which tests run users' scripts.

Each environment is optional. One that cannot be made leaves `.venv-NAME/REASON`, which the tests
that need it print as the reason for their skip (`tests/conftest.py`).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
Version = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """Name an environment, the Python versions that may serve it (best first), and its packages."""

    name: str
    versions: tuple[Version, ...]
    packages: tuple[str, ...]

    @property
    def folder(self) -> Path:
        """Return where the environment lives."""
        return ROOT / f".venv-{self.name}"


ENVIRONMENTS = (
    Environment(
        name="pyasc",
        versions=((3, 11), (3, 10), (3, 12), (3, 9)),
        packages=("pyasc==1.1.1", "numpy<2", "pytest>=8"),
    ),
    Environment(name="py39", versions=((3, 9),), packages=("pyasc==1.1.1", "numpy==1.26.4")),
    Environment(name="py310", versions=((3, 10),), packages=("numpy",)),
    Environment(name="py312", versions=((3, 12),), packages=("numpy",)),
    Environment(name="py313", versions=((3, 13),), packages=("numpy",)),
    Environment(
        name="torch",
        versions=((3, 11), (3, 12), (3, 13), (3, 10)),
        packages=("torch==2.13.0+cpu", "numpy", "pytest>=8"),
    ),
)


def main() -> int:
    """Make every environment that is missing; never fail because of one."""
    pythons = find_pythons()
    for environment in ENVIRONMENTS:
        if (environment.folder / "READY").exists():
            continue
        reason = make(environment, pythons)
        print(f"{environment.folder.name}: {'skipped, ' + reason if reason else 'ready'}", flush=True)
    return 0


def find_pythons() -> dict[Version, Path]:
    """Return one working interpreter per version, from PATH and the folders of pyenv and uv."""
    found: dict[Version, Path] = {}
    for candidate in _candidates():
        version = _version(candidate)
        if version is not None:
            found.setdefault(version, candidate)
    return found


def make(environment: Environment, pythons: dict[Version, Path]) -> str:
    """Make one environment and return an empty text, or the reason why it could not be made."""
    shutil.rmtree(environment.folder, ignore_errors=True)
    python = next((pythons[version] for version in environment.versions if version in pythons), None)
    if python is None:
        wanted = ", ".join(f"{major}.{minor}" for major, minor in environment.versions)
        return _give_up(environment, f"no Python {wanted} on this machine")
    commands = (
        [str(python), "-m", "venv", str(environment.folder)],
        [
            f"{environment.folder}/bin/python",
            "-m",
            "pip",
            "install",
            "-qq",
            "--only-binary",
            ":all:",
            *environment.packages,
        ],
    )
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            lines = [line for line in done.stderr.splitlines() if line.startswith("ERROR")] or ["no message"]
            return _give_up(environment, f"could not install {' '.join(environment.packages)}: {lines[-1]}")
    (environment.folder / "READY").write_text("", encoding="utf-8")
    return ""


def _give_up(environment: Environment, reason: str) -> str:
    shutil.rmtree(environment.folder, ignore_errors=True)
    environment.folder.mkdir()
    (environment.folder / "REASON").write_text(reason + "\n", encoding="utf-8")
    return reason


def _candidates() -> list[Path]:
    names = [f"python3.{minor}" for minor in range(9, 15)] + ["python3"]
    found = [Path(path) for name in names if (path := shutil.which(name))]
    homes = (
        Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions",
        Path(os.environ.get("UV_PYTHON_INSTALL_DIR", Path.home() / ".local/share/uv/python")),
    )
    for home in homes:
        found += sorted(home.glob("*/bin/python3"), reverse=True)
    return [Path(sys.executable), *found]


def _version(python: Path) -> Version | None:
    code = "import sys, venv, ensurepip; print(*sys.version_info[:2])"
    try:
        done = subprocess.run([str(python), "-c", code], capture_output=True, text=True, check=False, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return None
    words = done.stdout.split()
    return (int(words[0]), int(words[1])) if done.returncode == 0 and len(words) == 2 else None


if __name__ == "__main__":
    sys.exit(main())
