# SPDX-License-Identifier: Apache-2.0
"""Mistakes that others published are caught: a kernel of ours each, or where else they are caught."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "analysis"))

from analysis_cases import Case, cases_of, check, places  # noqa: E402

CAUGHT = 0.9
HERE = Path(__file__).parent
COLLECTED = ROOT.parent / "shared" / "cases" / "public_failures.csv"
ALL = list(cases_of(HERE / "public_failures.md"))
ELSEWHERE: dict[str, str] = tomllib.loads((HERE / "public_failures_elsewhere.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", ALL, ids=[case.title for case in ALL])
def test_failure_is_caught(case: Case) -> None:
    found = check(case.text)
    assert places(found) == sorted(set(case.expected)), [(item.span.line, item.message) for item in found]
    assert case.expected


def test_every_reproducible_row_is_accounted_for() -> None:
    if not COLLECTED.is_file():
        pytest.skip("the collected cases lie outside the repository and are not here")
    with COLLECTED.open(encoding="utf-8", newline="") as file:
        wanted = [row["id"] for row in csv.DictReader(file) if row["reproducible_as_tiny_pyasc_kernel"] == "y"]
    shown = {case.title.split(":")[0] for case in ALL}
    assert set(wanted) - shown - set(ELSEWHERE) == set()
    caught = [row for row in wanted if not ELSEWHERE.get(row, "").startswith("open")]
    assert len(caught) / len(wanted) >= CAUGHT
