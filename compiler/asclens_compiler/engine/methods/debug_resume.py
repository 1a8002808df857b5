# SPDX-License-Identifier: Apache-2.0
"""`debug.resume`: let a launch that stands still go on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asclens_compiler.engine.method import Method, Request

if TYPE_CHECKING:
    from asclens_compiler.engine.loop import Engine


def handle(engine: Engine, request: Request) -> dict[str, Any]:
    """Go on after this answer."""
    run = engine.state.debugging.standing()
    run.resume(request.params["how"], request.params.get("core") or 0)
    return {}


METHOD = Method(name="debug.resume", handle=handle)
