# SPDX-License-Identifier: Apache-2.0
"""`debug.evaluate`: a Python expression over the names of a kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asclens_compiler.engine.debugging.limit import within
from asclens_compiler.engine.method import Method, Request

if TYPE_CHECKING:
    from asclens_compiler.engine.loop import Engine


def handle(engine: Engine, request: Request) -> dict[str, Any]:
    """Return the value of an expression; tensors are arrays in it."""
    params = request.params
    values = engine.state.debugging.standing().values(params["core"], params["frame"])
    return values.shown(within(lambda: values.evaluate(params["expression"])))


METHOD = Method(name="debug.evaluate", handle=handle)
