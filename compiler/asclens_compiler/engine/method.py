# SPDX-License-Identifier: Apache-2.0
"""Methods of the engine: one module each in `engine/methods/`, found by name."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from asclens_compiler.engine import methods
from asclens_compiler.errors import AscLensError

if TYPE_CHECKING:
    from asclens_compiler.engine.loop import Engine
    from asclens_compiler.engine.transport import Link

Params = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request of a peer."""

    link: Link
    number: int | None
    method: str
    params: Params

    def answer(self, result: Any) -> None:
        """Send the result."""
        self.link.send({"id": self.number, "result": result})

    def refuse(self, error: dict[str, Any]) -> None:
        """Send an `error` object instead of a result."""
        self.link.send({"id": self.number, "error": error})


Handler = Callable[["Engine", Request], Any]

# Answered by the thread that reads the link, while the main thread may be busy; they touch no MLIR.
IMMEDIATE = frozenset({"hello", "listen", "options", "cancel", "debug.pause"})
IMMEDIATE_PREFIX = "host."


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """A method: who may call it, and what answers.

    The handler returns the result, or None when it answers later by itself. It raises
    AscLensError for what a user can mend; anything else is a defect of the engine.
    """

    name: str
    handle: Handler
    owner: bool = True
    script: bool = False


def is_immediate(name: str) -> bool:
    """Tell whether a method must not wait for the main thread."""
    return name in IMMEDIATE or name.startswith(IMMEDIATE_PREFIX)


@cache
def find(name: str) -> Method:
    """Return a method, importing its module on first use; AscLensError for an unknown name."""
    module = name.replace(".", "_")
    family = "host" if name.startswith(IMMEDIATE_PREFIX) else module
    if family not in _modules():
        raise AscLensError(f"the engine has no method {name!r}")
    found: Method = importlib.import_module(f"{methods.__name__}.{family}").METHOD
    if found.name not in (name, "host.*"):
        raise AscLensError(f"the engine has no method {name!r}")
    return found


@cache
def _modules() -> frozenset[str]:
    return frozenset(info.name for info in pkgutil.iter_modules(methods.__path__))
