# SPDX-License-Identifier: Apache-2.0
"""launch and attach: start engine and script side by side."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from asclens_compiler.engine.host_path import host_path

from asclens_debugadapter.protocol.wire import DapError, Message
from asclens_debugadapter.session.session import Session
from asclens_debugadapter.targets.host import HostTarget, ScriptSettings, launch_arguments

OPTIONS = ("soc", "checks", "schedule", "seed")


async def launch(session: Session, arguments: Message) -> Message:
    """Start the script of the configuration, or the kernel of a file by its run directive."""
    return await _cancellable(session, _launch(session, arguments))


async def _cancellable(session: Session, work: Coroutine[Any, Any, Message]) -> Message:
    session.launching = asyncio.create_task(work)
    try:
        return await session.launching
    except asyncio.CancelledError:
        raise DapError("the session ended before the script had started") from None
    finally:
        session.launching = None


async def _launch(session: Session, arguments: Message) -> Message:
    program = arguments.get("program")
    if not program:
        raise DapError("the launch configuration names no program")
    if not os.path.isfile(program):
        raise DapError(f"there is no file {program}")
    session.no_debug = bool(arguments.get("noDebug"))
    kernel = arguments.get("kernel")
    if kernel and _has_directive(program, kernel):
        await _start_engine(session, arguments)
        return await _launch_directive(session, program, kernel)
    session.host = HostTarget(session.hostside.events())
    await asyncio.gather(session.host.start(), _start_engine(session, arguments))
    if session.no_debug:  # debugpy then starts at once and asks for no configuration
        session.client.event("initialized")
        await session.configured.wait()
    settings = ScriptSettings(
        facade_path=str(host_path()),
        link=session.engine.script_link,
        client_starts_sessions=session.client_starts_sessions,
    )
    return await _begin(session, "launch", launch_arguments(arguments, settings))


async def attach(session: Session, arguments: Message) -> Message:
    """Debug a child process of a script, after startDebugging: host only, beside the parent's session."""
    place = arguments.get("connect")
    if not place:
        raise DapError("attach needs the connection that startDebugging named")
    return await _cancellable(session, _attach(session, arguments, place["host"], place["port"]))


async def _attach(session: Session, arguments: Message, host: str, port: int) -> Message:
    session.host = HostTarget(session.hostside.events())
    await session.host.attach(host, port)
    return await _begin(session, "attach", {**arguments, "type": "python"})


async def _start_engine(session: Session, arguments: Message) -> None:
    try:
        await session.engine.start()
        options = {name: arguments[name] for name in OPTIONS if arguments.get(name) is not None}
        await session.engine.request("options", debug=not session.no_debug, **options)
        if arguments.get("stopOnKernelEntry"):
            await session.engine.request("debug.entry", thread="*")
        if "cores" in arguments:
            await session.engine.request("debug.stop_cores", cores=arguments["cores"])
    except OSError as error:
        raise DapError(f"the device engine did not start: {error}") from error


async def _begin(session: Session, command: str, arguments: Message) -> Message:
    if session.host is None:
        raise DapError("no script to begin with")
    starts = session.client_starts_sessions
    launched = await session.host.begin(command, arguments, client_starts_sessions=starts)
    if not launched.done() and not session.no_debug:
        session.client.event("initialized")  # the response comes after configurationDone, as debugpy's does
    return await launched


def _has_directive(program: str, kernel: str) -> bool:
    text = Path(program).read_text(encoding="utf-8", errors="replace")
    lines = (line.strip().removeprefix("#").strip() for line in text.splitlines() if line.lstrip().startswith("#"))
    return any(line.startswith("asclens:") and f"run {kernel}" in " ".join(line.split()) for line in lines)


async def _launch_directive(session: Session, program: str, kernel: str) -> Message:
    session.client.event("initialized")
    await session.configured.wait()
    text = Path(program).read_text(encoding="utf-8", errors="replace")
    session.spawn(_run_directive(session, program, text, kernel))
    return {}


async def _run_directive(session: Session, program: str, text: str, kernel: str) -> None:
    try:
        result = await session.engine.request("run_file", file=program, text=text, kernel=kernel)
    except DapError as error:
        session.say(str(error), category="stderr")
        session.finish(exit_code=1)
        return
    session.finish(exit_code=0 if result.get("ok") else 1)


HANDLERS = {"launch": launch, "attach": attach}
