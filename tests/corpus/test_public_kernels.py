# SPDX-License-Identifier: Apache-2.0
"""The frontend on public kernels: exactly the expected findings, everything else compiles and decodes.

`ASCLENS_PYASC_SOURCES` names a checkout of hicann/pyasc; without it the tests are skipped.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from asclens_compiler.frontend.driver import analyse_file
from asclens_compiler.frontend.result import FileAnalysis
from asclens_compiler.source.text import SourceText

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FOLDERS = ("tutorials", "test/kernels", "test/generalization", "test/unit")
UNSUPPORTED = "ASC129"


@pytest.fixture(scope="module")
def sources() -> Path:
    named = os.environ.get("ASCLENS_PYASC_SOURCES")
    if not named:
        pytest.skip("ASCLENS_PYASC_SOURCES names no checkout of hicann/pyasc")
    return Path(named) / "python"


@pytest.fixture(scope="module")
def analyses(sources: Path) -> dict[str, FileAnalysis]:
    found: dict[str, FileAnalysis] = {}
    for folder in FOLDERS:
        for path in sorted((sources / folder).rglob("*.py")):
            name = path.relative_to(sources).as_posix()
            found[name] = analyse_file(SourceText(name, path.read_text(encoding="utf-8")))
    return found


@pytest.fixture(scope="module")
def expected() -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / "expected_findings.toml").read_text(encoding="utf-8"))


def test_findings(analyses: dict[str, FileAnalysis], expected: dict[str, Any]) -> None:
    got = {
        (name, item.span.line, item.code): item.message
        for name, analysis in analyses.items()
        for item in analysis.diagnostics
        if item.code != UNSUPPORTED
    }
    wanted = {(row["file"], row["line"], row["code"]) for row in expected["finding"]}
    extra = {key: message for key, message in got.items() if key not in wanted}
    assert extra == {}
    assert wanted - set(got) == set()


def _unsupported(analyses: dict[str, FileAnalysis]) -> Iterator[str]:
    for analysis in analyses.values():
        for item in analysis.diagnostics:
            if item.code == UNSUPPORTED:
                match = re.match(r"`([\w.]+)`", item.message)
                assert match, item.message
                yield match.group(1)


def test_unsupported_calls_are_the_known_ones(analyses: dict[str, FileAnalysis], expected: dict[str, Any]) -> None:
    assert set(_unsupported(analyses)) - set(expected["unsupported"]) == set()


def test_kernels_without_findings_verify(analyses: dict[str, FileAnalysis]) -> None:
    compiled = 0
    for name, analysis in analyses.items():
        for kernel in analysis.kernels:
            if kernel.ok and kernel.unit is not None:
                assert kernel.unit.verify() == [], (name, kernel.kernel)
                assert kernel.program() is not None
                compiled += 1
    assert compiled >= 300


def test_our_samples_have_no_findings(root: Path) -> None:
    for path in sorted((root / "samples" / "ascendc").glob("*.py")):
        analysis = analyse_file(SourceText(path.name, path.read_text(encoding="utf-8")))
        assert analysis.kernels, path
        assert analysis.diagnostics == (), path
        assert all(kernel.ok for kernel in analysis.kernels), path
