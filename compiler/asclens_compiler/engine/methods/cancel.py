# SPDX-License-Identifier: Apache-2.0
"""`cancel`: end a launch that its script no longer waits for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asclens_compiler.engine.method import Method, Request

if TYPE_CHECKING:
    from asclens_compiler.engine.loop import Engine


def handle(engine: Engine, request: Request) -> dict[str, Any]:
    """End the launch with this request number on this link, when it is the one in hand."""
    engine.state.cancel(request.link, request.params.get("launch"))
    return {}


METHOD = Method(name="cancel", handle=handle, owner=False, script=True)
