# SPDX-License-Identifier: Apache-2.0
"""Operations that the machine runs itself, one Python function each, found by listing this folder.

`run(call, core, *operand values in row order)` returns the value of the op's result, or of the
register that `assigns` names: handles are immutable, so a call that changes a tensor or struct
puts a new one into its operand's register.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from asclens_compiler.ascir.program import AttrValue, Op
from asclens_compiler.ascir.types import AscType, ScalarType
from asclens_compiler.hardware.dtypes import DType


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Call:
    """One call site: what its function may depend on besides operand values."""

    pc: int
    op: Op
    name: str  # the Python variable that takes the result, or ""
    operand_names: tuple[str, ...]
    operand_types: tuple[AscType | None, ...]
    result_types: tuple[AscType, ...]

    @property
    def result(self) -> Any:
        """Return the type of the first result."""
        return self.result_types[0]

    @property
    def result_dtype(self) -> DType:
        """Return the element type of the first result, UNKNOWN when it has none."""
        kind = self.result_types[0] if self.result_types else None
        return getattr(kind, "dtype", DType.UNKNOWN)

    @property
    def is_scalar(self) -> bool:
        """Tell whether the first result is a number."""
        return bool(self.result_types) and isinstance(self.result_types[0], ScalarType)

    def attr(self, name: str, default: AttrValue | None = None) -> Any:
        """Return an attribute."""
        return self.op.attr(name, default)


Run = Callable[..., Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Handler:
    """A function and the operand whose register it assigns, if any."""

    run: Run
    assigns: str = ""


_HANDLERS: dict[str, Handler] = {}


def handler(*names: str, assigns: str = "") -> Callable[[Run], Run]:
    """Register a function for ops by name."""

    def decorate(run: Run) -> Run:
        for name in names:
            if name in _HANDLERS:
                raise ValueError(f"two functions run {name!r}")
            _HANDLERS[name] = Handler(run=run, assigns=assigns)
        return run

    return decorate


@cache
def handlers() -> dict[str, Handler]:
    """Return all functions by op name."""
    package = importlib.import_module(__name__.rpartition(".")[0])
    for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda item: item.name):
        importlib.import_module(f"{package.__name__}.{info.name}")
    return _HANDLERS
