# SPDX-License-Identifier: Apache-2.0
"""`debug.pause`: make a running launch stand still."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asclens_compiler.engine.method import Method, Request

if TYPE_CHECKING:
    from asclens_compiler.engine.loop import Engine


def handle(engine: Engine, request: Request) -> dict[str, Any]:
    """Ask the launch to stop; a `stopped` event follows when it runs."""
    del request
    state = engine.state.debugging
    state.early_pause = True  # before the look at `run`: a launch takes it up after it has become the run
    run = state.run
    if run is not None:
        state.early_pause = False
        return {"running": run.pause()}
    state.early_pause = engine.state.running is not None and engine.state.options.debug
    return {"running": state.early_pause}


METHOD = Method(name="debug.pause", handle=handle)
