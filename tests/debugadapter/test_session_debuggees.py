# SPDX-License-Identifier: Apache-2.0
"""The same session on every kind of debuggee, and on the tutorials of pyasc."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from dapclient import SCRIPTS, line
from dapscale import SCALE, at, into_kernel

STANDIN = Path(__file__).parent.parent / "engine" / "standin"


def test_step_in_lands_on_the_first_kernel_line(start, python):
    c = start(SCALE, stops=[at("launch1")], python=python)
    core = into_kernel(c)
    frames = [(frame["name"], frame["line"]) for frame in c.stack(core)]
    assert frames[:2] == [("scale", at("k.first")), ("main", at("launch1"))]
    assert frames[2][0] == "<module>"
    assert len(frames) == 3
    assert [(f["name"], f["line"]) for f in c.stack(c.thread("MainThread"))] == frames[1:]
    c.ask("stepOut", threadId=core)
    stop = c.stopped()
    assert c.where(stop["threadId"]) == ("main", at("after1"))
    c.ask("continue", threadId=stop["threadId"])
    c.event("terminated")
    assert "end" in c.output().splitlines()


def step_through(c, script: Path, launch: int, after: int) -> None:
    """Go from the launch line into the kernel, two steps on, out again, and to the end."""
    host = c.stopped()["threadId"]
    c.ask("stepIn", threadId=host)
    core = c.stopped()["threadId"]
    assert c.names()[core] == "AIV 0"
    device, *waiting = c.stack(core)
    assert device["source"]["path"] == str(script)
    assert waiting[0]["line"] == launch
    lines = [device["line"]]
    for _ in range(2):
        c.ask("next", threadId=core)
        assert c.stopped()["threadId"] == core
        lines.append(c.where(core)[1])
    assert lines == sorted(set(lines))
    assert c.evaluate(c.stack(core)[0], "x[0:2].size") == "2"
    c.ask("stepOut", threadId=core)
    stop = c.stopped()
    assert c.where(stop["threadId"])[1] == after
    c.ask("continue", threadId=stop["threadId"])


@pytest.mark.parametrize("name", ["flags.py", "queues.py"])
def test_tutorials_in_our_words(start, python, name):
    script = SCRIPTS / name
    launch = line(script, "launch")
    c = start(script, stops=[launch], python=python)
    step_through(c, script, launch, line(script, "after"))
    assert c.event("exited")["exitCode"] == 0
    c.event("terminated")
    assert "right True" in c.output()


@pytest.mark.parametrize("name", ["01_add/add.py", "02_add_framework/add_framework.py"])
def test_tutorials_of_pyasc(start, pyasc_sources, name):
    script = pyasc_sources / "python" / "tutorials" / name
    launch = next(
        number
        for number, text in enumerate(script.read_text(encoding="utf-8").splitlines(), 1)
        if "vadd_kernel[" in text
    )
    c = start(script, stops=[launch], python=sys.executable, env={"PYTHONPATH": str(STANDIN)})
    step_through(c, script, launch, launch + 1)
    assert c.event("exited")["exitCode"] == 0
    c.event("terminated")
    assert "run success" in c.output()
