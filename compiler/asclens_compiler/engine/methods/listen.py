# SPDX-License-Identifier: Apache-2.0
"""`listen`: open the link for scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asclens_compiler.engine.method import Method, Request
from asclens_compiler.engine.transport import ScriptListener

if TYPE_CHECKING:
    from asclens_compiler.engine.loop import Engine


def handle(engine: Engine, request: Request) -> dict[str, Any]:
    """Return port and token; the same ones on every call."""
    del request
    state = engine.state
    if state.listener is None:
        state.listener = ScriptListener(on_link=engine.serve_script)
        state.port = state.listener.start()
    return {"port": state.port, "token": state.listener.token}


METHOD = Method(name="listen", handle=handle)
