# SPDX-License-Identifier: Apache-2.0
"""Running a user's script with its kernels on the simulator: engine and script side by side."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from asclens_compiler.engine.client import EngineClient, EngineLostError
from asclens_compiler.engine.host_path import host_path
from asclens_compiler.engine.pythons import script_python
from asclens_compiler.errors import AscLensError

LINK_VARIABLE = "ASCLENS_LINK"
VIOLATIONS_STATUS = 3
_INTERRUPT_LIMIT_S = 5.0

JsonObject = dict[str, Any]
EventHandler = Callable[[str, JsonObject], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptRun:
    """What to run: `command` is what follows `python` in the user's mind (`script.py args`, `-m module args`).

    `options` are those of the engine (`engine/state.py`); `python` None chooses an interpreter.
    """

    command: Sequence[str]
    python: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    environment: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptOutcome:
    """How it went.

    `status` is the script's own (128 + n when signal n ended it), `launches` are launch results in
    order (docs/engine-protocol.md), `engine_lost` says how the engine ended early, if it did.
    """

    status: int
    launches: tuple[JsonObject, ...]
    interpreter: str
    engine_version: str
    seed: int
    engine_lost: str = ""
    wall_s: float = 0.0

    @property
    def exit_status(self) -> int:
        """Return the script's status, or 3 when it succeeded although a kernel violated something."""
        return VIOLATIONS_STATUS if self.status == 0 and any(map(has_errors, self.launches)) else self.status

    def report(self) -> JsonObject:
        """Return the report of docs/contracts.md."""
        return {
            "exit": self.exit_status,
            "interpreter": self.interpreter,
            "engine": self.engine_version,
            "seed": self.seed,
            "launches": list(self.launches),
        }


def has_errors(launch: Mapping[str, Any]) -> bool:
    """Tell whether a launch failed or found something of severity error."""
    found = [*launch.get("diagnostics", ()), *launch.get("violations", ())]
    return not launch.get("ok", True) or any(item["severity"] == "error" for item in found)


class _Session:
    """Collects launches and passes events on."""

    def __init__(self, on_event: EventHandler | None) -> None:
        self._on_event = on_event
        self.launches: list[JsonObject] = []

    def hear(self, event: str, body: JsonObject) -> None:
        if event == "launch.finished":
            self.launches.append(body["result"])
        if self._on_event is not None:
            self._on_event(event, body)


def run_script(run: ScriptRun, *, on_event: EventHandler | None = None) -> ScriptOutcome:
    """Run a script to its end with inherited stdin, stdout and stderr.

    Events arrive on a thread of their own while it runs. AscLensError when it cannot be started.
    """
    python = script_python(run.python)
    session = _Session(on_event)
    started = time.perf_counter()
    with EngineClient.start(on_event=session.hear) as engine:
        facts = engine.request("hello")
        engine.set_options(**run.options)
        link = engine.request("listen")
        script = _start(python, run, f"{link['port']}:{link['token']}")
        status = _wait(script)
        lost = "" if engine.alive else _how_it_ended(engine)
        if not lost:
            lost = _settle(engine)
    return ScriptOutcome(
        status=128 - status if status < 0 else status,
        launches=tuple(session.launches),
        interpreter=python,
        engine_version=str(facts["version"]),
        seed=int(run.options.get("seed", 0)),
        engine_lost=lost,
        wall_s=time.perf_counter() - started,
    )


def script_environment(link: str, base: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment in which a script finds the facade and the engine."""
    environment = dict(os.environ if base is None else base)
    paths = [str(host_path()), environment.get("PYTHONPATH", "")]
    environment["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
    environment[LINK_VARIABLE] = link
    return environment


def _start(python: str, run: ScriptRun, link: str) -> subprocess.Popen[bytes]:
    program = str(host_path() / "asclens_host" / "__main__.py")
    try:
        return subprocess.Popen([python, program, *run.command], env=script_environment(link, run.environment))
    except OSError as error:
        raise AscLensError(
            f"{python} cannot be started: {error.strerror or error}", help="give --python another interpreter"
        ) from error


def _wait(script: subprocess.Popen[bytes]) -> int:
    """Wait for the script; Ctrl-C reaches it too, and it decides what to do about it."""
    deadline: float | None = None
    while True:
        try:
            return script.wait(None if deadline is None else max(0.0, deadline - time.monotonic()))
        except KeyboardInterrupt:
            deadline = time.monotonic() + _INTERRUPT_LIMIT_S
        except subprocess.TimeoutExpired:
            script.kill()
            return script.wait()


def _settle(engine: EngineClient) -> str:
    """Wait until the events of all launches are here; the answer to a request comes after them."""
    try:
        engine.request("hello", timeout_s=_INTERRUPT_LIMIT_S)
    except EngineLostError as error:
        return error.message
    return ""


def _how_it_ended(engine: EngineClient) -> str:
    status = engine.status or 0
    return f"the engine ended early ({'signal' if status < 0 else 'status'} {abs(status)})"
