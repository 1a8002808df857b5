# SPDX-License-Identifier: Apache-2.0
"""The script's end of the link to the engine (docs/engine-protocol.md): a socket and the threads that serve it."""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from asclens_host import debugger
from asclens_host.errors import CodegenError, LaunchError

if TYPE_CHECKING:
    from asclens_host.launch import Launch

VARIABLE = "ASCLENS_LINK"
TAKEN_VARIABLE = "ASCLENS_LINK_TAKEN"  # tells child processes why they have no device

_NO_ENGINE = (
    "there is no device: start the script with `asclens run SCRIPT` or `asclens debug SCRIPT`, "
    "tests with `asclens test`"
)
_NO_ENGINE_FOR_CHILDREN = (
    "there is no device: while a script is debugged only the script itself has one, not its child processes; "
    "run this one by itself"
)

# Called with the result of every launch, before the script goes on; on a service thread.
observers: list[Callable[[Launch, dict[str, Any]], None]] = []


class Cancel:
    """Ask the engine to end a launch that nobody waits for any more."""

    def __init__(self, launch: Launch) -> None:
        self.launch = launch


class Link:
    """One connection, a thread that sends and a thread that receives."""

    def __init__(self, port: int, token: str) -> None:
        self.outbox: SimpleQueue[Any] = SimpleQueue()
        self.pid = os.getpid()
        self._lost = ""
        self._running: dict[int, Launch] = {}
        self._count = 0
        self._lock = threading.Lock()
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._write({"token": token})
        start_thread(self._send_all, "asclens sender")
        start_thread(self._receive_all, "asclens receiver")

    def _write(self, message: dict[str, Any]) -> None:
        data = json.dumps(message).encode() + b"\n"
        with self._lock:
            self._socket.sendall(data)

    def _send_all(self) -> None:
        while True:
            item = self.outbox.get()
            if isinstance(item, Cancel):
                self._cancel(item.launch)
            else:
                self._send(item)

    def _cancel(self, launch: Launch) -> None:
        self._running.pop(launch.number, None)
        self._release(launch)
        self._count += 1
        try:
            self._write({"id": self._count, "method": "cancel", "params": {"launch": launch.number}})
        except OSError:
            pass  # the engine has ended, and the launch with it

    def _send(self, launch: Launch) -> None:
        from asclens_host import record

        self._count += 1
        launch.number = self._count
        self._running[launch.number] = launch
        try:
            if self._lost:
                raise LaunchError(self._lost)
            launch.record = record.LaunchRecord(launch)
            self._write({"id": launch.number, "method": "launch", "params": launch.record.message})
        except OSError as error:
            self._finish(launch, self._engine_lost() if not str(error) else error)
        except Exception as error:
            self._finish(launch, error)

    def _receive_all(self) -> None:
        try:
            with self._socket.makefile("rb") as stream:
                for line in stream:
                    message = json.loads(line.decode())
                    if "method" in message:
                        start_thread(lambda m=message: self._answer(m), "asclens answer")  # pyright: ignore[reportUnknownLambdaType]
                    else:
                        self._end(message)
        except (OSError, ValueError):
            pass  # the launches that wait are told below
        self._lost = str(self._engine_lost())
        for launch in list(self._running.values()):
            self._finish(launch, self._engine_lost())

    def _engine_lost(self) -> LaunchError:
        return LaunchError("the simulator's engine has ended before the kernel returned")

    def _end(self, message: dict[str, Any]) -> None:
        launch = self._running.get(message.get("id", 0))
        if launch is None:
            return
        error: BaseException | None = None
        try:
            for observer in observers:
                observer(launch, message.get("result") or {})
            error = _failure(message)
            if error is None:
                launch.record.copy_back()
            if message.get("result", {}).get("stop"):
                debugger.stop_in(launch)
        except Exception as problem:
            error = problem
        self._finish(launch, error)

    def _finish(self, launch: Launch, error: BaseException | None) -> None:
        self._running.pop(launch.number, None)
        launch.error = error
        self._release(launch)
        launch.done.release()

    def _release(self, launch: Launch) -> None:
        launch.refs = {}
        if launch.record is not None:
            launch.record.close()

    def _answer(self, message: dict[str, Any]) -> None:
        """Answer a question about the frame that waits for a launch."""
        from asclens_host import questions

        params: dict[str, Any] = message.get("params") or {}
        launch = self._running.get(params.get("launch", 0))
        reply: dict[str, Any] = {"id": message.get("id")}
        try:
            if launch is None:
                raise LookupError("that launch has ended")
            reply["result"] = questions.answer(launch, str(message["method"]), params)
        except BaseException as error:  # the user's repr or expression may raise anything
            reply["error"] = {"kind": "user", "message": f"{type(error).__name__}: {error}"}
        try:
            self._write(reply)
        except OSError:
            pass  # the engine has ended; nobody waits for the answer


def _failure(message: dict[str, Any]) -> BaseException | None:
    error = message.get("error")
    if error is not None:
        help_text = error.get("help") or ""
        text = f"{error.get('message', 'the launch failed')}{chr(10) if help_text else ''}{help_text}"
        return LaunchError(text, error.get("diagnostics") or ())
    result: dict[str, Any] = message.get("result") or {}
    if result.get("ok"):
        return None
    kind = LaunchError if result.get("compiled", True) else CodegenError
    found: list[Any] = [*(result.get("diagnostics") or ()), *(result.get("violations") or ())]
    return kind(result.get("error") or "the kernel did not finish", found)


def start_thread(work: Callable[[], None], name: str) -> None:
    """Start a service thread that a Python debugger neither traces, suspends nor lists."""
    thread = threading.Thread(target=work, name=name, daemon=True)
    debugger.hide(thread)
    thread.start()


_address: tuple[int, str] | None = None
_link: Link | None = None


def claim() -> None:
    """Take the address of the engine from the environment; from a debugged script no child inherits it."""
    global _address  # noqa: PLW0603
    text = os.environ.get(VARIABLE, "")
    port, _, rest = text.partition(":")
    token, _, mode = rest.partition(":")
    if not port.isdigit() or not token:
        return
    if mode == "once" or "pydevd" in sys.modules:  # a debug session has one script
        os.environ.pop(VARIABLE, None)
        os.environ[TAKEN_VARIABLE] = "1"
    _address = (int(port), token)


def greet() -> None:
    """Connect when this process was given an engine; called when the facade is imported."""
    if _address is None:
        claim()
    if _address is None:
        return
    debugger.hurry()
    try:
        _connect()
    except OSError:
        pass  # told at the first launch


def outbox() -> SimpleQueue[Any]:
    """Return the queue of launches; LaunchError when there is no engine.

    A forked child has the parent's memory but not its threads: it gets a connection of its own.
    """
    if _link is not None and _link.pid == os.getpid():
        return _link.outbox
    if _address is None:
        raise LaunchError(_NO_ENGINE_FOR_CHILDREN if os.environ.get(TAKEN_VARIABLE) else _NO_ENGINE)
    try:
        return _connect().outbox
    except OSError as error:
        raise LaunchError(f"the simulator's engine cannot be reached: {error}") from None


def _connect() -> Link:
    global _link  # noqa: PLW0603
    assert _address is not None
    _link = Link(*_address)
    return _link
