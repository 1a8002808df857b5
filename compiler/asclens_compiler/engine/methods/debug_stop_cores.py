# SPDX-License-Identifier: Apache-2.0
"""`debug.stop_cores`: which cores stop at breakpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asclens_compiler.engine.method import Method, Request

if TYPE_CHECKING:
    from asclens_compiler.engine.loop import Engine


def handle(engine: Engine, request: Request) -> dict[str, Any]:
    """Choose the cores; null means all."""
    cores = request.params.get("cores")
    state = engine.state.debugging
    state.stop_cores = None if cores is None else frozenset(cores)
    if state.run is not None:
        state.run.session.stop_cores = state.stop_cores
    return {}


METHOD = Method(name="debug.stop_cores", handle=handle)
