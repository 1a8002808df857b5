# SPDX-License-Identifier: Apache-2.0
"""A small language client that times what an editor would wait for."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import Any, BinaryIO, cast

Message = dict[str, Any]


class Editor:
    """One server process and the conversation with it, one message at a time."""

    def __init__(self) -> None:
        started = time.perf_counter()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "asclens_server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._number = 0
        self._answers: list[Message] = []
        self.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        self.ready_ms = 1e3 * (time.perf_counter() - started)
        self.notify("initialized", {})

    def request(self, method: str, params: Message) -> Any:
        """Return the result of a request."""
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        while True:
            message = self._read()
            if message.get("id") == self._number and "method" not in message:
                return message.get("result")

    def notify(self, method: str, params: Message) -> None:
        """Send a notification."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def open(self, uri: str, text: str) -> float:
        """Open a document; return the milliseconds to its diagnostics."""
        started = time.perf_counter()
        document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})
        self._wait(uri, 1)
        return 1e3 * (time.perf_counter() - started)

    def edit(self, uri: str, version: int, place: tuple[int, int], new_text: str, old_length: int) -> float:
        """Replace a piece of one line; return the milliseconds to the diagnostics of that version."""
        line, column = place
        span = {
            "start": {"line": line, "character": column},
            "end": {"line": line, "character": column + old_length},
        }
        started = time.perf_counter()
        self.notify(
            "textDocument/didChange",
            {
                "textDocument": {"uri": uri, "version": version},
                "contentChanges": [{"range": span, "text": new_text}],
            },
        )
        self._wait(uri, version)
        return 1e3 * (time.perf_counter() - started)

    def hover(self, uri: str, line: int, column: int) -> float:
        """Return the milliseconds of a hover."""
        started = time.perf_counter()
        place = {"textDocument": {"uri": uri}, "position": {"line": line, "character": column}}
        self.request("textDocument/hover", place)
        return 1e3 * (time.perf_counter() - started)

    def close(self) -> None:
        """End the server."""
        self.request("shutdown", {})
        self.notify("exit", {})
        self._process.wait(30)

    def _wait(self, uri: str, version: int) -> None:
        while True:
            message = self._read()
            params = message.get("params") or {}
            published = message.get("method") == "textDocument/publishDiagnostics"
            if published and (params.get("uri"), params.get("version")) == (uri, version):
                return

    def _send(self, message: Message) -> None:
        data = json.dumps(message).encode()
        stdin = cast("BinaryIO", self._process.stdin)
        stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        stdin.flush()

    def _read(self) -> Message:
        stdout = cast("BinaryIO", self._process.stdout)
        length = 0
        while line := stdout.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        if not length:
            raise RuntimeError("the language server ended")
        return json.loads(stdout.read(length))
