# SPDX-License-Identifier: Apache-2.0
"""What the launching thread runs.

That thread, H, runs only frames of this package and C functions while it launches and waits: a
Python debugger that steps into a launch can then stop nowhere (its rules exclude this folder). The
record, the arrays and the socket are the work of the service threads in `link.py`.
"""

from __future__ import annotations

from _thread import allocate_lock, get_ident
from typing import Any

from asclens_host import link


class Launch:
    """One launch, from the call until its return."""

    __slots__ = ("args", "core_num", "done", "error", "ident", "kernel", "kwargs", "number", "record", "refs")

    def __init__(self, kernel: Any, core_num: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.kernel = kernel
        self.core_num = core_num
        self.args = args
        self.kwargs = kwargs
        self.ident = get_ident()
        self.number = 0
        self.record: Any = None
        self.refs: dict[int, Any] = {}  # what the debugger has been shown, by reference
        self.error: BaseException | None = None
        self.done = allocate_lock()
        self.done.acquire()


def run(launch: Launch) -> None:
    """Send a launch, wait for its end, and raise what went wrong."""
    outbox = link.outbox()
    outbox.put(launch)
    try:
        launch.done.acquire()
    except BaseException:
        outbox.put(link.Cancel(launch))
        raise
    error = launch.error
    if error is not None:
        launch.error = None
        raise error
