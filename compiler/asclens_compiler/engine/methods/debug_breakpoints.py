# SPDX-License-Identifier: Apache-2.0
"""`debug.breakpoints`: the breakpoints of one file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asclens_compiler.engine.debugging.lines import DeviceBody, device_bodies
from asclens_compiler.engine.debugging.state import Breakpoint, breakpoint_of
from asclens_compiler.engine.findings_text import read_file
from asclens_compiler.engine.method import Method, Request
from asclens_compiler.errors import AscLensError
from asclens_compiler.source.text import SourceText

if TYPE_CHECKING:
    from asclens_compiler.engine.loop import Engine


def handle(engine: Engine, request: Request) -> dict[str, Any]:
    """Replace the breakpoints of a file and return the lines where they stop."""
    file: str = request.params["file"]
    bodies = _bodies(file)
    answers: list[dict[str, Any]] = []
    wanted: list[Breakpoint] = []
    for item in request.params["breakpoints"]:
        try:
            found = breakpoint_of(item)
        except AscLensError as error:
            answers.append({"verified": False, "line": item["line"], "message": error.message})
            continue
        wanted.append(found)
        body = next((body for body in bodies if body.first <= found.line <= body.last), None)
        line = body.stop_at(found.line) if body is not None else None
        answers.append({"verified": line is not None, "line": line or found.line})
    state = engine.state.debugging
    state.set_breakpoints(file, wanted)
    if state.run is not None:
        state.run.apply_breakpoints()
    return {"breakpoints": answers}


def _bodies(file: str) -> list[DeviceBody]:
    try:
        return device_bodies(SourceText(file, read_file(file)))
    except (OSError, UnicodeError):
        return []


METHOD = Method(name="debug.breakpoints", handle=handle)
