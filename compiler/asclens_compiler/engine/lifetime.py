# SPDX-License-Identifier: Apache-2.0
"""How an engine process begins and ends: with its parent, and with stdout kept for messages."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from typing import BinaryIO

KEEP_RUNNING_FLAG = "--keep-when-thread-ends"

_PR_SET_PDEATHSIG = 1


def die_with_parent() -> None:
    """Have the system end this process when the thread that started it ends (Linux).

    Elsewhere, and when that thread may end earlier than its process, the end of stdin has to do.
    """
    if not sys.platform.startswith("linux"):
        return
    parent = os.getppid()
    try:
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    except (OSError, AttributeError):
        return
    if os.getppid() != parent or parent == 1:
        os._exit(0)


def ignore_interrupts() -> None:
    """Leave Ctrl-C to the script and to the program that shows the results."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def take_stdio() -> tuple[BinaryIO, BinaryIO]:
    """Return the message streams; what anything else prints goes to stderr, and stdin is empty."""
    reader = os.fdopen(os.dup(0), "rb")
    writer = os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return reader, writer


def one_thread_arithmetic() -> None:
    """Keep numeric libraries to one thread: results must not depend on how sums are split."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
        os.environ[name] = "1"
