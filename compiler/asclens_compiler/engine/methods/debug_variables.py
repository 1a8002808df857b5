# SPDX-License-Identifier: Apache-2.0
"""`debug.variables`: the members of a scope or a container."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asclens_compiler.engine.method import Method, Request

if TYPE_CHECKING:
    from asclens_compiler.engine.loop import Engine


def handle(engine: Engine, request: Request) -> dict[str, Any]:
    """Return the members; `start` and `count` page the elements of tensors."""
    params = request.params
    values = engine.state.debugging.standing().values(params["core"], params["frame"])
    return {"variables": values.variables(params["reference"], params.get("start") or 0, params.get("count"))}


METHOD = Method(name="debug.variables", handle=handle)
