# SPDX-License-Identifier: Apache-2.0
"""Runs of elements at a fixed distance: what copies and many results look like in memory."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from asclens_compiler.backends.simulator.semantics.api import Array, Index, OpContext
from asclens_compiler.backends.simulator.semantics.blocks import frozen
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Memory


@dataclass(frozen=True, slots=True)
class Bursts:
    """`count` runs of `length`; run i starts at i * step (all in elements)."""

    count: int
    length: int
    step: int

    @property
    def dense(self) -> bool:
        """Tell whether the runs join up."""
        return self.count == 1 or self.step == self.length

    def index(self) -> Index:
        """Return the element indexes, shape (count, length), cached and read-only."""
        return _index(self)


@lru_cache(maxsize=512)
def _index(bursts: Bursts) -> Index:
    return frozen(np.arange(bursts.count)[:, None] * bursts.step + np.arange(bursts.length))


def load(ctx: OpContext, operand: str, bursts: Bursts, *, dtype: DType | None = None) -> Array:
    """Read runs of elements, shape (count, length)."""
    if bursts.dense:
        values = ctx.read(operand, bursts.count * bursts.length, dtype=dtype)
        return np.reshape(values, (bursts.count, bursts.length))
    return ctx.gather(operand, bursts.index(), dtype=dtype)


def save(ctx: OpContext, operand: str, values: Array, bursts: Bursts) -> None:
    """Write runs of elements from shape (count, length); global memory honours atomic mode."""
    if not bursts.dense:
        ctx.scatter(operand, bursts.index(), values)
    elif ctx.memory(operand) is Memory.GM:
        ctx.store(operand, np.ravel(values))
    else:
        ctx.write(operand, values.size)[:] = np.ravel(values)
