# SPDX-License-Identifier: Apache-2.0
"""Runs scripts and test files of pyasc kernels on the simulator; returns outcomes and what kernels did wrong."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

LIMIT_S = 600
_PLACE = re.compile(r"(.*):(\d+): (\w+)\[(ASC\d+)\]")


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """What a kernel did wrong: at a line, by its code."""

    line: int
    code: str
    severity: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A test, or a script as a whole."""

    name: str
    passed: bool
    why: str
    findings: tuple[Finding, ...]


def _asclens(arguments: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "asclens_compiler.cli", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT_S,
        env=os.environ | {"NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": "1"},
    )


def run_script(script: Path, arguments: Sequence[str], python: Path, scratch: Path) -> Case:
    """Run a script; it passes when it ends with status 0."""
    report = scratch / "report.json"
    done = _asclens(["run", "--python", str(python), "--report", str(report), str(script), *arguments], script.parent)
    content = json.loads(report.read_text(encoding="utf-8")) if report.exists() else {"exit": -1, "launches": []}
    findings = {
        Finding(item["range"]["start"]["line"], item["code"], item["severity"], item["message"])
        for launch in content["launches"]
        for item in launch["violations"]
    }
    good = content["exit"] == 0 and bool(content["launches"])
    return Case(name=script.name, passed=good, why=done.stderr[-400:], findings=tuple(sorted(findings)))


def run_tests(file: Path, python: Path, scratch: Path) -> list[Case]:
    """Run a file of tests with its folder's pytest settings; one case per test."""
    results = scratch / f"{file.stem}.xml"
    options = ["-q", "-p", "no:cacheprovider", f"--junitxml={results}", "-o", "junit_family=xunit1"]
    done = _asclens(["test", "--python", str(python), *options, file.name], file.parent)
    if not results.exists():
        return [Case(name=file.name, passed=False, why=(done.stdout + done.stderr)[-400:], findings=())]
    return [_case(item) for item in ElementTree.parse(results).iter("testcase")]


def _case(item: ElementTree.Element) -> Case:
    bad = [child for child in item if child.tag in ("failure", "error", "skipped")]
    findings: set[Finding] = set()
    for entry in item.iter("property"):
        place, message = ast.literal_eval(entry.get("value", "['', '']"))
        match = _PLACE.fullmatch(place)
        if match is not None:
            findings.add(Finding(int(match[2]), match[4], match[3], message))
    name = item.get("name", "").replace("Backend.", "")
    why = " ".join((bad[0].get("message") or "").split())[:200] if bad else ""
    return Case(name=name, passed=not bad, why=why, findings=tuple(sorted(findings)))
