# SPDX-License-Identifier: Apache-2.0
"""The owner's side of an engine: start, ask, hear, restart. Blocking; imports nothing heavy.

A crash or a hang of the engine costs the request in progress: it raises `EngineLostError`, and
`restart` gives a fresh engine with the same options.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from typing import Any

from asclens_compiler.engine.lifetime import KEEP_RUNNING_FLAG
from asclens_compiler.errors import AscLensError, InternalError

log = logging.getLogger(__name__)

JsonObject = dict[str, Any]
EventHandler = Callable[[str, JsonObject], None]

_END_LIMIT_S = 2.0
# The engine's sys.path is ours without the current folder, where a `numpy.py` of the user may lie.
_BOOT = (
    "import sys; at = sys.argv.index('--'); sys.path[:] = sys.argv[1:at]; del sys.argv[1:at + 1]; "
    "import runpy; runpy.run_module('asclens_compiler.engine', run_name='__main__', alter_sys=True)"
)


class EngineLostError(InternalError):
    """The engine ended, or gave no answer in time, while a request was in progress."""


def engine_command() -> list[str]:
    """Return the command that starts an engine with this interpreter and its packages."""
    here = os.getcwd()
    paths = [path for path in sys.path if path and os.path.abspath(path) != here]
    own = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    if own not in paths:
        paths.append(own)
    return [sys.executable, "-I", "-c", _BOOT, *paths, "--"]


class EngineClient:
    """One engine at a time; requests may come from any thread, events arrive on a thread of their own."""

    def __init__(self, on_event: EventHandler | None = None) -> None:
        self._on_event = on_event
        self._options: JsonObject = {}
        self._lock = threading.Lock()
        self._waiting: dict[int, Future[Any]] = {}
        self._count = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._reader: threading.Thread | None = None
        self._leaving = False

    @classmethod
    def start(cls, *, on_event: EventHandler | None = None) -> EngineClient:
        """Return a client whose engine is starting; its first request waits for it."""
        client = cls(on_event)
        client.restart()
        return client

    def __enter__(self) -> EngineClient:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def alive(self) -> bool:
        """Tell whether the engine's process runs."""
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int | None:
        """Return the process id of the engine."""
        return None if self._process is None else self._process.pid

    @property
    def status(self) -> int | None:
        """Return how the engine ended (negative: the signal), or None while it runs."""
        return None if self._process is None else self._process.poll()

    def restart(self) -> None:
        """End the engine, if there is one, and start a fresh one with the options set so far."""
        self.kill()
        self._leaving = False
        flags = [] if threading.current_thread() is threading.main_thread() else [KEEP_RUNNING_FLAG]
        self._process = subprocess.Popen(
            [*engine_command(), *flags], stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
        self._reader = threading.Thread(target=self._read, args=(self._process,), name="engine", daemon=True)
        self._reader.start()
        if self._options:
            self.send("options", self._options)

    def set_options(self, **options: Any) -> None:
        """Set options of this and later engines; AscLensError for one that does not exist."""
        self.request("options", options)
        self._options.update(options)

    def request(
        self, method: str, params: Mapping[str, Any] | None = None, *, timeout_s: float | None = None
    ) -> JsonObject:
        """Return the result of a method.

        Raises AscLensError for what the user can mend, InternalError for a defect, EngineLostError
        when the engine ended or took longer than `timeout_s` (it is then killed).
        """
        answer = self.send(method, params)
        try:
            return answer.result(timeout_s)
        except (FutureTimeoutError, TimeoutError):
            self.kill()
            raise EngineLostError(f"the engine gave no answer to {method!r} within {timeout_s:g} s") from None

    def send(self, method: str, params: Mapping[str, Any] | None = None) -> Future[Any]:
        """Send a request and return its future result."""
        answer: Future[Any] = Future()
        process = self._process
        if process is None or process.stdin is None:
            answer.set_exception(EngineLostError("the engine is not running"))
            return answer
        with self._lock:
            self._count += 1
            number = self._count
            self._waiting[number] = answer
            line = json.dumps({"id": number, "method": method, "params": params or {}}, ensure_ascii=False)
            try:
                process.stdin.write(line.encode() + b"\n")
                process.stdin.flush()
            except (OSError, ValueError):
                self._waiting.pop(number, None)
                answer.set_exception(self._lost())
        return answer

    def close(self) -> None:
        """Let the engine end by itself, and make sure that it does."""
        process = self._process
        if process is None:
            return
        self._leaving = True
        if process.stdin is not None:
            try:
                process.stdin.close()
            except OSError:
                log.debug("the engine had ended")
        try:
            process.wait(_END_LIMIT_S)
        except subprocess.TimeoutExpired:
            process.kill()
        self.kill()

    def kill(self) -> None:
        """End the engine at once; whoever waits gets EngineLostError."""
        process, self._process = self._process, None
        if process is None:
            return
        self._leaving = True
        process.kill()
        process.wait()
        if self._reader is not None and self._reader is not threading.current_thread():
            self._reader.join(_END_LIMIT_S)
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    log.debug("the engine's stream was closed")

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        stream = process.stdout
        try:
            while stream is not None and (line := stream.readline()).endswith(b"\n"):
                self._take(json.loads(line))
        except (OSError, ValueError) as error:
            log.debug("the engine's stream ended: %s", error)
        process.wait()
        with self._lock:
            waiting, self._waiting = self._waiting, {}
        for answer in waiting.values():
            answer.set_exception(self._lost(process))

    def _take(self, message: JsonObject) -> None:
        if "event" in message:
            if self._on_event is not None:
                self._on_event(str(message["event"]), message.get("body") or {})
            return
        with self._lock:
            answer = self._waiting.pop(message.get("id") or 0, None)
        if answer is None:
            return
        error = message.get("error")
        if error is None:
            answer.set_result(message.get("result") or {})
        else:
            answer.set_exception(_exception(error))

    def _lost(self, process: subprocess.Popen[bytes] | None = None) -> EngineLostError:
        process = process or self._process
        status = None if process is None else process.poll()
        how = "" if status is None else f" (signal {-status})" if status < 0 else f" (status {status})"
        return EngineLostError(f"the engine ended before it answered{how}")


def _exception(error: Mapping[str, Any]) -> Exception:
    message = str(error.get("message") or "the engine failed")
    if error.get("kind") in ("user", "environment"):
        return AscLensError(message, help=str(error.get("help") or ""))
    return InternalError(message)
