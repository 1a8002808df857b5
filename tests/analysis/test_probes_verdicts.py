# SPDX-License-Identifier: Apache-2.0
"""Every probe kernel of memory, queues, flags and types has the verdict that is stated here."""

from __future__ import annotations

from pathlib import Path

import pytest
from analysis_cases import check
from asclens_compiler.diagnostics.model import Diagnostic, Severity

ROOT = Path(__file__).resolve().parents[2]
PROBES = ROOT.parent / "shared" / "facts" / "pyasc_1_1_1" / "probes"
# Probe -> the code at the line marked BUG; the marked line may also be the other place of the finding.
AT_THE_LINE = {
    "m01": "ASC309", "m03": "ASC308", "m04": "ASC310", "m06": "ASC303", "m07": "ASC312", "m09": "ASC305",
    "m10": "ASC305", "m13": "ASC305", "m15": "ASC302", "q01": "ASC403", "q03": "ASC404", "q04": "ASC405",
    "q06": "ASC406", "q07": "ASC409", "q09": "ASC408", "q10": "ASC408", "q16": "ASC403", "q18": "ASC413",
    "s01": "ASC211", "s03": "ASC212", "s04": "ASC213", "s06": "ASC216", "s07": "ASC211", "s09": "ASC212",
    "s10": "ASC211", "s12": "ASC218", "s13": "ASC215", "t01": "ASC150", "t03": "ASC501", "t04": "ASC150",
    "t07": "ASC504", "t09": "ASC507", "t12": "ASC306", "t13": "ASC504",
}  # fmt: skip
# Probe -> the code that names the planted mistake, and why it stands at another line.
ELSEWHERE = {
    "i03": ("ASC150", "the operation is known here; the copies around it have other element types than their memory"),
    "f01": ("ASC211", "the queue protocol is right, but the tile is read before the copy into it is awaited"),
}
# Nothing of what is planted is wrong for the machine, or only the real toolchain's pass spoils it.
CLEAN = ("f03", "i01")
# Only a scalar's spelling differs; the tile that is read was never written, which is reported.
UNWRITTEN = ("t10",)


def _check(name: str) -> tuple[int | None, list[Diagnostic]]:
    found = sorted(PROBES.glob(f"{name}_*.py"))
    if not found:
        pytest.skip(f"probe {name} is not here")
    text = found[0].read_text(encoding="utf-8")
    line = next((number for number, row in enumerate(text.splitlines(), 1) if "# BUG" in row), None)
    return line, check(text, found[0].name)


@pytest.mark.parametrize(("name", "code"), AT_THE_LINE.items())
def test_mistake_at_its_line(name: str, code: str) -> None:
    line, found = _check(name)
    mine = [item for item in found if item.code == code]
    assert line in {place for item in mine for place in (item.span.line, *(other.span.line for other in item.related))}


@pytest.mark.parametrize(("name", "code"), [(name, code) for name, (code, _) in ELSEWHERE.items()])
def test_mistake_elsewhere(name: str, code: str) -> None:
    _, found = _check(name)
    assert code in {item.code for item in found}


@pytest.mark.parametrize("name", CLEAN)
def test_clean(name: str) -> None:
    _, found = _check(name)
    assert [item.code for item in found if item.severity is not Severity.ADVICE] == []


@pytest.mark.parametrize("name", UNWRITTEN)
def test_only_what_was_never_written(name: str) -> None:
    _, found = _check(name)
    assert {item.code for item in found} == {"ASC311"}


def test_every_probe_of_these_kinds_has_a_verdict() -> None:
    if not PROBES.is_dir():
        pytest.skip("the probe kernels lie outside the repository and are not here")
    frontend = {"m12", "q12", "q13", "q15", "t06"}
    stated = {*AT_THE_LINE, *ELSEWHERE, *CLEAN, *UNWRITTEN, *frontend}
    names = {path.name.split("_")[0] for path in PROBES.glob("[fimqst]*.py")}
    assert names - stated == set()
