# SPDX-License-Identifier: Apache-2.0
"""`check`: find mistakes in a file's kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asclens_compiler.engine.analysis import CheckCache, answer, check_file
from asclens_compiler.engine.method import Method, Request
from asclens_compiler.source.text import SourceText

if TYPE_CHECKING:
    from asclens_compiler.engine.loop import Engine

_CHECKED = CheckCache()  # lives as long as the engine


def handle(engine: Engine, request: Request) -> dict[str, Any]:
    """Return findings, kernels and, when asked for, facts of one version of a file."""
    params = request.params
    source = SourceText(params["file"], params["text"])
    soc = params.get("soc") or engine.state.options.soc
    checked = check_file(source, soc=soc, facts=bool(params.get("facts")), cache=_CHECKED)
    return {"version": params.get("version"), **answer(checked, source)}


METHOD = Method(name="check", handle=handle)
