# SPDX-License-Identifier: Apache-2.0
"""The host half of a session: events and reverse requests of debugpy."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from asclens_debugadapter.protocol.wire import DapError, Message, PeerEvents, section
from asclens_debugadapter.session.keys import HostThread

if TYPE_CHECKING:
    from asclens_debugadapter.session.session import Session

CHILD_ANSWER_LIMIT_S = 10.0
NOISE = ("Frame skipped from debugging during step-in",)


class HostSide:
    """React to debugpy's adapter."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._handlers: dict[str, Callable[[Message], None]] = {
            "initialized": lambda _body: self._initialized(),
            "stopped": lambda body: session.spawn(self._stopped(body)),
            "continued": self._continued,
            "thread": self._thread,
            "breakpoint": self._breakpoint,
            "output": self._output,
            "exited": lambda body: session.client.event("exited", body),
            "terminated": lambda _body: session.finish(),
            "process": lambda body: session.client.event("process", body),
        }

    def events(self) -> PeerEvents:
        """Return the callbacks for debugpy's peer."""
        return PeerEvents(on_event=self._on_event, on_request=self._on_request, on_end=self._session.finish)

    def _on_event(self, name: str, body: Message) -> None:
        handler = self._handlers.get(name)
        if handler is not None:
            handler(body)

    def _initialized(self) -> None:
        if self._session.host is not None:
            self._session.host.mark_initialized()

    def _continued(self, body: Message) -> None:
        session = self._session
        if session.running is None:
            session.emit("continued", {**body, "threadId": session.threads.number(HostThread(body["threadId"]))})

    def _thread(self, body: Message) -> None:
        session = self._session
        session.emit("thread", {**body, "threadId": session.threads.number(HostThread(body["threadId"]))})

    def _breakpoint(self, body: Message) -> None:
        session = self._session
        known = session.inner_breakpoints.get(body["breakpoint"].get("id"))
        if known is not None:
            session.client.event("breakpoint", {**body, "breakpoint": {**body["breakpoint"], "id": known}})

    def _output(self, body: Message) -> None:
        text = str(body.get("output", ""))
        if body.get("category") == "telemetry" or any(noise in text for noise in NOISE):
            return
        body.pop("variablesReference", None)
        self._session.client.event("output", body)

    async def _stopped(self, body: Message) -> None:
        session, state = self._session, self._session.state
        number, reason = body["threadId"], body["reason"]
        step = state.stepping.pop(number, None)
        cancelled = number in state.cancelled
        state.cancelled.discard(number)
        known = session.inner_breakpoints
        hits = [known[inner] for inner in body.pop("hitBreakpointIds", ()) if inner in known]
        if number in state.returning:  # debugpy may call this a breakpoint
            state.returning.discard(number)
            reason = "breakpoint" if hits else "step"
        if session.ending or (cancelled and reason == "step"):
            session.peer().send("continue", {"threadId": number})
            return
        if step == "stepIn" and session.engine.alive:
            await session.engine.request("debug.entry", thread=None)  # the step ended here: a later launch is not meant
        state.stopped = number
        session.forget()
        await self._pause_device()
        if hits:
            body["hitBreakpointIds"] = hits
        thread = session.threads.number(HostThread(number))
        session.emit("stopped", {**body, "reason": reason, "threadId": thread, "allThreadsStopped": True})

    async def _pause_device(self) -> None:
        """Another thread's breakpoint while a kernel runs: one stop for everything."""
        session = self._session
        running = session.running
        if running is None or running.stopped:
            return
        session.quiet_pause = asyncio.get_running_loop().create_future()
        try:
            answer = await session.engine.request("debug.pause")
            if answer.get("running"):
                await session.quiet_pause
        except DapError as error:
            session.say(f"the device could not be paused: {error}")
        session.quiet_pause = None

    async def _on_request(self, request: Message) -> None:
        self._session.spawn(self._answer(request))

    async def _answer(self, request: Message) -> None:
        """A child process of the script waits until startDebugging is answered, so it always is."""
        session = self._session
        peer = session.peer()
        if request.get("command") != "startDebugging" or not session.client_starts_sessions:
            peer.respond(request, error="not supported by this client")
            return
        arguments = section(request, "arguments")
        configuration = {**section(arguments, "configuration"), "type": "asclens"}
        configuration.pop("env", None)  # it holds the token, and a running process has its environment already
        wanted = {**arguments, "configuration": configuration}
        try:
            await asyncio.wait_for(session.client.send("startDebugging", wanted), CHILD_ANSWER_LIMIT_S)
            peer.respond(request)
        except (DapError, asyncio.TimeoutError) as error:
            peer.respond(request, error=str(error) or "the client did not answer")
