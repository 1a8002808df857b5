# SPDX-License-Identifier: Apache-2.0
"""However a session ends, nothing of it is left: no process, no open port."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import Any

import pytest
from dapclient import SCRIPTS, Client
from dapscale import SCALE, at, into_kernel

Moment = Callable[[Client, Any], object]


def test_disconnect_while_stopped_leaves_nothing(start, processes):
    c = start(SCALE, stops=[at("k.muls")])
    c.stopped()
    ports = processes.ports()
    assert len(processes.all()) >= 4
    assert ports
    c.wait(c.send("disconnect"))
    c.process.wait(30)
    processes.none_left()
    processes.closed(ports)


def test_disconnect_while_stopped_on_the_host(start, processes):
    c = start(SCALE, "thread", stops=[at("after1")])
    c.stopped()
    c.ask("terminate")
    c.process.wait(30)
    processes.none_left()


def test_end_of_the_script_leaves_nothing(start, processes):
    c = start(SCALE)
    c.event("terminated")
    c.ask("disconnect")
    c.process.wait(30)
    processes.none_left()


@pytest.mark.parametrize("mark", ["launch1", "k.muls"])
def test_adapter_killed_leaves_nothing(start, processes, mark):
    c = start(SCALE, stops=[at(mark)])
    c.stopped()
    ports = processes.ports()
    c.process.kill()
    processes.none_left(60)
    processes.closed(ports)


def test_client_gone_without_a_word(start, processes):
    c = start(SCALE, stops=[at("k.muls")])
    c.stopped()
    c.process.stdin.close()
    c.process.wait(30)
    processes.none_left()


def test_engine_killed_while_stopped(start, processes):
    c = start(SCALE, stops=[at("launch1")])
    into_kernel(c)
    os.kill(processes.find("asclens_compiler.engine"), signal.SIGKILL)
    c.event("terminated")
    assert "device engine ended unexpectedly (signal 9) while kernel 'scale'" in c.output()
    assert "LaunchError: the simulator's engine has ended before the kernel returned" in c.output()


def test_engine_killed_before_a_launch(start, processes):
    c = start(SCALE, stops=[at("launch2")])
    c.stopped()
    os.kill(processes.find("asclens_compiler.engine"), signal.SIGKILL)
    c.event("terminated")
    assert "device engine ended unexpectedly (signal 9)" in c.output()
    assert "LaunchError" in c.output()


def test_engine_killed_while_a_kernel_runs(start, processes):
    c = start(SCRIPTS / "long.py")
    c.event("thread", lambda body: "AIV 0" in c.names().values() and body["reason"] == "started")
    os.kill(processes.find("asclens_compiler.engine"), signal.SIGKILL)
    c.event("terminated")
    assert "while kernel 'spin'" in c.output()
    assert "caught the simulator's engine has ended" in c.output()
    assert "end" in c.output().splitlines()


def _launch(client: Client) -> None:
    client.send("launch", program=str(SCALE), args=["thread"])


def _initialized(client: Client) -> None:
    _launch(client)
    client.event("initialized")


def _configured(client: Client) -> None:
    _initialized(client)
    client.send("configurationDone")


MOMENTS: dict[str, Moment] = {
    "initialize": lambda _c, _p: None,
    "launch": lambda c, _p: _launch(c),
    "adapter of debugpy": lambda c, p: (_launch(c), p.appear("debugpy.adapter")),
    "engine": lambda c, p: (_launch(c), p.appear("asclens_compiler.engine")),
    "launcher": lambda c, p: (_launch(c), p.appear("debugpy/launcher")),
    "script": lambda c, p: (_launch(c), p.appear("-m asclens_host")),
    "initialized": lambda c, _p: _initialized(c),
    "configured": lambda c, _p: _configured(c),
    "running": lambda c, _p: (_configured(c), c.event("output", lambda body: "first" in body["output"])),
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_disconnect_at_any_moment(processes, moment):
    c = Client({processes.name: processes.value})
    c.ask("initialize", adapterID="test")
    MOMENTS[moment](c, processes)
    c.wait(c.send("disconnect"))
    c.process.wait(30)
    processes.none_left()


def test_disconnect_while_a_kernel_runs(start, processes):
    c = start(SCRIPTS / "long.py")
    c.event("thread", lambda _body: "AIV 0" in c.names().values())
    c.wait(c.send("disconnect"))
    c.process.wait(30)
    processes.none_left()


def test_disconnect_while_a_pause_is_asked(start, processes):
    c = start(SCRIPTS / "long.py")
    c.event("thread", lambda _body: "AIV 0" in c.names().values())
    c.send("pause", threadId=c.thread("AIV 0"))
    c.wait(c.send("disconnect"))
    c.process.wait(30)
    processes.none_left()
