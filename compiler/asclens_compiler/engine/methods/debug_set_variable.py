# SPDX-License-Identifier: Apache-2.0
"""`debug.set_variable`: change a scalar or an element of a tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asclens_compiler.engine.method import Method, Request

if TYPE_CHECKING:
    from asclens_compiler.engine.loop import Engine


def handle(engine: Engine, request: Request) -> dict[str, Any]:
    """Change a variable and return how it is shown now."""
    params = request.params
    values = engine.state.debugging.standing().values(params["core"], params["frame"])
    return values.set_variable(params["reference"], params["name"], str(params["value"]))


METHOD = Method(name="debug.set_variable", handle=handle)
