# SPDX-License-Identifier: Apache-2.0
"""`debug.stack`: the frames of a core."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asclens_compiler.engine.method import Method, Request

if TYPE_CHECKING:
    from asclens_compiler.engine.loop import Engine


def handle(engine: Engine, request: Request) -> dict[str, Any]:
    """Return the frames, innermost first."""
    return {"frames": engine.state.debugging.standing().frames(request.params["core"])}


METHOD = Method(name="debug.stack", handle=handle)
