# SPDX-License-Identifier: Apache-2.0
"""continue, next, stepIn, stepOut, stepBack, reverseContinue and pause over both targets."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from asclens_debugadapter.protocol.wire import DapError, Message
from asclens_debugadapter.session.keys import CoreThread, HostThread, ThreadKey
from asclens_debugadapter.session.session import Session
from asclens_debugadapter.session.state import RunningLaunch

ORDERED = True
_DEVICE_STEP = {"next": "next", "stepIn": "step_in", "stepOut": "step_out"}


async def continue_(session: Session, _arguments: Message) -> Message:
    """Release both targets; a step of the launching thread that is still under way ends here for the user."""
    running = session.running
    session.forget()
    if running is not None and running.host in session.state.stepping:
        session.state.cancelled.add(running.host)
    await _release_host(session)
    if running is not None and running.stopped:
        await session.device.resume("continue", 0)
    return {"allThreadsContinued": True}


def _step(command: str) -> Callable[[Session, Message], Awaitable[Message]]:
    async def handler(session: Session, arguments: Message) -> Message:
        thread = session.threads.key(arguments.get("threadId"))
        running = session.running
        if running is not None and _is_device(thread, running):
            return await _device_step(session, running, command, thread)
        if not isinstance(thread, HostThread):
            raise DapError("that core has finished")
        return await _host_step(session, command, thread)

    return handler


def _is_device(thread: ThreadKey, running: RunningLaunch) -> bool:
    return isinstance(thread, CoreThread) or thread.inner == running.host


async def _device_step(session: Session, running: RunningLaunch, command: str, thread: ThreadKey) -> Message:
    if not running.stopped:
        raise DapError("the device is running")
    session.forget()
    if running.host is not None:
        session.state.cancelled.discard(running.host)  # this step may end on the host
    await _release_host(session)  # else a host stopped for another thread swallows the stop after the kernel
    if isinstance(thread, CoreThread):
        await session.device.resume(_DEVICE_STEP[command], thread.core)
    else:  # a step on the host frame that waits means: to the end of the kernel
        await session.device.resume("finish", 0)
    return {"allThreadsContinued": False}


async def _host_step(session: Session, command: str, thread: HostThread) -> Message:
    state = session.state
    session.forget()
    if command == "stepIn" and session.engine.alive:
        # answered before debugpy moves, so there is no race with the launch
        await session.engine.request("debug.entry", thread=thread.inner)
    state.stopped = None
    state.stepping[thread.inner] = command
    state.cancelled.discard(thread.inner)
    await session.peer().send(command, {"threadId": thread.inner})
    return {"allThreadsContinued": True}


def _backwards(how: str) -> Callable[[Session, Message], Awaitable[Message]]:
    async def handler(session: Session, arguments: Message) -> Message:
        thread = session.threads.key(arguments.get("threadId"))
        if not isinstance(thread, CoreThread) or session.running is None or not session.running.stopped:
            raise DapError("only a stopped core can go backwards")
        session.forget()
        await session.device.resume(how, thread.core)
        return {}

    return handler


async def pause(session: Session, arguments: Message) -> Message:
    """Pause the device while a kernel runs, the script otherwise."""
    running = session.running
    if running is not None:  # never debugpy's pause then: it would lose the step of the waiting thread
        if not running.stopped:
            await session.engine.request("debug.pause")
        return {}
    thread = session.threads.key(arguments.get("threadId"))
    if not isinstance(thread, HostThread):
        raise DapError("that core has finished")
    return await session.peer().send("pause", {"threadId": thread.inner})


async def _release_host(session: Session) -> None:
    if session.state.stopped is not None:
        thread, session.state.stopped = session.state.stopped, None
        await session.peer().send("continue", {"threadId": thread})


HANDLERS = {
    "continue": continue_,
    "next": _step("next"),
    "stepIn": _step("stepIn"),
    "stepOut": _step("stepOut"),
    "stepBack": _backwards("step_back"),
    "reverseContinue": _backwards("reverse"),
    "pause": pause,
}
