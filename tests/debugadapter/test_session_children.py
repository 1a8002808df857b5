# SPDX-License-Identifier: Apache-2.0
"""Child processes of the script and its other threads."""

from __future__ import annotations

import pytest
from dapclient import SCRIPTS, Client, line
from dapscale import SCALE, at, into_kernel

PARENT = SCRIPTS / "parent.py"
CHILD = SCRIPTS / "child.py"


@pytest.mark.parametrize("children", [False, True], ids=["cannot", "refuses"])
def test_child_runs_through_and_has_no_device(start, children):
    c = start(PARENT, "launch", children=children)
    c.event("terminated")
    assert "child has 42" in c.output()
    assert "LaunchError: there is no device" in c.output()
    assert "child ended with 1" in c.output()
    assert "in the child's kernel" not in c.output()
    assert [request["command"] for request in c.requests] == (["startDebugging"] if children else [])


def test_client_opens_a_session_for_the_child(start, processes):
    seconds: list[Client] = []

    def accept(request: dict) -> bool:
        configuration = request["arguments"]["configuration"]
        assert configuration["type"] == "asclens"
        assert "env" not in configuration
        seconds.append(Client({processes.name: processes.value}))
        return True

    c = start(PARENT, children=True, answer=accept)
    request = c.requested("startDebugging")
    second = seconds[0]
    second.attach(request["arguments"]["configuration"], CHILD, [line(CHILD, "child")])
    stop = second.stopped()
    assert second.where(stop["threadId"]) == ("<module>", line(CHILD, "child"))
    assert second.evaluate(second.stack(stop["threadId"])[0], "6 * 7") == "42"
    second.ask("continue", threadId=stop["threadId"])
    second.event("terminated")
    second.close()
    c.event("terminated")
    assert "child ended with 0" in c.output()


def test_other_threads_breakpoint_while_the_kernel_is_stopped(start):
    c = start(SCALE, "thread", stops=[at("launch1")])
    core = into_kernel(c)
    bound = c.set_breakpoints(SCALE, at("other.tick"))
    stop = c.stopped()
    assert c.names()[stop["threadId"]] == "ticker"
    assert stop["hitBreakpointIds"] == [bound[0]["id"]]
    assert c.where(core) == ("scale", at("k.first"))
    assert c.evaluate(c.stack(core)[1], "float(y[0])") == "0.0"
    c.set_breakpoints(SCALE)
    c.ask("continue", threadId=stop["threadId"])
    c.event("terminated")
    assert "first" in c.output()


def test_device_step_while_another_thread_stands(start):
    c = start(SCALE, "thread", stops=[at("launch1")])
    core = into_kernel(c)
    c.set_breakpoints(SCALE, at("other.tick"))
    c.stopped()
    c.set_breakpoints(SCALE)
    c.ask("next", threadId=core)
    assert c.stopped()["threadId"] == core
    assert c.where(core)[1] > at("k.first")
    c.ask("stepOut", threadId=core)
    assert c.where(c.stopped()["threadId"]) == ("main", at("after1"))


def test_other_threads_breakpoint_while_the_kernel_runs(start):
    script = SCRIPTS / "long.py"
    c = start(script, "thread")
    c.event("thread", lambda _body: "AIV 0" in c.names().values())
    c.set_breakpoints(script, line(script, "other.tick"))
    stop = c.stopped()
    assert c.names()[stop["threadId"]] == "ticker"
    core = c.thread("AIV 0")
    assert c.stack(core)[0]["name"] == "spin"
    c.set_breakpoints(script)
    c.ask("continue", threadId=stop["threadId"])
    c.ask("pause", threadId=core)
    assert c.stopped()["threadId"] == core
