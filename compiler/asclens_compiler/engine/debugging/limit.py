# SPDX-License-Identifier: Apache-2.0
"""Evaluation of the user's expressions within a time."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import Any

from asclens_compiler.errors import AscLensError

LIMIT_S = 5.0
_GRACE_S = 1.0


class _Stopped(BaseException):
    """What an evaluation gets that takes too long."""


def within(work: Callable[[], Any], limit_s: float = LIMIT_S) -> Any:
    """Return what `work` returns, or raise what it raises; AscLensError when it takes longer than `limit_s` seconds.

    It is then interrupted between two bytecodes; one long call into C keeps its thread to itself.
    """
    outcome: list[Any] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(work())
        except BaseException as error:  # handed to the caller
            failure.append(error)

    thread = threading.Thread(target=run, name="evaluation", daemon=True)
    thread.start()
    thread.join(limit_s)
    if not outcome and not failure:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(_Stopped))
        thread.join(_GRACE_S)
        raise AscLensError(f"the expression took longer than {limit_s:g} s and was stopped")
    if failure:
        error = failure[0]
        raise error if isinstance(error, Exception) else AscLensError(f"{type(error).__name__}: {error}")
    return outcome[0]
