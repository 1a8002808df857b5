# SPDX-License-Identifier: Apache-2.0
"""`host.*`: questions about the script's frame that waits for a launch, relayed to the facade."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asclens_compiler.engine.method import Method, Request
from asclens_compiler.errors import AscLensError

if TYPE_CHECKING:
    from asclens_compiler.engine.loop import Engine


def handle(engine: Engine, request: Request) -> None:
    """Pass the question on to the script that waits for the launch, and its answer back."""
    running = engine.state.running
    if running is None or running.link is None or request.params.get("launch") != running.number:
        raise AscLensError("that launch has ended")

    def relay(message: dict[str, Any]) -> None:
        if "error" in message:
            request.refuse(message["error"])
        else:
            request.answer(message.get("result"))

    running.link.ask(request.method, {**request.params, "launch": running.request}, relay)


METHOD = Method(name="host.*", handle=handle)
