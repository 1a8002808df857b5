# SPDX-License-Identifier: Apache-2.0
"""`debug.scopes`: the scopes of a frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asclens_compiler.engine.debugging.values import SCOPES
from asclens_compiler.engine.method import Method, Request

if TYPE_CHECKING:
    from asclens_compiler.engine.loop import Engine


def handle(engine: Engine, request: Request) -> dict[str, Any]:
    """Return the scopes; they are the same for every frame."""
    params = request.params
    engine.state.debugging.standing().values(params["core"], params["frame"])
    return {"scopes": [{"name": name, "reference": key, "expensive": key == "pipes"} for name, key in SCOPES]}


METHOD = Method(name="debug.scopes", handle=handle)
