# SPDX-License-Identifier: Apache-2.0
"""A stand-in for the engine's script link: records launches and answers them as a test says."""

from __future__ import annotations

import json
import mmap
import os
import socket
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from asclens_compiler.engine.host_path import host_path

TOKEN = "token-of-the-test"
LIMIT_S = 60

Record = dict[str, Any]
Answer = Callable[["Peer", Record], dict[str, Any] | None]


def fine(peer: Peer, record: Record) -> dict[str, Any]:
    """Answer every launch with success."""
    return {"result": {"ok": True}}


@dataclass
class Peer:
    """One connected script."""

    stream: Any
    sock: socket.socket
    answers: list[dict[str, Any]] = field(default_factory=list)
    number: int = 0

    def send(self, message: Mapping[str, Any]) -> None:
        self.sock.sendall(json.dumps(message).encode() + b"\n")

    def receive(self) -> dict[str, Any] | None:
        line = self.stream.readline()
        return json.loads(line) if line else None

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Ask about the frame that waits for the launch in hand."""
        self.send({"id": 7, "method": method, "params": {"launch": self.number, **params}})
        answer = self.receive()
        assert answer is not None
        assert answer["id"] == 7
        return answer


@dataclass
class Finished:
    """How a script ended, and what it sent."""

    status: int
    out: str
    err: str
    records: list[Record]
    messages: list[dict[str, Any]]


class ToyEngine:
    """Accept scripts on a loopback port."""

    def __init__(self, answer: Answer = fine) -> None:
        self.answer = answer
        self.records: list[Record] = []
        self.messages: list[dict[str, Any]] = []
        self._server = socket.socket()
        self._server.bind(("127.0.0.1", 0))
        self._server.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def link(self) -> str:
        return f"{self._server.getsockname()[1]}:{TOKEN}"

    def close(self) -> None:
        self._server.close()

    def _accept(self) -> None:
        while True:
            try:
                sock, _ = self._server.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(sock,), daemon=True).start()

    def _serve(self, sock: socket.socket) -> None:
        peer = Peer(sock.makefile("rb"), sock)
        first = peer.receive()
        if first != {"token": TOKEN}:
            sock.close()
            return
        while (message := peer.receive()) is not None:
            self.messages.append(message)
            if message.get("method") != "launch":
                continue
            self.records.append(message["params"])
            peer.number = message["id"]
            reply = self.answer(peer, message["params"])
            if reply is None:
                sock.close()
                return
            peer.send({"id": message["id"], **reply})


def run_host(
    python: Path | str,
    script: Path | str,
    args: Sequence[str] = (),
    *,
    answer: Answer = fine,
    env: Mapping[str, str] | None = None,
    link: str | None = None,
    folder: Path | None = None,
) -> Finished:
    """Run a script with the facade against a toy engine."""
    engine = ToyEngine(answer)
    base = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "ASCLENS_LINK")}
    given = {
        **base,
        "PYTHONPATH": str(host_path()),
        "ASCLENS_LINK": engine.link if link is None else link,
        "PYTHONDONTWRITEBYTECODE": "1",
        **(env or {}),
    }
    try:
        done = subprocess.run(
            [str(python), "-m", "asclens_host", str(script), *args],
            capture_output=True, text=True, env=given, timeout=LIMIT_S, cwd=folder or Path(script).parent, check=False,
        )  # fmt: skip
    finally:
        engine.close()
    return Finished(done.returncode, done.stdout, done.stderr, engine.records, engine.messages)


def shared(argument: Record) -> mmap.mmap:
    """Map the memory that an array argument lies in."""
    descriptor = os.open(argument["segment"], os.O_RDWR)
    try:
        return mmap.mmap(descriptor, 0)
    finally:
        os.close(descriptor)


def data(argument: Record) -> bytes:
    """Return the bytes of an array argument."""
    start = argument["offset"]
    return shared(argument)[start : start + argument["nbytes"]]


def overwrite(argument: Record, content: bytes) -> None:
    """Write an array argument's bytes, as a kernel would."""
    assert len(content) == argument["nbytes"]
    start = argument["offset"]
    shared(argument)[start : start + len(content)] = content
