# SPDX-License-Identifier: Apache-2.0
"""Answers about the host frame that waits for a launch: stack, locals, evaluation.

They run on service threads, so that a pending step or a breakpoint of the waiting thread cannot
stop in what an expression calls.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING, Any

from asclens_host import debugger

if TYPE_CHECKING:
    from asclens_host.launch import Launch

Json = dict[str, Any]

_HERE = os.path.dirname(os.path.abspath(__file__))
_TEXT_LIMIT = 1000
_LIMIT_S = 5.0
_ITEM_LIMIT = 100


def frames(launch: Launch) -> list[FrameType]:
    """Return the user's frames of the thread that waits, innermost first."""
    frame = sys._current_frames().get(launch.ident)  # pyright: ignore[reportPrivateUsage]
    found: list[FrameType] = []
    while frame is not None:
        if not _hidden(frame.f_code.co_filename):
            found.append(frame)
        frame = frame.f_back
    while found and found[-1].f_code.co_filename == threading.__file__:
        found.pop()
    return found


def answer(launch: Launch, method: str, params: Json) -> Json:
    """Return the result of one `host.*` request; raises whatever the user's code raises."""
    handler = _METHODS.get(method)
    if handler is None:
        raise LookupError(f"no method {method}")
    return handler(launch, params)


def _frames(launch: Launch, params: Json) -> Json:
    del params
    return {
        "frames": [
            {"name": frame.f_code.co_name, "file": frame.f_code.co_filename, "line": frame.f_lineno}
            for frame in frames(launch)
        ]
    }


def _frame(launch: Launch, params: Json) -> Any:
    stack: list[Any] = list(frames(launch))
    return stack[params["frame"]]


def _locals(launch: Launch, params: Json) -> Json:
    names: dict[str, Any] = dict(_frame(launch, params).f_locals)
    return {"variables": [{"name": name, **_show(launch, value)} for name, value in names.items()]}


def _evaluate(launch: Launch, params: Json) -> Json:
    frame = _frame(launch, params)
    code = compile(params["expression"], "<watch>", "eval")
    return _show(launch, within(lambda: eval(code, frame.f_globals, dict(frame.f_locals))))


def _children(launch: Launch, params: Json) -> Json:
    """Return the parts of a value that was shown with a reference."""
    value: Any = launch.refs[params["reference"]]
    items: list[tuple[str, Any]]
    if _is_array(value):
        start = params.get("start") or 0
        flat = value.reshape(-1)[start : start + (params.get("count") or _ITEM_LIMIT)]
        found = [_element(start + position, value.shape, item) for position, item in enumerate(flat)]
        return {"variables": found}
    if type(value) in (list, tuple):
        items = [(f"[{position}]", item) for position, item in enumerate(value[:_ITEM_LIMIT])]
    elif type(value) in (dict,):
        items = [(repr(key), item) for key, item in list(value.items())[:_ITEM_LIMIT]]
    else:
        items = list(value.__dict__.items())[:_ITEM_LIMIT]
    return {"variables": [{"name": str(name), **_show(launch, item)} for name, item in items]}


_METHODS: dict[str, Callable[[Any, Json], Json]] = {
    "host.frames": _frames,
    "host.locals": _locals,
    "host.evaluate": _evaluate,
    "host.children": _children,
}


def _show(launch: Launch, value: Any) -> Json:
    """Describe a value; one with parts gets a reference that lives as long as the launch."""
    if _is_array(value):
        launch.refs[len(launch.refs) + 1] = value
        return {"value": _array_text(value), "type": type(value).__name__, "reference": len(launch.refs),
                "indexed": int(value.size)}  # fmt: skip
    try:
        text = " ".join(repr(value).split())
    except Exception as error:
        text = f"<repr raised {type(error).__name__}>"
    reference = None
    if type(value) in (list, tuple, dict) or hasattr(value, "__dict__"):
        reference = len(launch.refs) + 1
        launch.refs[reference] = value
    return {"value": text[:_TEXT_LIMIT], "type": type(value).__name__, "reference": reference}


def _is_array(value: Any) -> bool:
    numpy: Any = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, getattr(numpy, "ndarray", ())) and value.ndim > 0


def _array_text(value: Any) -> str:
    numpy: Any = sys.modules["numpy"]
    text: str = numpy.array2string(value, threshold=8, edgeitems=3)
    return f"{value.dtype}[{', '.join(map(str, value.shape))}] {' '.join(text.split())}"


def _element(position: int, shape: tuple[int, ...], value: Any) -> Json:
    places: list[str] = []
    for size in reversed(shape):
        position, place = divmod(position, size)
        places.insert(0, str(place))
    return {"name": f"[{', '.join(places)}]", "value": str(value), "type": type(value).__name__, "reference": None}


class _Stopped(BaseException):
    """What an evaluation gets that takes too long."""


def within(work: Callable[[], Any]) -> Any:
    """Return or raise what `work` does; TimeoutError when it takes longer than the limit, and it is interrupted."""
    outcome: list[Any] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(work())
        except BaseException as error:  # handed to the caller
            failure.append(error)

    thread = threading.Thread(target=run, name="asclens evaluation", daemon=True)
    debugger.hide(thread)
    thread.start()
    thread.join(_LIMIT_S)
    if not outcome and not failure:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(_Stopped))
        raise TimeoutError(f"the expression took longer than {_LIMIT_S:g} s and was stopped")
    if failure:
        raise failure[0]
    return outcome[0]


def _hidden(file: str) -> bool:
    return (
        file.startswith((_HERE, "<frozen runpy>"))
        or file.endswith(f"{os.sep}runpy.py")
        or f"{os.sep}debugpy{os.sep}" in file
    )
