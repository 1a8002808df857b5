# SPDX-License-Identifier: Apache-2.0
"""The engine as a worker of the server: started, timed out and replaced, never fatal."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

from asclens_server.worker.link import EngineFaultError, EngineGoneError, EngineLink

log = logging.getLogger(__name__)

REQUEST_LIMIT_S = 20.0


class EngineLostError(Exception):
    """A request ended the engine or made it hang; a fresh one is at hand."""


class Worker:
    """Answer requests with an engine process; keep a second one warm to take over."""

    def __init__(self, *, limit_s: float = REQUEST_LIMIT_S) -> None:
        self._limit_s = limit_s
        self._current: EngineLink | None = None
        self._spare: asyncio.Task[EngineLink] | None = None
        self._options: dict[str, Any] = {}

    async def warm_up(self) -> None:
        """Start the engine before the first request needs it; a failure shows with that request."""
        try:
            await self._engine()
        except (EngineGoneError, EngineFaultError, OSError) as error:
            log.warning("the engine did not start: %s", error)

    async def set_options(self, options: Mapping[str, Any]) -> None:
        """Remember options for this and later engines."""
        self._options.update(options)

    async def request(self, method: str, params: Mapping[str, Any]) -> Any:
        """Return the engine's result; raise EngineLostError when it crashed or took too long."""
        try:
            engine = await self._engine()
        except (EngineGoneError, EngineFaultError, OSError) as error:
            raise EngineLostError(f"the analysis engine does not start: {error}") from error
        try:
            result = await asyncio.wait_for(engine.request(method, params), self._limit_s)
        except EngineGoneError as error:
            await self._drop(engine)
            raise EngineLostError("the analysis engine ended unexpectedly") from error
        except asyncio.TimeoutError as error:
            await self._drop(engine)
            raise EngineLostError(f"the analysis engine gave no answer within {self._limit_s:g} s") from error
        self._keep_spare()
        return result

    async def close(self) -> None:
        """End all engine processes."""
        spare, self._spare = self._spare, None
        if spare is not None:
            link = await _ready(spare)
            if link is not None:
                await link.kill()
        if self._current is not None:
            await self._current.kill()
            self._current = None

    @property
    def pid(self) -> int | None:
        """Return the process id of the engine in use."""
        return self._current.pid if self._current is not None else None

    async def _engine(self) -> EngineLink:
        if self._current is not None and self._current.alive:
            return self._current
        spare, self._spare = self._spare, None
        link = await _ready(spare) if spare is not None else None
        if link is None:
            link = await _started()
        log.info("engine %d in use", link.pid)
        self._current = link
        return link

    async def _drop(self, engine: EngineLink) -> None:
        log.warning("engine %d is dropped", engine.pid)
        if self._current is engine:
            self._current = None
        await engine.kill()

    def _keep_spare(self) -> None:
        if self._spare is None:
            self._spare = asyncio.create_task(_started())


# One kernel of each surface: what a first check imports and builds is in memory when the user's comes.
_WARM_UP = """
import asc
from asc import PipeStage, Tensor
@asc.jit
def first(x: asc.GlobalAddress):
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
def second(x: Tensor):
    PipeStage.sync()
"""


async def _started() -> EngineLink:
    link = await EngineLink.start()
    await link.request("hello", {})
    await link.request("check", {"file": "warm_up.py", "text": _WARM_UP, "version": 0, "soc": None, "facts": False})
    return link


async def _ready(spare: asyncio.Task[EngineLink]) -> EngineLink | None:
    """Return the spare engine if it came up and still lives."""
    try:
        link = await spare
    except (EngineGoneError, EngineFaultError, OSError) as error:
        log.warning("the spare engine did not start: %s", error)
        return None
    return link if link.alive else None
