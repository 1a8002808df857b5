# SPDX-License-Identifier: Apache-2.0
"""`run_file`: run a kernel by its `# asclens: run` comment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asclens_compiler.engine.launching import run_directive
from asclens_compiler.engine.method import Method, Request

if TYPE_CHECKING:
    from asclens_compiler.engine.loop import Engine


def handle(engine: Engine, request: Request) -> dict[str, Any]:
    """Return the launch result, with the arrays as `outputs`."""
    engine.state.options = engine.state.options.updated(request.params.get("options") or {})
    running = engine.state.begin(None, 0)
    try:
        return run_directive(engine, running, request.params)
    finally:
        engine.state.end()


METHOD = Method(name="run_file", handle=handle)
