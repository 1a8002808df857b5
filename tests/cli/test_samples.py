# SPDX-License-Identifier: Apache-2.0
"""Samples do what they say: good ones are clean and right, broken ones give their code at their line."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from program import Place, asclens, broken_samples, expected, good_samples


@pytest.mark.parametrize("file", broken_samples(), ids=lambda file: Path(file).stem)
def test_check_of_a_broken_sample(file: str) -> None:
    assert places(checked().get(file, [])) == expected(file, "check")


@pytest.mark.parametrize("file", broken_samples(), ids=lambda file: Path(file).stem)
def test_run_of_a_broken_sample(file: str, tmp_path: Path) -> None:
    assert expected(file, "check") | expected(file, "run"), "the sample promises nothing"
    assert places(run(file, tmp_path)) == expected(file, "check") | expected(file, "run")


@pytest.mark.parametrize("file", good_samples(), ids=lambda file: Path(file).stem)
def test_good_sample_is_clean(file: str) -> None:
    assert checked().get(file, []) == []


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


def places(found: list[dict[str, Any]]) -> set[Place]:
    return {Place(item["code"], item["range"]["start"]["line"]) for item in found}


@cache
def checked() -> dict[str, list[dict[str, Any]]]:
    """Check all samples once; return the findings by file."""
    done = asclens("check", "--format", "json", "samples")
    assert done.status == 1, done.err
    found: dict[str, list[dict[str, Any]]] = {}
    for item in json.loads(done.out):
        found.setdefault(item["file"], []).append(item)
    return found


def run(file: str, folder: Path) -> list[dict[str, Any]]:
    report = folder / "report.json"
    done = asclens("run", "--report", str(report), file)
    launches = json.loads(report.read_text(encoding="utf-8"))["launches"]
    found = [entry for launch in launches for entry in [*launch["violations"], *launch["diagnostics"]]]
    finished = all(launch["ok"] for launch in launches)
    errors = any(entry["severity"] == "error" for entry in found)
    assert done.status == (1 if not finished else 3 if errors else 0), done.err
    return found


def test_the_image_sample_saves_its_figure(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / "figure.png"
    done = asclens("run", "samples/staged/image_preprocess.py", str(file))
    assert done.status == 0, done.err
    assert str(file) in done.out
    assert file.read_bytes().startswith(b"\x89PNG")
    assert file.stat().st_size > 10_000
