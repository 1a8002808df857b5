# SPDX-License-Identifier: Apache-2.0
"""Plans: everything about an instruction that does not depend on register values."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from asclens_compiler.ascir.program import Const, Op, Operand, Reg
from asclens_compiler.ascir.types import AscType, GlobalType, LocalType, ScalarType
from asclens_compiler.backends.simulator.arrays import Array, as_tuple
from asclens_compiler.backends.simulator.bundle import Bundle
from asclens_compiler.backends.simulator.core import SITE_CACHE
from asclens_compiler.backends.simulator.dtypes import numpy_dtype
from asclens_compiler.backends.simulator.lanes import LANE, LANES, SCALAR
from asclens_compiler.backends.simulator.shadow import Access
from asclens_compiler.backends.simulator.timing import duration
from asclens_compiler.hardware.chips import alignment_bytes
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.paths import copy_path
from asclens_compiler.hardware.pipes import Memory, Pipe
from asclens_compiler.opset.model import ConstraintKind, OpRow, PipeRule, Role

if TYPE_CHECKING:
    from asclens_compiler.backends.simulator.core import Core

TENSOR_ROLES = frozenset({Role.DST, Role.SRC, Role.INOUT})


def type_of(operand: object, reg_types: tuple[AscType, ...]) -> AscType | None:
    """Return the static type of an operand."""
    if isinstance(operand, Reg):
        return reg_types[operand.index]
    return operand.type if isinstance(operand, Const) else None


def memory_of(kind: AscType | None) -> Memory | None:
    """Return the memory that a tensor type lies in."""
    if isinstance(kind, LocalType):
        return kind.position.memory
    return Memory.GM if isinstance(kind, GlobalType) else None


def lane_of(op: Op, row: OpRow, reg_types: tuple[AscType, ...]) -> int:
    """Return the lane that executes an op."""
    if isinstance(row.pipe, Pipe):
        return LANE.get(row.pipe, SCALAR)
    if row.pipe is PipeRule.NONE:
        return SCALAR
    ends = [
        memory_of(type_of(op.operands[i], reg_types))
        for i, item in enumerate(row.operands)
        if item.role in TENSOR_ROLES
    ]
    if len(ends) < 2 or ends[0] is None or ends[1] is None:
        return SCALAR
    path = copy_path(ends[1], ends[0])
    return LANE[path.pipe if path is not None else Pipe.MTE3]


class MemoryPlan:
    """A plan of an instruction that touches memory; `bind` resolves it for register values.

    `key_parts` are the operands that come from registers, in the order of the key that the
    emitted code builds; `with_mask` and `with_atomic` append state registers to the key.
    """

    with_mask = False
    with_atomic = False
    returns = False  # run() gives a value for the op's first result

    def __init__(self, op: Op, row: OpRow, pc: int, slot: int, reg_types: tuple[AscType, ...]) -> None:
        self.op, self.row, self.pc, self.slot = op, row, pc, slot
        self.lane = lane_of(op, row, reg_types)
        self.types = tuple(type_of(operand, reg_types) for operand in op.operands)
        self.key_parts: list[Operand] = []
        self.float_parts: set[int] = set()
        self._template: list[Any] = []
        self._places: list[tuple[int, int]] = []
        self._aligned = {
            constraint.operands[0]: constraint.value
            for constraint in row.constraints
            if constraint.kind is ConstraintKind.ALIGNED_TO and constraint.value
        }
        for index, operand in enumerate(op.operands):
            self._add(index, operand, reg_types)
        self._lists = [index for index, item in enumerate(self._template) if isinstance(item, list)]
        self.aligns = [self._align(index, item.name) for index, item in enumerate(row.operands[: len(self.types)])]
        self._times: dict[tuple[int, float], tuple[int, int]] = {}
        self.inline: tuple[tuple[bool, bool], ...] = ()  # (writes, shared) per access of a simple bundle
        self.counts = (0, 0)

    def expect(self, *inline: tuple[bool, bool]) -> None:
        """Set the accesses of a simple bundle, reads first: (writes, to global memory)."""
        self.inline = inline
        written = sum(writes for writes, _ in inline)
        self.counts = (len(inline) - written, written)

    def _add(self, index: int, operand: object, reg_types: tuple[AscType, ...]) -> None:
        if isinstance(operand, tuple):
            items: list[Any] = []
            self._template.append(items)
            for sub, item in enumerate(as_tuple(operand)):
                self._part(items, (index, sub), item, reg_types)
        else:
            self._part(self._template, (index, -1), operand, reg_types)

    def _part(self, into: list[Any], place: tuple[int, int], operand: object, reg_types: tuple[AscType, ...]) -> None:
        if isinstance(operand, Reg):
            kind = reg_types[operand.index]
            if isinstance(kind, ScalarType) and kind.dtype.is_float:
                self.float_parts.add(len(self.key_parts))
            self.key_parts.append(operand)
            self._places.append(place)
            into.append(None)
        else:
            into.append(operand.value if isinstance(operand, Const) else None)

    def values(self, key: Any) -> list[Any]:
        """Return the operand values in row order for a key; variadic operands are tuples."""
        values = self._template[:]
        parts = (key,) if self._single else key
        lists = self._lists
        if not lists and not self.float_parts:
            for place, part in zip(self._places, parts, strict=False):
                values[place[0]] = part
            return values
        for index in lists:
            values[index] = values[index][:]
        for (index, sub), part in zip(self._places, parts, strict=False):
            value = float(part) if isinstance(part, str) else part
            if sub < 0:
                values[index] = value
            else:
                values[index][sub] = value
        for index in lists:
            values[index] = tuple(values[index])
        return values

    @property
    def _single(self) -> bool:
        """Tell whether a key is a bare value instead of a tuple."""
        return len(self.key_parts) == 1 and not self.with_mask and not self.with_atomic

    def bind(self, core: Core, key: Any) -> Bundle:
        """Resolve the instruction and remember the result for this core."""
        made = self.make(core, self.values(key))
        cache = core.slots[self.slot]
        if len(cache) >= SITE_CACHE:
            cache.clear()
        cache[key] = made
        return made

    def make(self, core: Core, values: list[Any]) -> Bundle:
        """Resolve the instruction for operand values in row order."""
        raise NotImplementedError

    # -- helpers ------------------------------------------------------------------------------------
    def _align(self, index: int, operand: str) -> int:
        """Return the alignment in bytes that an operand's start needs; 0 = that of its elements."""
        if operand in self._aligned:
            return self._aligned[operand]
        memory = memory_of(self.types[index])
        return 0 if self.lane == SCALAR or memory in (None, Memory.GM) else alignment_bytes(memory)

    def operand_name(self, index: int) -> str:
        """Return the name of an operand for messages."""
        return self.row.operands[index].name if index < len(self.row.operands) else "a part of an operand"

    def times(self, core: Core, nbytes: int) -> tuple[int, int]:
        """Return the cycles for `nbytes` in a busy pipe and in an idle one."""
        rate = core.machine.gm_rate
        found = self._times.get((nbytes, rate))
        if found is None:
            found = duration(self.row, LANES[self.lane], self.path, nbytes, rate)
            self._times[nbytes, rate] = found
        return found

    def finish(
        self, core: Core, run: Callable[..., Any], reads: list[Access], writes: list[Access], nbytes: int
    ) -> Bundle:
        """Put a bundle together; `nbytes` decides its time."""
        for access in writes:
            if access.shadow.shared:
                core.machine.written.add(access.owner)
        simple = (len(reads), len(writes)) == self.counts
        return Bundle(run, [*reads, *writes], simple=simple, nbytes=nbytes, times=self.times(core, nbytes))

    @property
    def path(self) -> tuple[Memory, Memory] | None:
        """Return (source, target) memory of a copy."""
        return None


def as_scalar(value: Any, dtype: DType) -> Any:
    """Return a number as a numpy scalar of `dtype`; integers wrap, floats round."""
    kind = numpy_dtype(dtype)
    if dtype.is_float or isinstance(value, float):
        return np.float64(value).astype(kind)
    bits = int(value) & ((1 << kind.itemsize * 8) - 1)
    return np.frombuffer(bits.to_bytes(kind.itemsize, "little"), kind)[0]


__all__ = ["Array", "MemoryPlan", "as_scalar", "lane_of", "memory_of", "type_of"]
