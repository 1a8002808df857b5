# SPDX-License-Identifier: Apache-2.0
"""`options`: settings of all later launches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asclens_compiler.engine.method import Method, Request

if TYPE_CHECKING:
    from asclens_compiler.engine.loop import Engine


def handle(engine: Engine, request: Request) -> dict[str, Any]:
    """Replace the options that are given."""
    engine.state.options = engine.state.options.updated(request.params)
    return {}


METHOD = Method(name="options", handle=handle)
