# SPDX-License-Identifier: Apache-2.0
"""The documented JSON and the printed JSON have the same keys."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from asclens_compiler.cli.exit_codes import Exit
from asclens_compiler.cli.run_report import LAUNCH_KEYS
from asclens_compiler.diagnostics.json import to_json
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.source.span import NOWHERE
from program import ROOT, asclens

PAGE = (ROOT / "docs/contracts.md").read_text(encoding="utf-8")


def documented(heading: str, table: int = 0) -> list[str]:
    """Return the keys in the first column of a section's n-th table."""
    section = PAGE.split(f"\n## {heading}")[1].split("\n## ")[0]
    tables = re.split(r"\n\n", section)
    rows = [block for block in tables if block.startswith("| ")][table].splitlines()[2:]
    return [key for row in rows for key in re.findall(r"`([\w-]+)`", row.split("|")[1])]


def test_findings_have_the_documented_keys() -> None:
    found = Diagnostic(code="ASC201", name="n", severity=Severity.ERROR, message="m", span=NOWHERE)
    assert sorted(documented("`asclens check")) == sorted(to_json(found))


def test_launches_have_the_documented_keys() -> None:
    assert sorted(documented("`asclens run", 1)) == sorted(LAUNCH_KEYS)


def test_statuses_are_the_documented_ones() -> None:
    statuses = [int(row.split("|")[1]) for row in PAGE.splitlines() if re.match(r"\| \d+ \|", row)]
    assert statuses == [int(status) for status in Exit]


def test_check_prints_the_array() -> None:
    done = asclens("check", "--format", "json", "samples/broken/missing_stage.py")
    assert done.status == 1, done.err
    findings = json.loads(done.out)
    assert findings
    for item in findings:
        assert sorted(item) == sorted(documented("`asclens check"))


def test_run_writes_the_report(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    done = asclens("run", "--seed", "5", "--report", str(file), "samples/ascendc/vector_add.py")
    assert done.status == 0, done.err
    report = json.loads(file.read_text(encoding="utf-8"))
    assert sorted(report) == sorted(documented("`asclens run"))
    assert (report["exit"], report["seed"]) == (0, 5)
    for launch in report["launches"]:
        assert sorted(launch) == sorted(documented("`asclens run", 1))
        texts = {(Path(item["file"]).name, item["text"]) for item in launch["prints"]}
        assert texts == {("vector_add.py", f"core {core} added {tiles(launch)} tiles\n") for core in range(4)}


def tiles(launch: dict[str, object]) -> int:
    """Return the number of tiles that the text of the launch's first print names."""
    prints = launch["prints"]
    assert isinstance(prints, list)
    return int(prints[0]["text"].split()[3])


@pytest.mark.parametrize("stage", ["ast", "ascir", "ascir-opt"])
def test_build_prints_and_writes_the_same(stage: str, tmp_path: Path) -> None:
    file = tmp_path / "out.txt"
    printed = asclens("build", "--emit", stage, "samples/ascendc/vector_add.py")
    written = asclens("build", "--emit", stage, "-o", str(file), "samples/ascendc/vector_add.py")
    assert (printed.status, written.status) == (0, 0), printed.err
    assert printed.out == file.read_text(encoding="utf-8")
    assert "vector_add" in printed.out


def test_build_keeps_locations_when_asked() -> None:
    plain = asclens("build", "--emit", "ascir", "samples/staged/elementwise_add.py")
    located = asclens("build", "--emit", "ascir", "--locations", "samples/staged/elementwise_add.py")
    assert "loc(" not in plain.out
    assert '"samples/staged/elementwise_add.py":' in located.out
    assert plain.out.count("ascir.add_l2") == located.out.count("ascir.add_l2") == 2
