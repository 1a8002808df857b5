# SPDX-License-Identifier: Apache-2.0
"""One engine process and the line-by-line JSON conversation with it."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import Mapping
from typing import Any

log = logging.getLogger(__name__)

LINE_LIMIT_BYTES = 64 << 20  # docs/engine-protocol.md, Transport


class EngineGoneError(Exception):
    """The engine process ended before it answered."""


class EngineFaultError(Exception):
    """The engine answered with an error; `kind` is "user", "environment" or "internal"."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class EngineLink:
    """Own one engine process; requests may overlap, answers are matched by id."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._next_id = 0
        self._reader = asyncio.create_task(self._read())

    @classmethod
    async def start(cls) -> EngineLink:
        """Start an engine with this interpreter; its log goes to our stderr."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "asclens_compiler.engine",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LINE_LIMIT_BYTES,
        )
        return cls(process)

    @property
    def alive(self) -> bool:
        """Tell whether the process still runs."""
        return self._process.returncode is None and not self._reader.done()

    @property
    def pid(self) -> int:
        """Return the process id."""
        return self._process.pid

    async def request(self, method: str, params: Mapping[str, Any]) -> Any:
        """Send one request and return its result; raise EngineGoneError or EngineFaultError."""
        if not self.alive:
            raise EngineGoneError(method)
        self._next_id += 1
        number = self._next_id
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        line = json.dumps({"id": number, "method": method, "params": params}, ensure_ascii=False)
        stdin = self._process.stdin
        try:
            if stdin is None:
                raise EngineGoneError(method)
            stdin.write(line.encode() + b"\n")
            await stdin.drain()
            return await answer
        except (ConnectionError, BrokenPipeError) as error:
            raise EngineGoneError(method) from error
        finally:
            self._waiting.pop(number, None)

    async def kill(self) -> None:
        """End the process at once."""
        if self._process.returncode is None:
            try:
                self._process.kill()
            except ProcessLookupError:
                log.debug("engine %d was already gone", self._process.pid)
        await self._process.wait()
        await asyncio.gather(self._reader, return_exceptions=True)

    async def _read(self) -> None:
        stdout = self._process.stdout
        try:
            while stdout is not None and (line := await stdout.readline()):
                self._dispatch(json.loads(line))
        finally:
            for answer in self._waiting.values():
                if not answer.done():
                    answer.set_exception(EngineGoneError("the engine ended"))

    def _dispatch(self, message: Mapping[str, Any]) -> None:
        answer = self._waiting.get(message.get("id", 0))
        if answer is None or answer.done():
            return
        error = message.get("error")
        if error is not None:
            answer.set_exception(EngineFaultError(error.get("kind", "internal"), error.get("message", "")))
        else:
            answer.set_result(message.get("result"))
