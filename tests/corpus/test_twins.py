# SPDX-License-Identifier: Apache-2.0
"""Small kernels of ours, of the kinds that public tests have: they pass under `asclens test` and are reported on."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from corpus_runs import run_tests

TWINS = Path(__file__).parent / "twins"
# File, number of cases, codes of errors by case.
EXPECTED = [
    (
        "twin_queues.py",
        4,
        {
            "test_scaled_sum[float32-1000]": {"ASC901", "ASC915"},
            "test_scaled_sum[int16-1000]": {"ASC901", "ASC915"},
        },
    ),
    ("twin_forms.py", 6, {}),
    ("twin_insert_sync.py", 1, {}),
]


@pytest.mark.parametrize(("name", "count", "errors"), EXPECTED, ids=[entry[0] for entry in EXPECTED])
def test_twin(name: str, count: int, errors: dict[str, set[str]], tmp_path: Path) -> None:
    file = Path(shutil.copy(TWINS / name, tmp_path / f"test_{name}"))
    cases = run_tests(file, Path(sys.executable), tmp_path)
    assert [(case.name, case.why) for case in cases if not case.passed] == []
    assert len(cases) == count
    found = {case.name: {item.code for item in case.findings if item.severity == "error"} for case in cases}
    assert {name: codes for name, codes in found.items() if codes} == errors
