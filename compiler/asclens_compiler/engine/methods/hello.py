# SPDX-License-Identifier: Apache-2.0
"""`hello`: who is this engine."""

from __future__ import annotations

import os
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from asclens_compiler.engine.method import Method, Request

if TYPE_CHECKING:
    from asclens_compiler.engine.loop import Engine


def handle(engine: Engine, request: Request) -> dict[str, Any]:
    """Return version, process id and which MLIR bindings are installed."""
    del engine, request
    try:
        own = version("asclens")
    except PackageNotFoundError:
        own = "unknown"
    flavour = next((name for name in ("mlir", "torch_mlir") if find_spec(name) is not None), None)
    return {"version": own, "pid": os.getpid(), "mlir": flavour}


METHOD = Method(name="hello", handle=handle, script=True)
