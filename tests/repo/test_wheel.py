# SPDX-License-Identifier: Apache-2.0
"""The wheel holds every file of our packages, and nothing else at top level."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from repo_files import ROOT, tracked

HOMES = ("compiler", "server", "debugadapter")
NOT_SHIPPED = frozenset({"ruff.toml", "README.md"})


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "-qq", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (wheel,) = folder.glob("asclens-*.whl")
    return set(zipfile.ZipFile(wheel).namelist())


def test_every_file_of_the_packages_is_in_the_wheel(names: set[str]) -> None:
    ours = [path for path in tracked() if path.parts[0] in HOMES and path.name not in NOT_SHIPPED]
    missing = [str(path) for path in ours if str(Path(*path.parts[1:])) not in names]
    assert not missing


def test_the_wheel_installs_no_top_level_asc(names: set[str]) -> None:
    top = {name.split("/")[0] for name in names}
    assert {name for name in top if not name.endswith(".dist-info")} == {
        "asclens_compiler", "asclens_debugadapter", "asclens_host", "asclens_server",
    }  # fmt: skip


def test_the_licence_is_in_the_wheel(names: set[str]) -> None:
    assert any(name.endswith("LICENSE") for name in names)
