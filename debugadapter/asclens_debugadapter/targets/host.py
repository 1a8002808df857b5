# SPDX-License-Identifier: Apache-2.0
"""The host: the user's script under debugpy, whose adapter we speak to as a DAP client."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from asclens_debugadapter.protocol.wire import STREAM_LIMIT_BYTES, Message, Peer, PeerEvents, section

_KILL = getattr(signal, "SIGKILL", signal.SIGTERM)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptSettings:
    """How the script's process is set up, apart from what the user asked for.

    `facade_path` is the folder of `asclens_host`, which goes on PYTHONPATH and is excluded from
    debugging; `link` is the engine's "port:token".
    """

    facade_path: str
    link: str
    client_starts_sessions: bool


class HostTarget:
    """Own debugpy's adapter and the conversation with it."""

    def __init__(self, events: PeerEvents) -> None:
        self._events = events
        self._process: asyncio.subprocess.Process | None = None
        self._writer: Any = None
        self._pump: asyncio.Task[None] | None = None
        self._initialized = asyncio.Event()
        self.peer: Peer | None = None

    async def start(self) -> None:
        """Start debugpy's adapter with our own Python; the debuggee needs no debugpy."""
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "debugpy.adapter",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,  # it prints a traceback when we leave faster than it
            limit=STREAM_LIMIT_BYTES,
            env={**os.environ, "PYDEVD_DISABLE_FILE_VALIDATION": "1"},
        )
        reader, writer = self._process.stdout, self._process.stdin
        if reader is not None:
            self._connect(reader, writer)

    async def attach(self, host: str, port: int) -> None:
        """Connect to the debugpy adapter of a parent session, for a child process of the script."""
        self._connect(*await asyncio.open_connection(host, port, limit=STREAM_LIMIT_BYTES))

    def _connect(self, reader: asyncio.StreamReader, writer: Any) -> None:
        self._writer = writer
        self.peer = Peer(reader, writer, self._events)
        self._pump = asyncio.create_task(self.peer.pump())

    def mark_initialized(self) -> None:
        """Note that debugpy takes breakpoints from now on."""
        self._initialized.set()

    async def begin(self, command: str, arguments: Message, *, client_starts_sessions: bool) -> asyncio.Future[Message]:
        """Initialize and launch or attach; return when breakpoints may be set, with the pending answer."""
        peer = self.peer
        if peer is None:
            raise RuntimeError("begin before start")
        await peer.send(
            "initialize",
            {
                "adapterID": "asclens",
                "pathFormat": "path",
                "linesStartAt1": True,
                "columnsStartAt1": True,
                "supportsRunInTerminalRequest": False,
                "supportsStartDebuggingRequest": client_starts_sessions,
            },
        )
        launched = peer.send(command, arguments)
        ready = asyncio.ensure_future(self._initialized.wait())
        await asyncio.wait({ready, launched}, return_when=asyncio.FIRST_COMPLETED)
        ready.cancel()
        return launched

    async def close(self, limit_s: float = 10.0) -> None:
        """End the script, then debugpy's adapter; by force when either takes too long."""
        if self.peer is not None and not self.peer.closed:
            await asyncio.wait({self.peer.send("disconnect", {"terminateDebuggee": True})}, timeout=limit_s)
        process = self._process
        left = _descendants(process.pid) if process is not None else []
        if self._writer is not None:
            self._writer.close()
        if process is None:
            return
        try:
            await asyncio.wait_for(process.wait(), limit_s)
        except asyncio.TimeoutError:
            process.kill()
            await process.wait()
        for number in left:  # a script that had only just started may have missed all that
            with contextlib.suppress(OSError):
                os.kill(number, _KILL)


def _descendants(root: int) -> list[int]:
    """Return the processes below one (Linux; elsewhere none)."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            parents[int(entry.parent.name)] = int(entry.read_text(encoding="utf-8").rpartition(")")[2].split()[1])
    found = [root]
    for number in found:
        found += [child for child, parent in parents.items() if parent == number]
    return found[1:]


def launch_arguments(wanted: Message, settings: ScriptSettings) -> Message:
    """Return debugpy's launch arguments for the user's configuration.

    The facade is excluded by rule, also with `justMyCode` false, so that no step can stop in it.
    """
    env = {**section(wanted, "env"), "ASCLENS_LINK": settings.link}
    inherited = str(env.get("PYTHONPATH") or os.environ.get("PYTHONPATH", ""))
    env["PYTHONPATH"] = os.pathsep.join(path for path in (settings.facade_path, inherited) if path)
    arguments: Message = {
        "type": "python",
        "request": "launch",
        "module": "asclens_host",
        "args": [wanted["program"], *wanted.get("args", [])],
        "python": [wanted.get("python") or sys.executable],
        "cwd": wanted.get("cwd") or os.path.dirname(os.path.abspath(wanted["program"])),
        "env": env,
        "console": "internalConsole",
        "redirectOutput": True,
        "justMyCode": wanted.get("justMyCode", True),
        "stopOnEntry": bool(wanted.get("stopOnEntry")),
        "rules": [{"path": settings.facade_path, "include": False}],
        "subProcess": settings.client_starts_sessions,
    }
    if wanted.get("noDebug"):
        arguments["noDebug"] = True
    if wanted.get("pathMappings"):
        arguments["pathMappings"] = wanted["pathMappings"]
    return arguments
