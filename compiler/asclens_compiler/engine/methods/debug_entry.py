# SPDX-License-Identifier: Apache-2.0
"""`debug.entry`: stop the next launch of a thread at its first line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asclens_compiler.engine.method import Method, Request

if TYPE_CHECKING:
    from asclens_compiler.engine.loop import Engine


def handle(engine: Engine, request: Request) -> dict[str, Any]:
    """Arm, or with a null thread disarm, the stop at entry."""
    engine.state.debugging.entry = request.params.get("thread")
    return {}


METHOD = Method(name="debug.entry", handle=handle)
