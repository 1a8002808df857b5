# SPDX-License-Identifier: Apache-2.0
"""One debug session: client requests in, two targets behind, one list of threads, frames and values.

Commands that change what runs are handled one after the other; questions run beside them.
"""

from __future__ import annotations

import asyncio
import importlib
import itertools
import logging
import pkgutil
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from asclens_debugadapter.protocol.wire import DapError, Message, Peer, PeerEvents, Writer, section
from asclens_debugadapter.session import requests
from asclens_debugadapter.session.device import DeviceSide
from asclens_debugadapter.session.handles import Handles
from asclens_debugadapter.session.hostside import HostSide
from asclens_debugadapter.session.keys import FrameKey, ThreadKey, ValueKey
from asclens_debugadapter.session.state import HostState, RunningLaunch
from asclens_debugadapter.targets.engine import EngineTarget
from asclens_debugadapter.targets.host import HostTarget

log = logging.getLogger(__name__)

Handler = Callable[["Session", Message], Awaitable[Message]]
ENDING = frozenset({"disconnect", "terminate"})


class Session:
    """State shared by the request handlers; handlers are found by listing `requests/`."""

    def __init__(self, reader: asyncio.StreamReader, writer: Writer) -> None:
        self.over = asyncio.Event()
        self.client = Peer(
            reader,
            writer,
            PeerEvents(on_event=lambda _name, _body: None, on_request=self._on_client, on_end=self.over.set),
        )
        self.device = DeviceSide(self)
        self.hostside = HostSide(self)
        self.engine = EngineTarget(self.device.on_event, self.device.on_end)
        self.host: HostTarget | None = None
        self.running: RunningLaunch | None = None
        self.state = HostState()
        self.quiet_pause: asyncio.Future[None] | None = None  # a device stop we asked for ourselves is not reported
        self.ending = False  # the engine was lost: the script runs to its end, nothing stops any more
        self.leaving = False
        self.terminated = False
        self.no_debug = False
        self.client_starts_sessions = False
        self.configured = asyncio.Event()
        self.launching: asyncio.Task[Any] | None = None
        self.threads: Handles[ThreadKey] = Handles("thread")
        self.frames: Handles[FrameKey] = Handles("frame")
        self.values: Handles[ValueKey] = Handles("value")
        self.breakpoint_numbers = itertools.count(1)
        self.inner_breakpoints: dict[int, int] = {}
        self._handlers, self._ordered = _load_handlers()
        self._order = asyncio.Lock()
        self._held: list[tuple[str, Message]] | None = None
        self._tasks: set[asyncio.Task[Any]] = set()

    # -- requests ------------------------------------------------------------------------------
    async def _on_client(self, request: Message) -> None:
        self.spawn(self._serve(request))

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Run work beside the message loop."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, request: Message) -> None:
        command = str(request.get("command"))
        ordered = command in self._ordered
        if ordered:
            await self._order.acquire()
            self._held = []
        try:
            await self._answer(command, request)
        finally:
            if ordered:
                held, self._held = self._held or [], None
                for name, body in held:
                    self.client.event(name, body)
                self._order.release()
        if command in ENDING:
            self.over.set()

    async def _answer(self, command: str, request: Message) -> None:
        handler = self._handlers.get(command)
        if handler is None:
            self.client.respond(request, error=f"unknown request {command!r}")
            return
        try:
            self.client.respond(request, await handler(self, section(request, "arguments")))
        except DapError as error:
            self.client.respond(request, error=str(error))
        except Exception as error:  # boundary: malformed or out of order gets an answer, never a dead adapter
            log.exception("request %s failed", command)
            self.client.respond(request, error=f"{command}: {type(error).__name__}: {error}")

    # -- events --------------------------------------------------------------------------------
    def emit(self, name: str, body: Message) -> None:
        """Send an event about what runs.

        The device may stop before debugpy has answered the step that led to it; a client that sees the
        stop first takes the response for a later resume. So such events wait for the response.
        """
        if self._held is not None:
            self._held.append((name, body))
        else:
            self.client.event(name, body)

    def say(self, text: str, *, category: str = "console", **more: Any) -> None:
        """Send a line of output."""
        self.client.event(
            "output", {"category": category, "output": text if text.endswith("\n") else text + "\n", **more}
        )

    def forget(self) -> None:
        """Drop frame and value numbers, because something ran."""
        self.frames.forget()
        self.values.forget()

    @property
    def debugs_host(self) -> bool:
        """Tell whether debugpy takes questions about the script: not without one, and not when it only runs."""
        return self.host is not None and not self.no_debug

    def peer(self) -> Peer:
        """Return the conversation with debugpy; raise DapError when this session has no script."""
        if self.host is None or self.host.peer is None:
            raise DapError("no script runs in this session")
        return self.host.peer

    def finish(self, *, exit_code: int | None = None) -> None:
        """Tell the client that the debuggee is over, once."""
        if self.terminated or self.leaving:
            return
        self.terminated = True
        if exit_code is not None:
            self.client.event("exited", {"exitCode": exit_code})
        self.client.event("terminated")

    async def close(self) -> None:
        """End script, debugpy's adapter and engine; each with a limit, then by force."""
        if self.leaving:
            return
        self.leaving = True
        if self.launching is not None:
            self.launching.cancel()  # else it would start what is being ended
            await asyncio.wait({self.launching})
        if self.host is not None:
            await self.host.close()
        await self.engine.stop()


def _load_handlers() -> tuple[dict[str, Handler], frozenset[str]]:
    handlers: dict[str, Handler] = {}
    ordered: set[str] = set()
    for info in pkgutil.iter_modules(requests.__path__):
        module = importlib.import_module(f"{requests.__name__}.{info.name}")
        found: dict[str, Handler] = module.HANDLERS
        handlers.update(found)
        if getattr(module, "ORDERED", False):
            ordered.update(found)
    return handlers, frozenset(ordered)
