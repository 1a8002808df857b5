# SPDX-License-Identifier: Apache-2.0
"""The device: an engine process of this session, asked by method name, heard by events."""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import sys
from collections.abc import Callable
from typing import Any

from asclens_debugadapter.protocol.wire import STREAM_LIMIT_BYTES, DapError, Message

log = logging.getLogger(__name__)


class EngineTarget:
    """Start the engine, send requests, pass events on in order, notice its end."""

    def __init__(self, on_event: Callable[[str, Message], None], on_end: Callable[[int | None], None]) -> None:
        self._on_event, self._on_end = on_event, on_end
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._leaving = False
        self.alive = False
        self.script_link = ""  # "port:token" for the facade

    async def start(self) -> None:
        """Start the process and open its link for the script."""
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "asclens_compiler.engine",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=STREAM_LIMIT_BYTES,
        )
        self.alive = True
        self._reader = asyncio.create_task(self._pump())
        link = await self.request("listen")
        self.script_link = f"{link['port']}:{link['token']}"

    async def request(self, method: str, **params: Any) -> Message:
        """Return the result of a method; raise DapError with the engine's words otherwise."""
        process = self._process
        if not self.alive or process is None or process.stdin is None:
            raise DapError("the device engine is not running")
        number = next(self._numbers)
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[number] = future
        line = json.dumps({"id": number, "method": method, "params": params}).encode() + b"\n"
        try:
            process.stdin.write(line)
            await process.stdin.drain()
        except (ConnectionError, RuntimeError) as error:
            self._waiting.pop(number, None)
            raise DapError("the device engine has ended") from error
        return await future

    async def stop(self) -> None:
        """End the process at once; safe to call at any moment."""
        self._leaving = True
        process = self._process
        if process is not None and process.returncode is None:
            try:
                process.kill()
            except ProcessLookupError:
                log.debug("the engine was already gone")
            await process.wait()

    async def _pump(self) -> None:
        process = self._process
        if process is None or process.stdout is None:
            return
        while line := await process.stdout.readline():
            message = json.loads(line)
            if "event" in message:
                self._on_event(message["event"], message.get("body") or {})
            else:
                self._take(message)
        self.alive = False
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(DapError("the device engine has ended"))
        status = await process.wait()
        if not self._leaving:
            self._on_end(status)

    def _take(self, message: Message) -> None:
        future = self._waiting.pop(message.get("id", 0), None)
        if future is None or future.done():
            return
        error = message.get("error")
        if error is None:
            future.set_result(message.get("result") or {})
        else:
            future.set_exception(DapError(error.get("message") or "the device engine failed"))
