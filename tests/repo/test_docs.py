# SPDX-License-Identifier: Apache-2.0
"""The documentation names only what exists."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from repo_files import ROOT, text, tracked

PAGES = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"]
FOLDERS = "compiler|server|debugadapter|vscode-extension|samples|tests|benchmarks|docs|scripts"


@pytest.mark.parametrize("page", PAGES)
def test_named_files_exist(page: str) -> None:
    named = set(re.findall(rf"`((?:{FOLDERS})/[\w./-]*)`", text(Path(page))))
    named |= set(re.findall(r"\]\(([\w./-]+)\)", text(Path(page))))
    missing = sorted(name for name in named if not (ROOT / name).exists())
    assert not missing


@pytest.mark.parametrize("page", PAGES)
def test_named_make_targets_exist(page: str) -> None:
    makefile = text(Path("Makefile"))
    for target in set(re.findall(r"(?:`|^)make (\w+)", text(Path(page)), re.M)):
        assert re.search(rf"^{target}:|^{target} |^\.PHONY:.*\b{target}\b", makefile, re.M), target


def test_help_of_make_names_every_target() -> None:
    phony = re.search(r"^\.PHONY: (.*)$", text(Path("Makefile")), re.M)
    assert phony is not None
    shown = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    public = [name for name in phony[1].split() if "-" not in name and name not in ("help", "install")]
    assert [name for name in public if f"make {name} " not in shown] == []


def test_every_decision_has_context_decision_and_consequences() -> None:
    decisions = [path for path in tracked() if path.parts[:2] == ("docs", "decisions")]
    assert decisions
    for path in decisions:
        for word in ("*Context.*", "*Decision.*", "*Consequences.*"):
            assert word in text(path), f"{path}: {word}"
