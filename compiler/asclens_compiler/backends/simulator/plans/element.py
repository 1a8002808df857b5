# SPDX-License-Identifier: Apache-2.0
"""Scalar reads and writes of one element: `get_value` and `set_value`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from asclens_compiler.ascir.program import Op, Reg
from asclens_compiler.ascir.types import AscType
from asclens_compiler.backends.simulator.arrays import Array
from asclens_compiler.backends.simulator.bundle import Bundle, reach
from asclens_compiler.backends.simulator.plans.base import MemoryPlan, as_scalar, memory_of
from asclens_compiler.backends.simulator.values import BYTES, Tensor
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Memory
from asclens_compiler.opset.model import OpRow

if TYPE_CHECKING:
    from asclens_compiler.backends.simulator.core import Core

INDEX_NAMES = ("index", "offset")


class ElementPlan(MemoryPlan):
    """One element at an index; `run()` returns it, `run(value)` stores it."""

    def __init__(self, op: Op, row: OpRow, pc: int, slot: int, reg_types: tuple[AscType, ...]) -> None:
        super().__init__(op, row, pc, slot, reg_types)
        names = [item.name for item in row.operands]
        self.tensor = row.operand_index("tensor")
        self.index = next((row.operand_index(name) for name in INDEX_NAMES if name in names), -1)
        self.value = row.operand_index("value") if "value" in names else -1
        self.writes = self.value >= 0
        self.returns = not self.writes
        self.expect((self.writes, memory_of(self.types[self.tensor]) is Memory.GM))
        if self.writes and isinstance(op.operands[self.value], Reg):
            self._drop_value()

    def _drop_value(self) -> None:
        """Keep the stored value out of the key: it is passed to `run`."""
        place = self._places.index((self.value, -1))
        del self._places[place], self.key_parts[place]
        self.float_parts = {part - (part > place) for part in self.float_parts if part != place}

    def make(self, core: Core, values: list[Any]) -> Bundle:
        """Resolve the element."""
        tensor = values[self.tensor]
        form = tensor.form if isinstance(tensor, Tensor) else BYTES
        index = int(values[self.index] or 0) if self.index >= 0 else 0
        lo = (tensor.lo if isinstance(tensor, Tensor) else 0) + index * form.size
        view, access = reach(core, self, self.tensor, tensor, (form, lo, 1), write=self.writes)
        run: Callable[..., Any] = partial(_store if self.writes else _load, view, form.dtype)
        found = [access] if access is not None else []
        reads, writes = ([], found) if self.writes else (found, [])
        return self.finish(core, run, reads, writes, form.size)


def _store(view: Array, dtype: DType, value: Any) -> None:
    view[0] = as_scalar(value, dtype)


def _load(view: Array, dtype: DType) -> int | float | bool:
    return float(view[0]) if dtype.is_float else int(view[0])
