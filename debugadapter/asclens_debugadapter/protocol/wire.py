# SPDX-License-Identifier: Apache-2.0
"""DAP over asyncio streams: framing, and a peer that matches responses to its requests by number.

Used twice: towards the client (we answer) and towards debugpy's adapter (we ask). Every message
crosses as a decoded object with our own sequence numbers; nothing is copied through as bytes.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Protocol, cast

log = logging.getLogger(__name__)

Message = dict[str, Any]
STREAM_LIMIT_BYTES = 1 << 26
HEADER_LIMIT_BYTES = 1 << 16


class Writer(Protocol):
    """What a peer writes to."""

    def write(self, data: bytes, /) -> None:
        """Send bytes."""


class DapError(Exception):
    """A request that failed; the text is meant for the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerEvents:
    """What a peer calls for each arriving message, in the order of arrival."""

    on_event: Callable[[str, Message], None]
    on_request: Callable[[Message], Awaitable[None]]
    on_end: Callable[[], None]


def section(message: Message, key: str) -> Message:
    """Return an object member of a message, empty when it is absent or no object."""
    value = message.get(key)
    return cast("Message", value) if isinstance(value, dict) else {}


def entries(message: Message, key: str) -> list[Message]:
    """Return an array-of-objects member of a message, empty when it is absent."""
    value = message.get(key)
    return cast("list[Message]", value) if isinstance(value, list) else []


async def read_message(reader: asyncio.StreamReader) -> Message | None:
    """Return the next message, or None at the end of the stream; raise DapError for a broken frame."""
    length: int | None = None
    while True:
        line = await reader.readline()
        if not line.endswith(b"\n"):
            return None
        line = line.strip()
        if not line:
            if length is None:
                continue
            break
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            if not value.strip().isdigit():
                raise DapError(f"bad Content-Length {value[:40]!r}")
            length = int(value)
    try:
        data = await reader.readexactly(length)
    except asyncio.IncompleteReadError:
        return None
    try:
        message = json.loads(data)
    except ValueError as error:
        raise DapError(f"a message is not JSON: {error}") from error
    if not isinstance(message, dict):
        raise DapError("a message is not an object")
    return cast("Message", message)


class Peer:
    """One end of a DAP connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: Writer, events: PeerEvents) -> None:
        self._reader, self._writer, self._events = reader, writer, events
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Message]] = {}
        self.closed = False

    async def pump(self) -> None:
        """Dispatch messages until the stream ends; a broken message is skipped, not fatal."""
        while True:
            try:
                message = await read_message(self._reader)
            except DapError as error:
                log.warning("skipped: %s", error)
                continue
            if message is None:
                break
            await self._dispatch(message)
        self._end()

    async def _dispatch(self, message: Message) -> None:
        kind = message.get("type")
        if kind == "response":
            self._take_response(message)
        elif kind == "event":
            self._events.on_event(str(message.get("event")), section(message, "body"))
        elif kind == "request":
            await self._events.on_request(message)
        else:
            log.warning("skipped a message of type %r", kind)

    def _take_response(self, message: Message) -> None:
        future = self._waiting.pop(message.get("request_seq", 0), None)
        if future is None or future.done():
            return
        if message.get("success"):
            future.set_result(section(message, "body"))
            return
        error = section(section(message, "body"), "error")
        future.set_exception(DapError(error.get("format") or message.get("message") or "failed"))

    def _end(self) -> None:
        self.closed = True
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(DapError("the connection has ended"))
        self._events.on_end()

    def send(self, command: str, arguments: Message | None = None) -> asyncio.Future[Message]:
        """Ask now, in this order; the answer may be awaited whenever the caller likes."""
        future: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        future.add_done_callback(lambda done: done.cancelled() or done.exception())  # unread failures are no warnings
        if self.closed:
            future.set_exception(DapError("the connection has ended"))
            return future
        number = next(self._numbers)
        self._waiting[number] = future
        self._post({"seq": number, "type": "request", "command": command, "arguments": arguments or {}})
        return future

    def respond(self, request: Message, body: Message | None = None, *, error: str | None = None) -> None:
        """Answer a request with a body, or with an error text."""
        message: Message = {
            "seq": next(self._numbers),
            "type": "response",
            "request_seq": request.get("seq", 0),
            "command": str(request.get("command")),
            "success": error is None,
        }
        if error is None:
            message["body"] = body or {}
        else:
            message.update(message=error, body={"error": {"id": 1, "format": error, "showUser": False}})
        self._post(message)

    def event(self, name: str, body: Message | None = None) -> None:
        """Send an event."""
        self._post({"seq": next(self._numbers), "type": "event", "event": name, "body": body or {}})

    def _post(self, message: Message) -> None:
        data = json.dumps(message).encode()
        try:
            self._writer.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        except (OSError, RuntimeError) as error:
            log.info("the other side is gone: %s", error)
            self.closed = True
