# SPDX-License-Identifier: Apache-2.0
"""The probe kernels: each planted mistake that a frontend can see is reported at its line."""

from __future__ import annotations

from pathlib import Path

import pytest
from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.frontend.driver import analyse_file
from asclens_compiler.source.text import SourceText

# Probe -> code expected at the line marked BUG.
AT_THE_LINE = {
    "c01": "ASC102", "c03": "ASC127", "c04": "ASC127", "c06": "ASC102", "c07": "ASC102", "c09": "ASC127",
    "c10": "ASC125", "c12": "ASC807", "c13": "ASC807", "c15": "ASC123", "c16": "ASC133", "c25": "ASC129",
    "m12": "ASC128", "q12": "ASC401", "q13": "ASC402", "q15": "ASC123", "t06": "ASC127", "y01": "ASC017",
    "y03": "ASC005", "y04": "ASC005", "y06": "ASC005", "y07": "ASC101", "y09": "ASC005", "y10": "ASC005",
    "y12": "ASC011", "y13": "ASC101", "y15": "ASC101", "y18": "ASC130", "y19": "ASC103", "y21": "ASC110",
    "y22": "ASC020", "y24": "ASC806", "y25": "ASC021", "y28": "ASC005", "y30": "ASC014", "y31": "ASC023",
    "y33": "ASC005", "y34": "ASC005", "y36": "ASC012", "y39": "ASC106", "y40": "ASC104", "y42": "ASC107",
    "y45": "ASC105", "y46": "ASC107", "y48": "ASC107", "y49": "ASC123", "y51": "ASC103", "y52": "ASC805",
    "y54": "ASC122", "y57": "ASC015", "y58": "ASC102", "y60": "ASC801", "y61": "ASC802", "y63": "ASC804",
    "y64": "ASC801",
}  # fmt: skip
# Probe -> code expected somewhere: the mistake is at the launch, the decorator or another line.
ELSEWHERE = {"c18": "ASC134", "c21": "ASC134", "c22": "ASC131", "c24": "ASC809", "y16": "ASC808", "y27": "ASC019",
             "y43": "ASC810"}  # fmt: skip
# Valid programs for a frontend: what is wrong shows in later analyses or in a run, or nothing is wrong.
CLEAN = ("f01", "f03", "y37", "y55", "s01", "s07", "s10", "m01", "m04", "m10", "q01", "q06", "t04", "x01")


def _analyse(path: Path) -> tuple[int | None, list[tuple[int, str, Severity]]]:
    text = path.read_text(encoding="utf-8")
    line = next((number for number, row in enumerate(text.splitlines(), 1) if "# BUG" in row), None)
    analysis = analyse_file(SourceText(path.name, text))
    assert analysis.kernels, "the kernel is not found"
    return line, [(item.span.line, item.code, item.severity) for item in analysis.diagnostics]


def _probe(folder: Path, name: str) -> Path:
    found = sorted(folder.glob(f"{name}_*.py"))
    if not found:
        pytest.skip(f"probe {name} is not here")
    return found[0]


@pytest.mark.parametrize(("name", "code"), AT_THE_LINE.items())
def test_mistake_is_reported_at_its_line(name: str, code: str, pyasc_probes: Path) -> None:
    line, findings = _analyse(_probe(pyasc_probes, name))
    assert (line, code) in [(at, what) for at, what, _ in findings]


@pytest.mark.parametrize(("name", "code"), ELSEWHERE.items())
def test_mistake_is_reported(name: str, code: str, pyasc_probes: Path) -> None:
    _, findings = _analyse(_probe(pyasc_probes, name))
    assert code in [what for _, what, _ in findings]


@pytest.mark.parametrize("name", CLEAN)
def test_frontend_is_silent(name: str, pyasc_probes: Path) -> None:
    _, findings = _analyse(_probe(pyasc_probes, name))
    assert findings == []
