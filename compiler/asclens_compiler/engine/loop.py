# SPDX-License-Identifier: Apache-2.0
"""The engine's loop: links are read by threads, all work with MLIR and the simulator is done by one."""

from __future__ import annotations

import io
import logging
import os
import queue
import threading
import time
import traceback
from typing import Any, cast

from asclens_compiler.diagnostics.json import all_to_json
from asclens_compiler.engine.method import Request, find, is_immediate
from asclens_compiler.engine.state import State
from asclens_compiler.engine.transport import Link, Message
from asclens_compiler.errors import AscLensError, InternalError

log = logging.getLogger(__name__)

_GREETING_LIMIT_S = 0.5  # the first answer goes out before the long imports begin

_POKE = Request(link=Link(io.BytesIO(), io.BytesIO(), is_owner=True), number=None, method="", params={})


class Engine:
    """Serve the owner and any number of scripts."""

    def __init__(self, owner: Link) -> None:
        self.owner = owner
        self.state = State()
        self._jobs: queue.SimpleQueue[Request | None] = queue.SimpleQueue()
        self._put_off: list[Request] = []
        self._answered = threading.Event()

    def run(self) -> None:
        """Serve until the owner goes or asks for the end."""
        threading.Thread(target=self._read_owner, name="owner", daemon=True).start()
        self._answered.wait(_GREETING_LIMIT_S)
        preload()
        while (job := self._next()) is not None:
            if job is not _POKE:
                self._handle(job)

    def emit(self, event: str, body: Message) -> None:
        """Send an event to the owner."""
        self.owner.send({"event": event, "body": body})

    def stop(self) -> None:
        """End the loop after the job in hand."""
        self._jobs.put(None)

    def serve_script(self, link: Link) -> None:
        """Read one script's link until it ends, on the calling thread."""
        self._read(link)
        self.state.script_gone(link)

    def poke(self) -> None:
        """Wake the main thread when it waits in `serve_one`."""
        self._jobs.put(_POKE)

    def serve_one(self) -> None:
        """Serve one request of the owner while a launch stands still; launches of scripts wait."""
        self._serve(self._jobs.get())

    def has_waiting(self) -> bool:
        """Tell whether a request waits for the main thread."""
        return not self._jobs.empty()

    def serve_waiting(self) -> None:
        """Serve the owner's requests that wait, and none that comes later."""
        for _ in range(self._jobs.qsize()):
            self.serve_one()

    def _serve(self, job: Request | None) -> None:
        if job is None:
            os._exit(0)
        if job is _POKE:
            return
        if job.link.is_owner:
            self._handle(job)
        else:
            self._put_off.append(job)

    def _next(self) -> Request | None:
        return self._put_off.pop(0) if self._put_off else self._jobs.get()

    def _read_owner(self) -> None:
        self._read(self.owner)
        # The main thread may be deep in a simulation, and nobody wants its result any more.
        os._exit(0)

    def _read(self, link: Link) -> None:
        for message in link.messages():
            if link.answered(message):
                continue
            number = message.get("id")
            params: Any = message.get("params")
            job = Request(
                link=link,
                number=number if isinstance(number, int) else None,
                method=str(message["method"]),
                params=cast("Message", params) if isinstance(params, dict) else {},
            )
            if is_immediate(job.method):
                self._handle(job)
                continue
            self._jobs.put(job)
            run = self.state.debugging.run
            if run is not None and link.is_owner:
                run.attend()
        link.close()

    def _handle(self, job: Request) -> None:
        """Answer one request; the boundary where every failure becomes an answer."""
        started = time.perf_counter()
        try:
            method = find(job.method)
            if not (method.owner if job.link.is_owner else method.script):
                raise AscLensError(f"the method {job.method!r} is not for this link")
            result = method.handle(self, job)
        except Exception as error:
            job.refuse(failure(error))
        else:
            if result is not None:
                job.answer(result)
        self._answered.set()
        log.info("%s: %.1f ms", job.method, (time.perf_counter() - started) * 1e3)


def preload() -> None:
    """Import what the first request needs while nobody has asked yet."""
    try:
        for name in ("check", "launch"):
            find(name)
    except Exception as error:  # told by the request that needs the module
        log.error("%s", "".join(traceback.format_exception(error)))


def failure(error: Exception) -> dict[str, Any]:
    """Return the `error` object of a failed request."""
    if isinstance(error, AscLensError):
        kind = "user" if not error.help else "environment"
        return {"kind": kind, "message": error.message, "help": error.help, "diagnostics": []}
    log.error("%s", "".join(traceback.format_exception(error)))
    message = str(error) if isinstance(error, InternalError) else f"{type(error).__name__}: {error}"
    return {"kind": "internal", "message": message, "help": "", "diagnostics": all_to_json(())}
