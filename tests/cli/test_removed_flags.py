# SPDX-License-Identifier: Apache-2.0
"""Take any flag call out of the hand-synchronised sample: the run names the missing order, with both lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from program import ROOT, asclens

LINES = (ROOT / "samples/ascendc/vector_add.py").read_text(encoding="utf-8").splitlines(keepends=True)
CALLS = [number for number, line in enumerate(LINES) if "_flag(" in line]
RACE, NEVER_WAITED, DEADLOCK = "ASC905", "ASC908", "ASC910"


@pytest.mark.parametrize("number", CALLS, ids=lambda number: f"{LINES[number].strip()} line {number + 1}")
def test_a_removed_flag_call_is_reported(number: int, tmp_path: Path) -> None:
    indent = LINES[number][: len(LINES[number]) - len(LINES[number].lstrip())]
    text = "".join([*LINES[:number], f"{indent}pass\n", *LINES[number + 1 :]])
    script, report = tmp_path / "vector_add.py", tmp_path / "report.json"
    script.write_text(text, encoding="utf-8")
    done = asclens("run", "--report", str(report), str(script))
    assert done.status in (1, 3), done.err
    found = [
        item for launch in json.loads(report.read_text(encoding="utf-8"))["launches"] for item in launch["violations"]
    ]
    codes = {item["code"] for item in found}
    if "set_flag" in LINES[number]:
        assert DEADLOCK in codes
        event = LINES[number].split("HardEvent.")[1].split(",")[0]
        assert any(event in item["message"] for item in found if item["code"] == DEADLOCK)
    else:
        assert codes & {RACE, NEVER_WAITED, "ASC907"}
        for item in found:
            if item["code"] == RACE:
                assert item["related"], "a race has two places"
