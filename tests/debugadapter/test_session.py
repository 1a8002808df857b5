# SPDX-License-Identifier: Apache-2.0
"""One session over host script and kernel, as an editor sees it."""

from __future__ import annotations

from dapclient import SCRIPTS, line
from dapscale import SCALE, at, into_kernel

STAGED = SCRIPTS / "staged.py"


def test_response_comes_before_the_stop_it_leads_to(start):
    c = start(SCALE, stops=[at("launch1")])
    thread = c.stopped()["threadId"]
    for command in ("stepIn", "next", "stepOut", "next", "stepIn", "stepOut"):
        c.order.clear()
        c.ask(command, threadId=thread)
        thread = c.stopped()["threadId"]
        assert c.order.index(("response", command)) < c.order.index(("event", "stopped"))


def test_variables_and_evaluate_on_both_sides(start):
    c = start(SCALE, stops=[at("launch1"), at("helper.body"), at("k.print")])
    into_kernel(c)
    c.ask("continue", threadId=c.thread("AIV 0"))
    core = c.stopped()["threadId"]
    device, host, _ = c.stack(core)
    assert device["line"] == at("k.print")
    shown = c.locals(device)
    assert shown["offset"]["value"] == "0"
    assert "float32" in shown["x_local"]["type"] + shown["x_local"]["value"]
    assert c.evaluate(device, "x_local[0:4]") == "[0. 1. 2. 3.]"
    assert c.evaluate(device, "float(y_local[3])") == "30.0"
    assert c.evaluate(host, "x.size + len(mode)") == "128"
    assert c.evaluate(host, "helper(21)") == "42"
    assert "ZeroDivisionError" in c.fail("evaluate", expression="1 / 0", frameId=host["id"])
    assert "stop" in c.locals(host)
    c.quiet("stopped")


def test_staged_step_over_makes_the_name_appear(start):
    mask = line(STAGED, "k.mask")
    c = start(STAGED, stops=[mask])
    assert c.breakpoints[0]["verified"]
    stop = c.stopped()
    core = stop["threadId"]
    frames = c.stack(core)
    assert (frames[0]["name"], frames[0]["line"]) == ("process", mask)
    assert frames[1]["line"] == line(STAGED, "launch")
    assert "mask" not in c.locals(frames[0])
    numbers = c.evaluate(frames[0], "x_local[0:4]")
    assert numbers.startswith("[-1.")
    c.ask("next", threadId=core)
    assert c.stopped()["threadId"] == core
    top = c.stack(core)[0]
    assert top["line"] == line(STAGED, "k.relu")
    assert "mask" in c.locals(top)
    assert "AIV 1" in c.names().values()
    c.ask("stepOut", threadId=core)
    stop = c.stopped()
    assert c.where(stop["threadId"]) == ("main", line(STAGED, "after"))
    c.ask("continue", threadId=stop["threadId"])
    c.event("terminated")
    assert "max 2.0" in c.output()


def test_second_core_is_a_second_thread(start):
    c = start(SCALE, stops=[at("launch1")])
    into_kernel(c)
    second = c.thread("AIV 1")
    frames = c.stack(second)
    assert [frame["name"] for frame in frames] == ["scale"]
    c.ask("next", threadId=second)
    assert c.stopped()["threadId"] == second
    assert c.evaluate(c.stack(second)[0], "offset") == "64"


def test_next_off_the_end_of_the_kernel_stops_after_the_launch(start):
    c = start(SCALE, stops=[at("launch1"), at("k.last")])
    core = into_kernel(c)
    c.ask("continue", threadId=core)
    assert c.where(c.stopped()["threadId"]) == ("scale", at("k.last"))
    c.set_breakpoints(SCALE)
    for _ in range(3):
        c.ask("next", threadId=core)
        stop = c.stopped()
        if stop["threadId"] != core:
            break
    assert c.where(stop["threadId"]) == ("main", at("after1"))


def test_kernel_breakpoint_conditions_and_step_out(start):
    c = start(SCALE, stops=[at("k.muls")])
    stop = c.stopped()
    assert stop["reason"] == "breakpoint"
    assert c.where(stop["threadId"]) == ("scale", at("k.muls"))
    c.set_breakpoints(SCALE)
    c.ask("stepOut", threadId=stop["threadId"])
    stop = c.stopped()
    assert c.where(stop["threadId"]) == ("main", at("after1"))
    c.set_breakpoints(SCALE, {"line": at("k.muls"), "condition": "factor == 3.0"})
    c.ask("continue", threadId=stop["threadId"])
    stop = c.stopped()
    assert c.stack(stop["threadId"])[1]["line"] == at("launch2")
    c.ask("continue", threadId=stop["threadId"])
    c.event("terminated")


def test_continue_cancels_the_host_step_but_keeps_breakpoints(start):
    c = start(SCALE, stops=[at("launch1"), at("end")])
    c.ask("continue", threadId=into_kernel(c))
    assert c.where(c.stopped()["threadId"]) == ("main", at("end"))


def test_printf_is_an_output_event_with_its_line(start):
    c = start(SCALE)
    c.event("terminated")
    prints = [e["body"] for e in c.log if e["event"] == "output" and "scaled by 10" in e["body"]["output"]]
    assert [(p["source"]["path"], p["line"]) for p in prints] == [(str(SCALE), at("k.print"))] * 2


def test_exit_status_is_the_scripts_own(start):
    c = start(SCALE, "status")
    assert c.event("exited")["exitCode"] == 7
    c.event("terminated")


def test_just_my_code_false(start):
    c = start(SCALE, stops=[at("launch1")], justMyCode=False)
    core = into_kernel(c)
    c.ask("stepOut", threadId=core)
    stop = c.stopped()
    assert c.where(stop["threadId"]) == ("main", at("after1"))


def test_wrong_kernel_is_an_exception_in_the_script(start):
    c = start(SCRIPTS / "wrong.py")
    c.event("terminated")
    assert "after True" in c.output()
    assert "caught" in c.output()


def test_wrong_requests_get_an_answer(start):
    c = start(SCALE, stops=[at("launch1")])
    core = into_kernel(c)
    old = c.stack(core)[1]["id"]
    assert "unknown request" in c.fail("frobnicate")
    assert "never existed" in c.fail("next", threadId=4711)
    assert "frame" in c.fail("scopes")
    c.ask("next", threadId=core)
    c.stopped()
    assert "earlier stop" in c.fail("scopes", frameId=old)


def test_no_debug_runs_to_the_end(start):
    c = start(STAGED, stops=[line(STAGED, "k.mask")], noDebug=True)
    c.event("terminated")
    assert "max 2.0" in c.output()
    assert "cycles" in c.output()
    assert not any(event["event"] == "stopped" for event in c.log)
