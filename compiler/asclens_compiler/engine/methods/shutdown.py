# SPDX-License-Identifier: Apache-2.0
"""`shutdown`: end the engine when the work in hand is done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asclens_compiler.engine.method import Method, Request

if TYPE_CHECKING:
    from asclens_compiler.engine.loop import Engine


def handle(engine: Engine, request: Request) -> dict[str, Any]:
    """End the loop after this answer."""
    del request
    engine.stop()
    return {}


METHOD = Method(name="shutdown", handle=handle)
