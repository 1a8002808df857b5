# SPDX-License-Identifier: Apache-2.0
"""The staged surface as the host sees it: tensor descriptors, scopes, stages."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any

from asclens_host.dtypes import DataType
from asclens_host.errors import device_only


class Scope(Enum):
    """Say where a staged tensor lives."""

    GLOBAL = "GLOBAL"
    LOCAL = "LOCAL"


class PipeStage(Enum):
    """Name a unit of a stage, or a pipe."""

    VECTOR = "VECTOR"
    CUBE = "CUBE"
    SCALAR = "SCALAR"
    MTE1 = "MTE1"
    MTE2 = "MTE2"
    MTE3 = "MTE3"
    FIX = "FIX"
    V = "V"
    M = "M"
    S = "S"

    @staticmethod
    def start(stage: PipeStage) -> None:
        """Begin a stage (in a kernel)."""
        raise device_only("PipeStage.start")

    @staticmethod
    def end(stage: PipeStage) -> None:
        """End a stage (in a kernel)."""
        raise device_only("PipeStage.end")

    @staticmethod
    def sync() -> None:
        """Wait for everything the core started (in a kernel)."""
        raise device_only("PipeStage.sync")


class Tensor:
    """Describe a staged tensor; on the host a description is all there is.

    Any of shape (elements), dtype and scope may be left out where a kernel parameter is annotated.
    """

    def __init__(
        self,
        shape: int | Sequence[int] | None = None,
        dtype: DataType | str | None = None,
        scope: Scope = Scope.GLOBAL,
    ) -> None:
        self.shape: tuple[int, ...] | None = _shape(shape)
        self.dtype: DataType | None = None if dtype is None else DataType(dtype)
        if not isinstance(scope, Scope):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"scope is asc.Scope.GLOBAL or asc.Scope.LOCAL, not {scope!r}")
        self.scope = scope

    def __repr__(self) -> str:
        shape = "?" if self.shape is None else str(self.shape)
        dtype = "?" if self.dtype is None else str(self.dtype)
        return f"Tensor(shape={shape}, dtype={dtype}, scope={self.scope.name})"

    def to_local(self, *args: Any, **kwargs: Any) -> Any:
        """Copy to local memory (in a kernel)."""
        raise device_only("Tensor.to_local")

    def copy_from(self, *args: Any, **kwargs: Any) -> Any:
        """Copy into global memory (in a kernel)."""
        raise device_only("Tensor.copy_from")

    def to(self, *args: Any, **kwargs: Any) -> Any:
        """Convert to another element type (in a kernel)."""
        raise device_only("Tensor.to")


def _shape(shape: Any) -> tuple[int, ...] | None:
    if shape is None:
        return None
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    for size in sizes:
        if isinstance(size, bool) or not hasattr(size, "__index__") or size.__index__() < 0:
            raise TypeError(f"a shape holds integers of at least 0, not {size!r}")
    return tuple(size.__index__() for size in sizes)


def _no_values(name: str) -> Any:
    def operator(self: Tensor, *others: Any) -> Any:
        raise device_only(f"Tensor.{name}")

    return operator


for _name in (
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "radd", "rsub", "rmul", "rtruediv", "neg"),
    *("invert", "and", "or", "xor", "gt", "ge", "lt", "le", "getitem", "setitem"),
):
    setattr(Tensor, f"__{_name}__", _no_values(f"__{_name}__"))
