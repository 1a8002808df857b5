# SPDX-License-Identifier: Apache-2.0
"""The one door to MLIR: picks the Python bindings and hides where their versions differ.

Measured traps that this module takes care of: without an importable wrapper module for a dialect's
namespace, every value access retries a failing import (40 us instead of 0.8 us); accessors of
locations moved to subclasses in newer versions; `with context` left open at exit aborts, so nothing
here or elsewhere enters a context.
"""

from __future__ import annotations

import importlib
import os
import sys
import types
from typing import Any

from asclens_compiler.errors import AscLensError

_CANDIDATES = ("mlir", "torch_mlir")
_WRAPPER_PACKAGE = "_asclens_dialects"
DIALECTS = ("builtin", "func", "scf", "arith", "math", "irdl")


def _pick() -> tuple[str, Any]:
    """Return the name and the `ir` module of the first bindings that load."""
    wanted = os.environ.get("ASCLENS_MLIR")
    failures: list[str] = []
    for name in (wanted,) if wanted else _CANDIDATES:
        try:
            return name, importlib.import_module(f"{name}.ir")
        except ImportError as error:
            failures.append(f"{name}: {error}")
    raise AscLensError(
        f"no MLIR Python bindings load ({'; '.join(failures)})",
        help="Reinstall with `pip install --force-reinstall asclens`; ASCLENS_MLIR=mlir|torch_mlir selects one.",
    )


FLAVOUR, ir = _pick()
irdl: Any = importlib.import_module(f"{FLAVOUR}.dialects.irdl")
PassManager: Any = importlib.import_module(f"{FLAVOUR}.passmanager").PassManager
MLIRError: Any = ir.MLIRError


def _register_wrapper(namespace: str) -> None:
    package = sys.modules.setdefault(_WRAPPER_PACKAGE, types.ModuleType(_WRAPPER_PACKAGE))
    package.__path__ = []
    name = f"{_WRAPPER_PACKAGE}.{namespace}"
    sys.modules.setdefault(name, types.ModuleType(name))
    libs: Any = importlib.import_module(f"{FLAVOUR}._mlir_libs._mlir")
    libs.globals.append_dialect_search_prefix(_WRAPPER_PACKAGE)


_register_wrapper("ascir")


def new_context() -> Any:
    """Return a single-threaded context with the dialects that AscIR stands on."""
    context = ir.Context(load_on_create_dialects=list(DIALECTS))
    context.enable_multithreading(False)
    return context


_SUBCLASSES = not hasattr(ir.Location, "is_a_file")


def _as(location: Any, name: str) -> Any | None:
    """Return the location as subclass `name` of newer bindings, or None."""
    cls = getattr(ir, name)
    if isinstance(location, cls):
        return location
    try:
        return cls(location)
    except (ValueError, TypeError):
        return None


def as_file(location: Any) -> Any | None:
    """Return a file location with `filename`, `start_line` ... , or None."""
    if _SUBCLASSES:
        return _as(location, "FileLineColLoc")
    return location if location.is_a_file() else None


def as_name(location: Any) -> Any | None:
    """Return a named location with `name_str` and `child_loc`, or None."""
    if _SUBCLASSES:
        return _as(location, "NameLoc")
    return location if location.is_a_name() else None


def as_callsite(location: Any) -> Any | None:
    """Return a call-site location with `callee` and `caller`, or None."""
    if _SUBCLASSES:
        return _as(location, "CallSiteLoc")
    return location if location.is_a_callsite() else None


def as_fused(location: Any) -> Any | None:
    """Return a fused location with `locations`, or None."""
    if _SUBCLASSES:
        return _as(location, "FusedLoc")
    return location if location.is_a_fused() else None
