# SPDX-License-Identifier: Apache-2.0
"""Links: JSON messages, one a line, over the owner's pipes or a script's socket."""

from __future__ import annotations

import hmac
import json
import logging
import secrets
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

log = logging.getLogger(__name__)

MESSAGE_LIMIT_BYTES = 64 << 20
_TOKEN_LINE_LIMIT_BYTES = 4096
_TOKEN_LIMIT_S = 10.0

Message = dict[str, Any]


class Link:
    """One peer; writing is safe from any thread, reading belongs to one."""

    def __init__(self, reader: BinaryIO, writer: BinaryIO, *, is_owner: bool) -> None:
        self.is_owner = is_owner
        self._reader = reader
        self._writer = writer
        self._lock = threading.Lock()
        self._asked: dict[int, Callable[[Message], None]] = {}
        self._count = 0

    def send(self, message: Message) -> None:
        """Send a message; a peer that has gone is noticed by the reader."""
        data = json.dumps(message, ensure_ascii=False).encode() + b"\n"
        with self._lock:
            try:
                self._writer.write(data)
                self._writer.flush()
            except (OSError, ValueError) as error:
                log.debug("message not sent: %s", error)

    def messages(self) -> Iterator[Message]:
        """Yield what the peer sends, until it goes; a malformed line is answered and skipped."""
        while True:
            try:
                line = self._reader.readline(MESSAGE_LIMIT_BYTES)
            except (OSError, ValueError):
                return
            if not line.endswith(b"\n"):
                return
            try:
                message = json.loads(line)
            except ValueError:
                message = None
            if isinstance(message, dict):
                yield message
            else:
                self.send({"id": None, "error": {"kind": "user", "message": "a message is one JSON object on a line"}})

    def ask(self, method: str, params: Message, then: Callable[[Message], None]) -> None:
        """Send a request to the peer; `then` gets its answer, on the thread that reads the link."""
        with self._lock:
            self._count += 1
            number = self._count
            self._asked[number] = then
        self.send({"id": number, "method": method, "params": params})

    def answered(self, message: Message) -> bool:
        """Hand an answer to whoever asked; False when the message is a request."""
        if "method" in message:
            return False
        number = message.get("id")
        with self._lock:
            then = self._asked.pop(number, None) if isinstance(number, int) else None
        if then is not None:
            then(message)
        return True

    def close(self) -> None:
        """Answer what was asked with an error: the peer has gone."""
        with self._lock:
            asked, self._asked = self._asked, {}
        for then in asked.values():
            then({"error": {"kind": "user", "message": "the script has ended"}})


@dataclass(slots=True, kw_only=True)
class ScriptListener:
    """The loopback port where scripts connect; `on_link` gets each link that gave the right token."""

    on_link: Callable[[Link], None]
    token: str = field(default_factory=lambda: secrets.token_hex(16))
    _server: socket.socket = field(default_factory=socket.socket)

    def start(self) -> int:
        """Listen on a free port of 127.0.0.1 and return it."""
        self._server.bind(("127.0.0.1", 0))
        self._server.listen()
        threading.Thread(target=self._accept, name="scripts", daemon=True).start()
        return self._server.getsockname()[1]

    def _accept(self) -> None:
        while True:
            try:
                peer, _ = self._server.accept()
            except OSError:
                return
            threading.Thread(target=self._admit, args=(peer,), name="script", daemon=True).start()

    def _admit(self, peer: socket.socket) -> None:
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        peer.settimeout(_TOKEN_LIMIT_S)
        reader = peer.makefile("rb")
        try:
            first = json.loads(reader.readline(_TOKEN_LINE_LIMIT_BYTES) or b"null")
            given = first.get("token") if isinstance(first, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        except (OSError, ValueError):
            given = None
        if not isinstance(given, str) or not hmac.compare_digest(given.encode(), self.token.encode()):
            log.warning("a connection without the right token was refused")
            reader.close()
            peer.close()
            return
        peer.settimeout(None)
        with peer:
            self.on_link(Link(reader, peer.makefile("wb"), is_owner=False))
