# SPDX-License-Identifier: Apache-2.0
"""Where and when a session stops: breakpoints of all kinds, entries, pauses, steps back."""

from __future__ import annotations

import pytest
from dapclient import SCRIPTS, line
from dapscale import SCALE, at

FLAGS = SCRIPTS / "flags.py"
QUEUES = SCRIPTS / "queues.py"
LONG = SCRIPTS / "long.py"


def resume(client, thread):
    client.ask("continue", threadId=thread)
    return client.stopped()["threadId"]


def top(client, thread):
    return client.stack(thread)[0]


def test_condition_on_a_loop_variable(start):
    c = start(FLAGS, stops=[{"line": line(FLAGS, "k.add"), "condition": "tile == 2"}])
    core = c.stopped()["threadId"]
    assert c.evaluate(top(c, core), "tile") == "2"
    c.ask("continue", threadId=core)
    c.event("terminated")
    assert "right True" in c.output()


@pytest.mark.parametrize(("hits", "tiles"), [("3", [2, 3]), ("== 2", [1]), ("% 2", [1, 3])])
def test_hit_counts(start, hits, tiles):
    c = start(FLAGS, stops=[{"line": line(FLAGS, "k.add"), "hitCondition": hits}])
    for tile in tiles:
        core = c.stopped()["threadId"]
        assert c.evaluate(top(c, core), "tile") == str(tile)
        c.send("continue", threadId=core)
    c.event("terminated")


def test_log_points_and_prints_in_order(start):
    log = {"line": line(FLAGS, "k.add"), "logMessage": "adds {x_local[0]} of tile {tile}"}
    c = start(FLAGS, stops=[log], cores=[0])
    c.event("terminated")
    told = [event["body"] for event in c.log if event["event"] == "output" and event["body"].get("line")]
    first = [(body["line"], body["output"]) for body in told if body["data"]["core"] == 0]
    add, printed = line(FLAGS, "k.add"), line(FLAGS, "k.print")
    expected = [
        item
        for tile in range(4)
        for item in ((add, f"adds {64.0 * tile} of tile {tile}\n"), (printed, f"tile {tile}\n"))
    ]
    assert first == expected
    assert all(body["source"]["path"] == str(FLAGS) for body in told)


def test_a_wrong_condition_stops_and_says_why(start):
    c = start(FLAGS, stops=[{"line": line(FLAGS, "k.add"), "condition": "nope > 1"}])
    assert c.where(c.stopped()["threadId"])[1] == line(FLAGS, "k.add")
    assert "NameError: name 'nope'" in c.output()


def test_a_wrong_hit_count_is_not_verified(start):
    c = start(FLAGS, stops=[{"line": line(FLAGS, "k.add"), "hitCondition": "often"}])
    assert c.breakpoints[0]["verified"] is False
    assert "often" in c.breakpoints[0]["message"]
    c.event("terminated")


def test_stop_on_entry_is_the_first_line_of_the_script(start):
    c = start(FLAGS, stopOnEntry=True)
    thread = c.stopped()["threadId"]
    name, at_line = c.where(thread)
    assert name == "<module>"
    assert at_line <= 4
    c.ask("continue", threadId=thread)
    c.event("terminated")
    assert "right True" in c.output()


def test_stop_on_kernel_entry_stops_every_launch(start):
    c = start(SCALE, stopOnKernelEntry=True)
    for mark in ("launch1", "launch2"):
        stop = c.stopped()
        assert stop["reason"] == "entry"
        frames = c.stack(stop["threadId"])
        assert (frames[0]["line"], frames[1]["line"]) == (at("k.first"), at(mark))
        c.send("continue", threadId=stop["threadId"])
    c.event("terminated")


def test_breakpoints_on_every_core(start):
    c = start(SCALE, stops=[at("k.muls")], cores=None)
    names = []
    for _ in range(4):
        thread = c.stopped()["threadId"]
        names.append(c.names()[thread])
        c.send("continue", threadId=thread)
    c.event("terminated")
    assert sorted(names) == ["AIV 0", "AIV 0", "AIV 1", "AIV 1"]


def test_steps_through_helpers(start):
    c = start(QUEUES, stops=[line(QUEUES, "k.compute")])
    core = c.stopped()["threadId"]
    c.set_breakpoints(QUEUES)

    def go(command):
        c.ask(command, threadId=core)
        assert c.stopped()["threadId"] == core
        return c.where(core)

    assert go("stepIn") == ("compute", line(QUEUES, "compute.first"))
    assert go("next")[0] == "compute"
    name, back = go("stepOut")
    assert (name, back) in {("add", line(QUEUES, "k.store")), ("add", line(QUEUES, "k.compute"))}
    c.ask("stepOut", threadId=core)
    assert c.where(c.stopped()["threadId"]) == ("main", line(QUEUES, "after"))


def test_step_back_shows_what_was(start):
    c = start(SCALE, stops=[at("k.print")])
    core = c.stopped()["threadId"]
    assert c.evaluate(top(c, core), "float(y_local[3])") == "30.0"
    for _ in range(2):
        c.ask("stepBack", threadId=core)
        c.stopped()
    assert c.where(core)[1] <= at("k.muls")
    assert c.evaluate(top(c, core), "float(y_local[3])") == "nan"  # memory that nobody has written
    assert resume(c, core) == core
    assert c.evaluate(top(c, core), "float(y_local[3])") == "30.0"
    c.set_breakpoints(SCALE)
    c.ask("reverseContinue", threadId=core)
    assert c.where(c.stopped()["threadId"]) == ("scale", at("k.first"))
    c.ask("continue", threadId=core)
    c.event("terminated")
    assert "first 81280.0" in c.output()


def test_pause_of_a_long_kernel(start):
    c = start(LONG)
    c.event("thread", lambda _body: "AIV 0" in c.names().values())
    core = c.thread("AIV 0")
    for _ in range(2):
        c.ask("pause", threadId=core)
        stop = c.stopped()
        assert (stop["reason"], stop["threadId"]) == ("pause", core)
        frames = c.stack(core)
        assert frames[0]["name"] == "spin"
        assert c.evaluate(frames[1], "x.size") == "8"
        c.ask("continue", threadId=core)


def test_breakpoint_set_while_the_kernel_runs(start):
    c = start(LONG)
    c.event("thread", lambda _body: "AIV 0" in c.names().values())
    assert c.set_breakpoints(LONG, line(LONG, "k.turn"))[0]["verified"]
    stop = c.stopped()
    assert c.where(stop["threadId"]) == ("spin", line(LONG, "k.turn"))
    before = int(c.evaluate(top(c, stop["threadId"]), "turn"))
    core = resume(c, stop["threadId"])
    assert int(c.evaluate(top(c, core), "turn")) == before + 1


def test_a_kernel_that_waits_for_ever_stops_and_raises(start):
    c = start(LONG, "stuck", stops=[line(LONG, "end")])
    stop = c.stopped()
    assert stop["reason"] == "exception"
    assert "deadlock" in stop["text"]
    assert c.where(stop["threadId"])[0] == "stuck"
    host = resume(c, stop["threadId"])
    assert c.where(host)[1] == line(LONG, "end")
    assert "caught" in c.output()


def test_entry_is_armed_by_step_in_only(start):
    c = start(SCALE, stops=[at("launch1")])
    host = c.stopped()["threadId"]
    c.ask("next", threadId=host)
    assert c.where(c.stopped()["threadId"]) == ("main", at("after1"))
    c.ask("stepIn", threadId=host)
    assert c.where(c.stopped()["threadId"]) == ("main", at("launch2"))
    c.ask("stepIn", threadId=host)
    core = c.stopped()["threadId"]
    assert c.where(core) == ("scale", at("k.first"))
    into = c.stack(core)[1]
    assert into["line"] == at("launch2")


def test_verified_lines_of_kernel_and_host(start):
    c = start(SCALE, stops=[at("k.first"), at("k.last"), at("helper.body")])
    assert c.breakpoints[0] == {**c.breakpoints[0], "verified": True, "line": at("k.first")}
    assert [item["verified"] for item in c.breakpoints] == [True, True, True]
