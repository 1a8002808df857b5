# SPDX-License-Identifier: Apache-2.0
"""`launch`: run a kernel of the script that asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asclens_compiler.engine.launching import launch
from asclens_compiler.engine.method import Method, Request

if TYPE_CHECKING:
    from asclens_compiler.engine.loop import Engine


def handle(engine: Engine, request: Request) -> dict[str, Any]:
    """Return the launch result; the owner has heard `launch.finished` by then."""
    running = engine.state.begin(request.link, request.number or 0)
    try:
        return launch(engine, running, request.params)
    finally:
        engine.state.end()


METHOD = Method(name="launch", handle=handle, owner=False, script=True)
