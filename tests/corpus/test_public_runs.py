# SPDX-License-Identifier: Apache-2.0
"""Public scripts and tests of hicann/pyasc, unmodified, on the simulator: all pass, and say exactly what is expected.

`ASCLENS_PYASC_SOURCES` names a checkout; real torch comes from the environment `torch`. Without them: skipped.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from corpus_runs import Case, run_script, run_tests

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

EXPECTED: dict[str, Any] = tomllib.loads((Path(__file__).parent / "expected_runs.toml").read_text(encoding="utf-8"))
FILES = {entry["name"]: entry["cases"] for entry in EXPECTED["file"]}
Place = tuple[str, int, str, str]


@pytest.fixture
def sources() -> Path:
    named = os.environ.get("ASCLENS_PYASC_SOURCES")
    if not named:
        pytest.skip("ASCLENS_PYASC_SOURCES names no checkout of hicann/pyasc")
    return Path(named) / "python"


def run(file: Path, python: Path, scratch: Path) -> list[Case]:
    if file.name.startswith("test_"):
        return run_tests(file, python, scratch)
    return [run_script(file, ["-r", "Model"], python, scratch)]


@pytest.mark.parametrize("name", FILES)
def test_public_file(name: str, sources: Path, tmp_path: Path, script_python: Callable[[str], Path]) -> None:
    cases = run(sources / name, script_python("torch"), tmp_path)
    assert [(case.name, case.why) for case in cases if not case.passed] == []
    assert len(cases) == FILES[name]
    got = {(parameters(case.name), item.line, item.code, item.severity) for case in cases for item in case.findings}
    assert got == expected(name)


def parameters(name: str) -> str:
    """Return what stands in brackets of a test's name, else the name."""
    match = re.search(r"\[(.*)\]", name)
    return match[1] if match else name


def expected(name: str) -> set[Place]:
    return {
        (case, entry["line"], entry["code"], entry["severity"])
        for entry in EXPECTED["finding"]
        if entry["file"] == name
        for case in entry["cases"]
    }


def test_every_finding_has_a_file_and_a_reason() -> None:
    for entry in EXPECTED["finding"]:
        assert entry["file"] in FILES
        assert entry["cases"]
        assert entry["why"]


def test_cases_that_leave_their_arrays() -> None:
    """34 cases of the elementwise files end past their arrays, as counted by hand from their sizes."""
    left = {
        (entry["file"], case)
        for entry in EXPECTED["finding"]
        if entry["code"] == "ASC901" and "past the array" in entry["why"]
        for case in entry["cases"]
    }
    assert len(left) == 34
