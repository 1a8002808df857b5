# SPDX-License-Identifier: Apache-2.0
"""The device half of a session: events of the engine, and how a launch's cores are shown and resumed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from asclens_debugadapter.present.results import launch_summary, print_output, violation_output
from asclens_debugadapter.protocol.wire import Message, section
from asclens_debugadapter.session.keys import CoreThread, HostThread, ThreadKey
from asclens_debugadapter.session.state import RunningLaunch

if TYPE_CHECKING:
    from asclens_debugadapter.session.session import Session

EXIT_GRACE_S = 5.0
_REASONS = {"entry": "entry", "step": "step", "breakpoint": "breakpoint", "pause": "pause", "exception": "exception"}


class DeviceSide:
    """React to the engine."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._handlers = {
            "launch.started": self._started,
            "stopped": self._stopped,
            "print": self._printed,
            "log": self._printed,
            "launch.finished": self._finished,
        }

    def on_event(self, name: str, body: Message) -> None:
        """Take one event of the engine; unknown ones are for other owners."""
        handler = self._handlers.get(name)
        if handler is not None and not self._session.leaving:
            handler(body)

    async def resume(self, how: str, core: int) -> None:
        """Let the device go on."""
        session = self._session
        if session.running is not None:
            session.running.stopped = False
        await session.engine.request("debug.resume", how=how, core=core)

    def _started(self, body: Message) -> None:
        session = self._session
        names = tuple(str(name) for name in body["cores"])
        session.running = RunningLaunch(
            id=body["launch"], host=body.get("thread"), kernel=body["kernel"], core_names=names
        )
        if session.no_debug:
            return
        for core in range(len(names)):
            session.emit("thread", {"reason": "started", "threadId": session.threads.number(CoreThread(core))})

    def _stopped(self, body: Message) -> None:
        session = self._session
        if session.running is None:
            return
        session.running.stopped = True
        quiet = session.quiet_pause
        if quiet is not None and not quiet.done():
            quiet.set_result(None)
            return
        self._report_stop(session.running, body)

    def _report_stop(self, running: RunningLaunch, body: Message) -> None:
        """Host threads other than the waiting one run on, so allThreadsStopped would be a lie: one event per thread."""
        session = self._session
        reason = _REASONS.get(str(body.get("reason")), "pause")
        session.forget()
        core = int(body["core"])
        main: Message = {
            "reason": reason,
            "threadId": session.threads.number(CoreThread(core)),
            "allThreadsStopped": False,
        }
        if body.get("text"):
            main["text"] = body["text"]
            main["description"] = body["text"]
        session.emit("stopped", main)
        others: list[ThreadKey] = [CoreThread(index) for index in range(len(running.core_names)) if index != core]
        if running.host is not None:
            others.append(HostThread(running.host))
        for key in others:
            session.emit(
                "stopped",
                {
                    "reason": reason,
                    "threadId": session.threads.number(key),
                    "allThreadsStopped": False,
                    "preserveFocusHint": True,
                },
            )

    def _printed(self, body: Message) -> None:
        self._session.client.event("output", print_output(body))

    def _finished(self, body: Message) -> None:
        session = self._session
        running = session.running
        if body.get("stop_host") and running is not None and running.host is not None:
            session.state.returning.add(running.host)
        result = section(body, "result")
        self._over()
        for event in violation_output(result):
            session.client.event("output", event)
        if result:
            session.say(launch_summary(result))

    def _over(self) -> None:
        session = self._session
        running, session.running = session.running, None
        if running is None:
            return
        session.forget()
        if not session.no_debug:
            for core in range(len(running.core_names)):
                session.emit("thread", {"reason": "exited", "threadId": session.threads.number(CoreThread(core))})
        quiet = session.quiet_pause
        if quiet is not None and not quiet.done():
            quiet.set_result(None)

    def on_end(self, status: int | None) -> None:
        """The engine is gone: say so, let the script end with its exception, then end the session."""
        session = self._session
        if session.leaving or session.terminated:
            return
        kernel = f" while kernel '{session.running.kernel}' was running" if session.running else ""
        how = f"signal {-status}" if status is not None and status < 0 else f"exit status {status}"
        session.say(
            f"The device engine ended unexpectedly ({how}){kernel}; the launch raises an error in the script and the"
            " session ends.",
            category="important",
        )
        self._over()
        session.ending = True
        session.spawn(self._end_soon())

    async def _end_soon(self) -> None:
        """The script gets its exception and may clean up; after a grace the session ends anyway."""
        session = self._session
        if session.host is None:
            session.finish(exit_code=1)
            return
        peer = session.peer()
        if session.state.stopped is not None:
            peer.send("continue", {"threadId": session.state.stopped})
        await asyncio.sleep(EXIT_GRACE_S)
        if not session.terminated:
            peer.send("disconnect", {"terminateDebuggee": True})


def core_threads(session: Session) -> list[dict[str, Any]]:
    """Return the thread entries of the running launch's cores."""
    running = session.running
    if running is None:
        return []
    return [
        {"id": session.threads.number(CoreThread(index)), "name": name} for index, name in enumerate(running.core_names)
    ]
