# SPDX-License-Identifier: Apache-2.0
"""Arrays of host code, as far as their dtype and shape are known without running it."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from asclens_compiler.frontend.values import KernelValue
from asclens_compiler.hardware.dtypes import DType

if TYPE_CHECKING:
    from asclens_compiler.frontend.context import Context
    from asclens_compiler.source.span import Span


@dataclass(frozen=True, slots=True, eq=False)
class HostArray(KernelValue):
    """A numpy array or torch tensor; `shape` is None when unknown."""

    dtype: DType = DType.UNKNOWN
    shape: tuple[int, ...] | None = None
    kind = "host array"

    def describe(self) -> str:
        """Return for example `float32[16384]`."""
        dims = "?" if self.shape is None else ",".join(map(str, self.shape))
        return f"{self.dtype.value}[{dims}]"

    @property
    def elems(self) -> int | None:
        """Return the number of elements, None when unknown."""
        return None if self.shape is None else prod(self.shape)

    def truth(self, ctx: Context, span: Span) -> None:
        """Arrays have no known truth value."""
        del ctx, span

    def is_compile_time(self) -> bool:
        """Return True."""
        return True
