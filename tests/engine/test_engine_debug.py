# SPDX-License-Identifier: Apache-2.0
"""The debugging part of the protocol, as a debug adapter uses it."""

from __future__ import annotations

import queue
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from asclens_compiler.engine.client import EngineClient
from asclens_compiler.errors import AscLensError

LIMIT_S = 60
KERNEL = """
    import asc
    TILE = 8
    # asclens: run scale x=arange(16) y=zeros(16) factor=2.0 core_num=2
    @asc.jit
    def scale(x: asc.GlobalAddress, y: asc.GlobalAddress, factor: float):
        offset = asc.get_block_idx() * TILE
        x_gm, y_gm = asc.GlobalTensor(), asc.GlobalTensor()
        x_gm.set_global_buffer(x + offset, TILE)
        y_gm.set_global_buffer(y + offset, TILE)
        x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, TILE)
        y_local = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, 32, TILE)
        asc.data_copy(x_local, x_gm, TILE)
        asc.set_flag(asc.HardEvent.MTE2_V, 0)
        asc.wait_flag(asc.HardEvent.MTE2_V, 0)
        for i in range(3):
            double(y_local, x_local, factor)
        asc.set_flag(asc.HardEvent.V_MTE3, 0)
        asc.wait_flag(asc.HardEvent.V_MTE3, 0)
        asc.data_copy(y_gm, y_local, TILE)

    @asc.jit
    def double(out: asc.LocalTensor, source: asc.LocalTensor, factor: float):
        asc.muls(out, source, factor, TILE)
        asc.pipe_barrier(asc.PipeID.PIPE_V)

    # asclens: run endless n=1
    @asc.jit
    def endless(n: int):
        for i in range(2000000000):
            asc.pipe_barrier(asc.PipeID.PIPE_ALL)

    # asclens: run stuck n=1
    @asc.jit
    def stuck(n: int):
        asc.wait_flag(asc.HardEvent.MTE2_S, 0)
"""


class Debugger:
    """An owner that debugs one file's kernels by their directives."""

    def __init__(self, file: Path) -> None:
        self.file = str(file)
        self.text = file.read_text(encoding="utf-8")
        self.events: queue.Queue[tuple[str, dict[str, Any]]] = queue.Queue()
        self.engine = EngineClient.start(on_event=lambda event, body: self.events.put((event, body)))
        self.engine.set_options(debug=True)
        self.running: Any = None

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        return self.engine.request(f"debug.{method}", params, timeout_s=LIMIT_S)

    def line(self, text: str) -> int:
        return next(number for number, line in enumerate(self.text.splitlines(), 1) if text in line)

    def start(self, kernel: str = "scale") -> None:
        self.running = self.engine.send("run_file", {"file": self.file, "text": self.text, "kernel": kernel})

    def stop_at(self, *breakpoints: dict[str, Any] | str) -> list[dict[str, Any]]:
        wanted = [{"line": self.line(item)} if isinstance(item, str) else item for item in breakpoints]
        return self.ask("breakpoints", file=self.file, breakpoints=wanted)["breakpoints"]

    def event(self, *names: str) -> tuple[str, dict[str, Any]]:
        while True:
            name, body = self.events.get(timeout=LIMIT_S)
            if name in names:
                return name, body

    def stopped(self) -> tuple[str, str]:
        """Return reason and source text of the next stop, or "finished"."""
        name, body = self.event("stopped", "launch.finished")
        if name == "launch.finished":
            return "finished", str(body["result"]["error"])
        return body["reason"], self.text.splitlines()[body["line"] - 1].strip()

    def go(self, how: str = "continue", core: int = 0) -> tuple[str, str]:
        self.ask("resume", how=how, core=core)
        return self.stopped()

    def value(self, expression: str, core: int = 0, frame: int = 0) -> str:
        return self.ask("evaluate", core=core, frame=frame, expression=expression)["value"]

    def names(self, core: int = 0, frame: int = 0) -> dict[str, str]:
        found = self.ask("variables", core=core, frame=frame, reference="locals")["variables"]
        return {item["name"]: item["value"] for item in found}


@pytest.fixture
def debugger(tmp_path: Path) -> Iterator[Debugger]:
    file = tmp_path / "kernels.py"
    file.write_text(textwrap.dedent(KERNEL), encoding="utf-8")
    found = Debugger(file)
    yield found
    found.engine.kill()


def test_lines_of_the_device(debugger: Debugger) -> None:
    answer = debugger.ask("kernel_lines", file=debugger.file, text=debugger.text)
    found = {item["name"]: item for item in answer["kernels"]}
    assert set(found) == {"scale", "double", "endless", "stuck"}
    assert found["double"]["stops"] == [debugger.line("asc.muls"), debugger.line("asc.pipe_barrier(asc.PipeID.PIPE_V)")]


def test_breakpoint_step_and_values(debugger: Debugger) -> None:
    assert debugger.stop_at("asc.data_copy(x_local") == [
        {"verified": True, "line": debugger.line("asc.data_copy(x_local")}
    ]
    debugger.start()
    assert debugger.stopped() == ("breakpoint", "asc.data_copy(x_local, x_gm, TILE)")
    assert debugger.value("offset + 1") == "1"
    assert debugger.value("factor") == "2.0"
    assert debugger.go("next") == ("step", "asc.set_flag(asc.HardEvent.MTE2_V, 0)")
    assert debugger.value("x_local[0:4]") == "[0. 1. 2. 3.]"
    assert debugger.value("float(x_local.max())") == "7.0"
    assert debugger.names()["x_local"].startswith("[0.0, 1.0, 2.0")
    page = debugger.ask("variables", core=0, frame=0, reference="tensor:x_local", start=2, count=2)["variables"]
    assert [(item["name"], item["value"]) for item in page] == [("[2]", "2.0"), ("[3]", "3.0")]
    assert debugger.go() == ("finished", "None")
    result = debugger.running.result(LIMIT_S)
    assert result["outputs"][1]["text"] == "[0, 2, 4, 6, 8, 10, 12, 14, ...]"


def test_helpers_are_frames(debugger: Debugger) -> None:
    debugger.stop_at("asc.muls")
    debugger.start()
    assert debugger.stopped()[0] == "breakpoint"
    frames = debugger.ask("stack", core=0)["frames"]
    assert [frame["name"] for frame in frames] == ["double", "scale"]
    assert frames[1]["line"] == debugger.line("double(y_local")
    assert "i" in debugger.names(frame=1)
    debugger.stop_at()
    assert debugger.go("step_out")[1] in ("double(y_local, x_local, factor)", "for i in range(3):")
    assert debugger.value("i") in ("0", "1")


def test_a_step_back_restores_values(debugger: Debugger) -> None:
    debugger.stop_at("for i in range(3)")
    debugger.start()
    debugger.stopped()
    assert debugger.go("step_back") == ("step", "asc.wait_flag(asc.HardEvent.MTE2_V, 0)")
    assert debugger.go("reverse")[0] == "entry"
    with pytest.raises(AscLensError, match="offset"):
        debugger.value("offset")
    debugger.stop_at()
    assert debugger.go() == ("finished", "None")


@pytest.mark.parametrize(
    ("extra", "stops"),
    [
        ({"condition": "i == 1"}, ["1"]),
        ({"hit_condition": "2"}, ["1", "2"]),
        ({"hit_condition": "== 3"}, ["2"]),
        ({"condition": "i > 0", "hit_condition": "% 2"}, ["2"]),
        ({"condition": "nothing"}, ["0", "1", "2"]),
    ],
)
def test_conditions(debugger: Debugger, extra: dict[str, str], stops: list[str]) -> None:
    debugger.stop_at({"line": debugger.line("double(y_local"), **extra})
    debugger.start()
    seen: list[str] = []
    while (stop := debugger.stopped())[0] == "breakpoint":
        seen.append(debugger.value("i"))
        debugger.ask("resume", how="continue", core=0)
    assert (seen, stop) == (stops, ("finished", "None"))


def test_log_points_log_and_do_not_stop(debugger: Debugger) -> None:
    debugger.stop_at({"line": debugger.line("double(y_local"), "log_message": "round {i} of {factor} {nothing}"})
    debugger.start()
    texts = [debugger.event("log", "stopped", "launch.finished")[1].get("text") for _ in range(3)]
    assert texts[0] == "round 0 of 2.0 <NameError: name 'nothing' is not defined>"
    assert texts[2] == "round 2 of 2.0 <NameError: name 'nothing' is not defined>"
    assert debugger.stopped() == ("finished", "None")


def test_a_malformed_hit_condition_is_not_verified(debugger: Debugger) -> None:
    (answer,) = debugger.stop_at({"line": 5, "hit_condition": "often"})
    assert not answer["verified"]
    assert "often" in answer["message"]


def test_variables_can_be_changed(debugger: Debugger) -> None:
    debugger.stop_at("for i in range(3)")
    debugger.start()
    debugger.stopped()
    changed = debugger.ask("set_variable", core=0, frame=0, reference="locals", name="factor", value="2 + 3")
    assert changed["value"] == "5.0"
    element = debugger.ask("set_variable", core=0, frame=0, reference="tensor:x_local", name="[1]", value="100")
    assert element["value"] == "100.0"
    debugger.stop_at()
    debugger.go()
    assert debugger.running.result(LIMIT_S)["outputs"][1]["text"].startswith("[0, 500, 10, 15")


def test_other_cores_stop_when_asked_and_step_alone(debugger: Debugger) -> None:
    debugger.ask("stop_cores", cores=[1])
    debugger.stop_at("asc.data_copy(x_local")
    debugger.start()
    debugger.stopped()
    assert debugger.value("offset", core=1) == "8"
    debugger.stop_at()
    assert debugger.go("next", core=1) == ("step", "asc.set_flag(asc.HardEvent.MTE2_V, 0)")
    assert debugger.value("x_local[0]", core=1) == "8.0"
    with pytest.raises(AscLensError, match="no core 2"):
        debugger.ask("stack", core=2)


def test_entry_stops_at_the_first_line(debugger: Debugger) -> None:
    debugger.ask("entry", thread="*")
    debugger.start()
    assert debugger.stopped() == ("entry", "offset = asc.get_block_idx() * TILE")
    scopes = debugger.ask("scopes", core=0, frame=0)["scopes"]
    assert {"Locals", "Queues and flags", "Pipes"} <= {scope["name"] for scope in scopes}
    pipes = debugger.ask("variables", core=0, frame=0, reference="pipes")["variables"]
    assert {"V", "MTE2", "MTE3"} <= {item["name"] for item in pipes}


def test_a_running_launch_is_paused_and_serves_requests(debugger: Debugger) -> None:
    debugger.start("endless")
    debugger.event("launch.started")
    assert debugger.stop_at("for i in range(2000000000)")[0]["verified"]
    assert debugger.stopped()[0] == "breakpoint"
    debugger.stop_at()
    debugger.ask("resume", how="continue", core=0)
    assert debugger.ask("pause") == {"running": True}
    assert debugger.stopped()[0] == "pause"
    assert debugger.ask("pause") == {"running": False}
    assert int(debugger.value("i")) > 0


def test_a_deadlock_stops_before_the_launch_ends(debugger: Debugger) -> None:
    debugger.start("stuck")
    reason, line = debugger.stopped()
    assert (reason, line) == ("exception", "asc.wait_flag(asc.HardEvent.MTE2_S, 0)")
    assert debugger.names() == {"n": "1"}
    reason, error = debugger.go()
    assert reason == "finished"
    assert "stuck did not finish" in error


def test_without_a_launch_requests_say_so(debugger: Debugger) -> None:
    for method in ("stack", "scopes", "resume", "evaluate"):
        with pytest.raises(AscLensError, match="no kernel is running"):
            debugger.ask(method, core=0, frame=0, how="next", expression="1")
    assert debugger.ask("pause") == {"running": False}


@pytest.mark.parametrize(
    ("request_", "word"),
    [
        (lambda d: d.ask("resume", how="fly", core=0), "fly"),
        (lambda d: d.ask("evaluate", core=0, frame=9, expression="1"), "no frame 9"),
        (lambda d: d.ask("evaluate", core=0, frame=0, expression="1 +"), "SyntaxError"),
        (lambda d: d.ask("variables", core=0, frame=0, reference="tensor:no"), "no tensor"),
        (lambda d: d.ask("variables", core=0, frame=0, reference="what"), "what"),
        (lambda d: d.ask("set_variable", core=0, frame=0, reference="locals", name="x", value="1"), "x"),
        (lambda d: d.ask("set_variable", core=0, frame=0, reference="locals", name="factor", value="'a'"), "str"),
    ],
)
def test_wrong_requests_are_answered(debugger: Debugger, request_: Callable[[Debugger], object], word: str) -> None:
    debugger.ask("entry", thread="*")
    debugger.start()
    debugger.stopped()
    with pytest.raises(AscLensError, match=word):
        request_(debugger)
    assert debugger.value("factor") == "2.0"
