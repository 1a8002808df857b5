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
    run = engine.state.debugging.run
    return {"running": run is not None and run.pause()}


METHOD = Method(name="debug.pause", handle=handle)
