# SPDX-License-Identifier: Apache-2.0
"""`build`: what the compiler makes of a file's kernels, as text with a line map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asclens_compiler.engine.building import build
from asclens_compiler.engine.method import Method, Request
from asclens_compiler.source.text import SourceText

if TYPE_CHECKING:
    from asclens_compiler.engine.loop import Engine


def handle(engine: Engine, request: Request) -> dict[str, Any]:
    """Return the text of the kernels at a stage."""
    params = request.params
    source = SourceText(params["file"], params["text"])
    soc = params.get("soc") or engine.state.options.soc
    return build(source, emit=params.get("emit") or "ascir-opt", kernel=params.get("kernel"), soc=soc)


METHOD = Method(name="build", handle=handle)
