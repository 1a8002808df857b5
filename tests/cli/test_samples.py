# SPDX-License-Identifier: Apache-2.0
"""Samples do what they say: good ones are clean and right, broken ones give their code at their line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from program import ROOT, Expectation, asclens, broken_samples, good_samples


@pytest.mark.parametrize("item", broken_samples(), ids=lambda item: Path(item.file).stem)
def test_broken_sample(item: Expectation, tmp_path: Path) -> None:
    found = check(item.file) if item.command == "check" else run(item.file, tmp_path)
    places = {(entry["code"], Path(entry["file"]).resolve(), entry["range"]["start"]["line"]) for entry in found}
    assert (item.code, ROOT / item.file, item.line) in places
    others = {code for code, _, _ in places if code != item.code}
    assert not others, "a broken sample shows one defect"


@pytest.mark.parametrize("file", good_samples(), ids=lambda file: Path(file).stem)
def test_good_sample_is_clean(file: str) -> None:
    assert check(file) == []


@pytest.mark.parametrize("file", good_samples(), ids=lambda file: Path(file).stem)
def test_good_sample_runs_right(file: str, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    done = asclens("run", "--report", str(report), file)
    assert done.status == 0, done.err
    assert "correct" in done.out
    content = json.loads(report.read_text(encoding="utf-8"))
    assert content["exit"] == 0
    assert content["launches"]
    for launch in content["launches"]:
        assert launch["ok"]
        assert launch["violations"] == []
        assert launch["cycles"] > 0


def check(file: str) -> list[dict[str, object]]:
    done = asclens("check", "--format", "json", file)
    assert done.status in (0, 1), done.err
    return json.loads(done.out)


def run(file: str, folder: Path) -> list[dict[str, object]]:
    report = folder / "report.json"
    done = asclens("run", "--report", str(report), file)
    launches = json.loads(report.read_text(encoding="utf-8"))["launches"]
    found = [entry for launch in launches for entry in [*launch["violations"], *launch["diagnostics"]]]
    finished = all(launch["ok"] for launch in launches)
    errors = any(entry["severity"] == "error" for entry in found)
    assert done.status == (1 if not finished else 3 if errors else 0), done.err
    return found
