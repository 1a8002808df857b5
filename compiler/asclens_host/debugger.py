# SPDX-License-Identifier: Apache-2.0
"""What the link does for a Python debugger (pydevd) in the same process.

It uses parts of pydevd that are not public. Each is guarded: where it looks different, things are
slower or a temporary stop is missed, and nothing breaks.
"""

from __future__ import annotations

import socket
import sys
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from asclens_host.launch import Launch

_SLOW_S = 0.02


def hide(thread: threading.Thread) -> None:
    """Keep pydevd from tracing, suspending and listing a thread that has not started."""
    marked: Any = thread
    marked.pydev_do_not_trace = marked.is_pydev_daemon_thread = True


def thread_of(launch: Launch) -> threading.Thread | None:
    """Return the thread that waits for a launch."""
    return next((thread for thread in threading.enumerate() if thread.ident == launch.ident), None)


def thread_id(thread: threading.Thread | None) -> int | None:
    """Return the number under which the debugger shows a thread, if it does."""
    schema: Any = sys.modules.get("_pydevd_bundle._debug_adapter.pydevd_base_schema")
    try:
        return schema.BaseSchema._obj_id_to_dap_id.get(thread.__pydevd_id__)  # type: ignore[union-attr]
    except AttributeError:
        return None


def stop_in(launch: Launch) -> None:
    """Make the debugger stop the waiting thread at its next line after the launch.

    Called from a service thread while the other still waits; calling pydevd in that thread would
    let a pending step stop inside pydevd's own helpers.
    """
    from asclens_host import questions

    pydevd: Any = sys.modules.get("pydevd")
    thread, frames = thread_of(launch), questions.frames(launch)
    if pydevd is None or thread is None or not frames:
        return
    try:
        info = pydevd.set_additional_thread_info(thread)
        info.pydev_original_step_cmd = info.pydev_step_cmd = pydevd.CMD_STEP_OVER
        info.pydev_step_stop = frames[0]
        info.suspend_type = pydevd.PYTHON_SUSPEND
        info.pydev_state = pydevd.STATE_RUN
        info.update_stepping_info()
        monitoring = getattr(pydevd, "PYDEVD_USE_SYS_MONITORING", False)
        if monitoring:
            pydevd.pydevd_sys_monitoring.update_monitor_events(suspend_requested=True)
        pydevd.get_global_debugger().set_trace_for_frame_and_parents(launch.ident, frames[0])
        if monitoring:
            pydevd.pydevd_sys_monitoring.restart_events()
    except AttributeError:
        return


def hurry() -> None:
    """Remove two delays of pydevd.

    It sends header and body of a message apart with Nagle's algorithm on: 44 ms for every answer.
    On Python 3.12+, in a script with a second thread, a stopped thread can miss its wake-up and then
    sleeps for TIMEOUT_SLOW (200 ms).
    """
    pydevd: Any = sys.modules.get("pydevd")
    try:
        pydevd.get_global_debugger().writer.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        pydevd.TIMEOUT_SLOW = _SLOW_S
    except (AttributeError, OSError):
        return
