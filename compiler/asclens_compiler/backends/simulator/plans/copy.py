# SPDX-License-Identifier: Apache-2.0
"""`data_copy(dst, src, count)`: whole 32-byte blocks, with the atomic mode on the way to global memory."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from asclens_compiler.ascir.program import Op
from asclens_compiler.ascir.types import AscType
from asclens_compiler.backends.simulator.arrays import typed
from asclens_compiler.backends.simulator.atomics import ATOMIC_KERNELS
from asclens_compiler.backends.simulator.bundle import Bundle, reach
from asclens_compiler.backends.simulator.plans.base import MemoryPlan, memory_of
from asclens_compiler.backends.simulator.rules import operand_range, partial_block
from asclens_compiler.backends.simulator.values import BYTES, Tensor
from asclens_compiler.hardware.chips import DATA_BLOCK_BYTES
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Memory
from asclens_compiler.opset.model import OpRow

if TYPE_CHECKING:
    from asclens_compiler.backends.simulator.core import Core

MAX_BYTES = 1 << 26


class CopyPlan(MemoryPlan):
    """A counted copy."""

    def __init__(self, op: Op, row: OpRow, pc: int, slot: int, reg_types: tuple[AscType, ...]) -> None:
        super().__init__(op, row, pc, slot, reg_types)
        self.dst, self.src = row.operand_index("dst"), row.operand_index("src")
        self.count = row.operand_index("calCount")
        target, source = memory_of(self.types[self.dst]), memory_of(self.types[self.src])
        self._path = None if target is None or source is None else (source, target)
        self.with_atomic = target is Memory.GM
        self.expect((False, source is Memory.GM), (True, target is Memory.GM))

    @property
    def path(self) -> tuple[Memory, Memory] | None:
        """Return (source, target) memory."""
        return self._path

    def make(self, core: Core, values: list[Any]) -> Bundle:
        """Resolve both ends."""
        target, source = values[self.dst], values[self.src]
        form = target.form if isinstance(target, Tensor) else BYTES
        nbytes = self._bytes(core, int(values[self.count]), form.size)
        lo = source.lo if isinstance(source, Tensor) else 0
        data, read = reach(core, self, self.src, source, (BYTES, lo, nbytes), write=False)
        lo = target.lo if isinstance(target, Tensor) else 0
        into, write = reach(core, self, self.dst, target, (BYTES, lo, nbytes), write=True)
        run: Callable[..., Any] = partial(np.copyto, into, data)
        state = core.vs
        if self.with_atomic and state.atomic_op:
            kind = state.atomic_dtype if state.atomic_dtype is not DType.UNKNOWN else form.dtype
            run = partial(ATOMIC_KERNELS[state.atomic_op], typed(into, kind), typed(data, kind))
            if write is not None:
                write.atomic = True
        reads = [read] if read is not None else []
        return self.finish(core, run, reads, [write] if write is not None else [], nbytes)

    def _bytes(self, core: Core, count: int, size: int) -> int:
        """Return the bytes of a count that are copied: whole blocks."""
        nbytes = count * size
        if 0 <= nbytes <= MAX_BYTES and not nbytes % DATA_BLOCK_BYTES:
            return nbytes
        reports = core.machine.reports
        if not 0 <= nbytes <= MAX_BYTES:
            reports.at(
                core, self.pc, operand_range.RULE, key="count", operand="count", op=reports.op(self.pc), value=count,
                low=0, high=MAX_BYTES // size,
            )  # fmt: skip
            return 0
        copied = nbytes // DATA_BLOCK_BYTES * DATA_BLOCK_BYTES
        reports.at(
            core, self.pc, partial_block.RULE, op=reports.op(self.pc), bytes=nbytes, copied=copied,
            elems=DATA_BLOCK_BYTES // size,
        )  # fmt: skip
        return copied
