# SPDX-License-Identifier: Apache-2.0
"""`debug.kernel_lines`: which lines of a file run on the device."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asclens_compiler.engine.debugging.lines import device_bodies
from asclens_compiler.engine.method import Method, Request
from asclens_compiler.source.text import SourceText

if TYPE_CHECKING:
    from asclens_compiler.engine.loop import Engine


def handle(engine: Engine, request: Request) -> dict[str, Any]:
    """Return the device functions of a text with the lines where something can stop."""
    del engine
    bodies = device_bodies(SourceText(request.params["file"], request.params["text"]))
    return {
        "kernels": [
            {"name": body.name, "first": body.first, "last": body.last, "stops": list(body.stops)} for body in bodies
        ]
    }


METHOD = Method(name="debug.kernel_lines", handle=handle)
