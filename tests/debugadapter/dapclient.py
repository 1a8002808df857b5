# SPDX-License-Identifier: Apache-2.0
"""A DAP client for the tests: blocking calls with deadlines on events."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

Message = dict[str, Any]
SCRIPTS = Path(__file__).parent / "scripts"
LIMIT_S = 120.0  # a busy machine is no failure


def line(script: Path, mark: str) -> int:
    """Return the line that carries the comment `# @mark`."""
    lines = script.read_text(encoding="utf-8").split("\n")
    return next(number for number, text in enumerate(lines, 1) if text.rstrip().endswith("# @" + mark))


class Client:
    """One adapter process and the conversation with it."""

    def __init__(self, env: dict[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "asclens_debugadapter"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **(env or {})},
        )
        self.seq = 0
        self.responses: dict[int, Message] = {}
        self.log: list[Message] = []
        self.order: list[tuple[str, str]] = []
        self.requests: list[Message] = []
        self.answer: Callable[[Message], bool] = lambda _request: False
        self._events: queue.Queue[Message] = queue.Queue()
        self._got = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        stream = self.process.stdout
        while True:
            length = 0
            while text := stream.readline().strip():
                length = int(text.split(b":")[1])
            if not length:
                return
            message = json.loads(stream.read(length))
            with self._got:
                self._take(message)
                self._got.notify_all()

    def _take(self, message: Message) -> None:
        if not (message.get("body") or {}).get("preserveFocusHint"):
            self.order.append((message["type"], message.get("command") or message["event"]))
        if message["type"] == "response":
            self.responses[message["request_seq"]] = message
        elif message["type"] == "event":
            self.log.append(message)
            self._events.put(message)
        else:
            self.requests.append(message)
            fields = {"request_seq": message["seq"], "command": message["command"], "success": self.answer(message)}
            self._post({"type": "response", **fields})

    def _post(self, message: Message) -> int:
        self.seq += 1
        data = json.dumps({"seq": self.seq, **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self.process.stdin.flush()
        return self.seq

    def send(self, command: str, **arguments: Any) -> int:
        return self._post({"type": "request", "command": command, "arguments": arguments})

    def wait(self, seq: int, limit_s: float = LIMIT_S) -> Message:
        with self._got:
            assert self._got.wait_for(lambda: seq in self.responses, limit_s), f"no response; events {self.recent()}"
            return self.responses[seq]

    def ask(self, command: str, **arguments: Any) -> Message:
        response = self.wait(self.send(command, **arguments))
        assert response["success"], response
        return response.get("body", {})

    def fail(self, command: str, **arguments: Any) -> str:
        response = self.wait(self.send(command, **arguments))
        assert not response["success"], response
        return response["message"]

    def recent(self) -> list[tuple[str, Any]]:
        return [(event["event"], event.get("body")) for event in self.log][-10:]

    def event(
        self, name: str, where: Callable[[Message], bool] = lambda _body: True, limit_s: float = LIMIT_S
    ) -> Message:
        end = time.monotonic() + limit_s
        while True:
            try:
                message = self._events.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"no event {name!r}; got {self.recent()}") from None
            if message["event"] == name and where(message["body"]):
                return message["body"]

    def quiet(self, name: str) -> None:
        """Assert that no event of this name is on its way: a round trip later nothing has come."""
        self.ask("threads")
        while not self._events.empty():
            message = self._events.get()
            assert message["event"] != name or message["body"].get("preserveFocusHint"), message

    def requested(self, command: str, limit_s: float = LIMIT_S) -> Message:
        """Return the first request of the adapter for a command, once it is answered."""
        with self._got:
            asked = lambda: next((item for item in self.requests if item["command"] == command), None)  # noqa: E731
            assert self._got.wait_for(asked, limit_s), self.recent()
            return asked()

    def launch(
        self,
        program: Path,
        *args: str,
        stops: Sequence[int | Message] = (),
        children: bool = False,
        answer: Callable[[Message], bool] | None = None,
        **more: Any,
    ) -> None:
        self.answer = answer or self.answer
        self.ask("initialize", adapterID="test", supportsStartDebuggingRequest=children)
        self._begin(self.send("launch", program=str(program), args=list(args), **more), program, stops)

    def attach(self, configuration: Message, program: Path, stops: Sequence[int | Message]) -> None:
        self.ask("initialize", adapterID="test")
        self._begin(self.send("attach", **configuration), program, stops)

    def _begin(self, seq: int, program: Path, stops: Sequence[int | Message]) -> None:
        self.event("initialized")
        self.breakpoints = self.set_breakpoints(program, *stops)
        self.ask("setExceptionBreakpoints", filters=[])
        self.ask("configurationDone")
        response = self.wait(seq)
        assert response["success"], response

    def set_breakpoints(self, program: Path, *stops: int | Message) -> list[Message]:
        wanted = [stop if isinstance(stop, dict) else {"line": stop} for stop in stops]
        return self.ask("setBreakpoints", source={"path": str(program)}, breakpoints=wanted)["breakpoints"]

    def stopped(self, limit_s: float = LIMIT_S) -> Message:
        return self.event("stopped", lambda body: not body.get("preserveFocusHint"), limit_s)

    def names(self) -> dict[int, str]:
        return {thread["id"]: thread["name"] for thread in self.ask("threads")["threads"]}

    def thread(self, name: str) -> int:
        return next(number for number, found in self.names().items() if found == name)

    def stack(self, thread: int) -> list[Message]:
        return self.ask("stackTrace", threadId=thread)["stackFrames"]

    def where(self, thread: int) -> tuple[str, int]:
        top = self.stack(thread)[0]
        return top["name"], top["line"]

    def locals(self, frame: Message) -> dict[str, Message]:
        scope = self.ask("scopes", frameId=frame["id"])["scopes"][0]
        found = self.ask("variables", variablesReference=scope["variablesReference"])["variables"]
        return {variable["name"]: variable for variable in found}

    def evaluate(self, frame: Message, expression: str) -> str:
        return self.ask("evaluate", expression=expression, frameId=frame["id"])["result"]

    def output(self) -> str:
        return "".join(event["body"]["output"] for event in self.log if event["event"] == "output")

    def close(self) -> None:
        if self.process.poll() is None:
            try:
                self.wait(self.send("disconnect"), 15)
            except (AssertionError, OSError):
                self.process.kill()
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
