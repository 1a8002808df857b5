# SPDX-License-Identifier: Apache-2.0
"""Elementwise instructions in mask / repeat / stride form."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from asclens_compiler.ascir.program import Op
from asclens_compiler.ascir.types import AscType
from asclens_compiler.backends.simulator.arrays import Array, poison, typed
from asclens_compiler.backends.simulator.bundle import Bundle, inside, judge, reach, too_large
from asclens_compiler.backends.simulator.masks import mask_of, mask_operand, repeat_form
from asclens_compiler.backends.simulator.plans.base import as_scalar
from asclens_compiler.backends.simulator.plans.count import ElementwisePlan
from asclens_compiler.backends.simulator.ranges import byte_ranges
from asclens_compiler.backends.simulator.rules import operand_range
from asclens_compiler.backends.simulator.semantics.api import Builder, Index, Kernel
from asclens_compiler.backends.simulator.shadow import Access
from asclens_compiler.backends.simulator.values import StructValue, Tensor, form_of
from asclens_compiler.hardware.chips import MAX_REPEAT, REPEAT_BYTES
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.opset.model import FootprintKind, OpRow

if TYPE_CHECKING:
    from asclens_compiler.backends.simulator.core import Core

MAX_STRIDE = 65535


class RepeatPlan(ElementwisePlan):
    """`repeat` iterations of 256 bytes of the widest tensor, under a mask."""

    with_mask = True

    def __init__(self, op: Op, row: OpRow, pc: int, slot: int, reg_types: tuple[AscType, ...], build: Builder) -> None:
        super().__init__(op, row, pc, slot, reg_types, build)
        self.names = {item.name: i for i, item in enumerate(row.operands)}
        self.prints = {self.names[item.operand]: item for item in row.footprints if item.kind is FootprintKind.REPEAT}
        first = next(iter(self.prints.values()))
        self.mask, self.repeat = self.names.get(first.mask, -1), self.names.get(first.repeat, -1)
        self.sets_mask = bool(op.attr("isSetMask", True))

    def make(self, core: Core, values: list[Any]) -> Bundle:
        """Resolve all operands."""
        used = [*self.tensors, self.out]
        dtypes = {i: values[i].dtype if isinstance(values[i], Tensor) else DType.UINT8 for i in used}
        elems = REPEAT_BYTES // max(dtype.size_bytes for dtype in dtypes.values())
        repeat, bits = self._mask(core, values, elems)
        index: dict[int, Index] = {}
        for i in used:
            blk, rep = self._strides(core, values, i)
            whole = repeat_form(dtypes[i].size_bytes, repeat, blk, rep, elems)
            index[i] = whole
        reads: list[Access] = []
        writes: list[Access] = []
        for i in self.tensors:
            reads += self._accesses(core, values[i], i, index[i][bits], dtypes[i], write=False)
        if self.accumulates:
            reads += self._accesses(
                core, values[self.out], self.out, index[self.out][bits], dtypes[self.out], write=False
            )
        writes += self._accesses(core, values[self.out], self.out, index[self.out][bits], dtypes[self.out], write=True)
        run = self._runner(values, dtypes, index, bits)
        return self.finish(core, run, reads, writes, repeat * REPEAT_BYTES)

    # -- mask and strides --------------------------------------------------------------------------------
    def _mask(self, core: Core, values: list[Any], elems: int) -> tuple[int, Array]:
        repeat = int(values[self.repeat]) if self.repeat >= 0 else 1
        given = mask_operand(values[self.mask]) if self.mask >= 0 and self.sets_mask else ()
        if core.vs.mask_counter:
            total = int(given[0]) if given else core.vs.mask_low
            too_large(core, self, total)
            repeat = -(-total // elems)
        else:
            repeat = self._in_range(core, "repeat", repeat, 0, MAX_REPEAT)
            if len(given) == 1:
                given = (self._in_range(core, "mask", int(given[0]), 0, elems),)
        return repeat, mask_of(given, core.vs, elems, repeat)

    def _in_range(self, core: Core, what: str, value: int, low: int, high: int) -> int:
        if low <= value <= high:
            return value
        reports = core.machine.reports
        reports.at(
            core, self.pc, operand_range.RULE, key=what, operand=what, op=reports.op(self.pc), value=value, low=low,
            high=high,
        )  # fmt: skip
        return min(max(value, low), high)

    def _strides(self, core: Core, values: list[Any], operand: int) -> tuple[int, int]:
        row = self.prints.get(operand)
        if row is None:
            return 1, 8
        params = values[self.names[row.params]] if row.params else None
        which = row.which or row.operand
        if isinstance(params, StructValue):
            blk, rep = params.get(f"{which}_blk_stride", 1), params.get(f"{which}_rep_stride", 8)
        else:
            blk = self._number(values, row.blk_stride, 1)
            rep = self._number(values, row.rep_stride, 8)
        return (
            self._in_range(core, f"{which} block stride", int(blk), 0, MAX_STRIDE),
            self._in_range(core, f"{which} repeat stride", int(rep), 0, MAX_STRIDE),
        )

    def _number(self, values: list[Any], name: str, default: int) -> int:
        """Return the scalar operand `name`, or the number that it spells."""
        if name in self.names:
            value = values[self.names[name]]
            return default if value is None else int(value)
        return int(name) if name.isdecimal() else default

    # -- memory --------------------------------------------------------------------------------------------
    def _accesses(
        self, core: Core, tensor: Any, operand: int, index: Index, dtype: DType, *, write: bool
    ) -> list[Access]:
        if not isinstance(tensor, Tensor) or not index.size:
            if not isinstance(tensor, Tensor):
                reach(core, self, operand, tensor, (form_of(dtype), 0, 1), write=write)
            return []
        size, owner = dtype.size_bytes, tensor.owner
        low, high = int(index.min()), int(index.max())
        reach(core, self, operand, tensor, (tensor.form, tensor.lo, high + 1), write=write)
        if low < 0:
            judge(core, self, tensor, tensor.lo + low * size, tensor.lo + (high + 1) * size, write=write)
        return [
            Access(owner.bank.shadow, owner, first, last, write=write)
            for first, last in byte_ranges(index, tensor.lo, size, *inside(owner))
        ]

    def _window(self, tensor: Any, dtype: DType, index: Index) -> tuple[Array, Index]:
        """Return memory from the tensor's start that is long enough (scratch when there is none), and indexes."""
        if not isinstance(tensor, Tensor):
            return np.zeros(1, np.uint8), np.zeros_like(index)
        bank = tensor.owner.bank
        needed = int(index.max()) + 1 if index.size else 0
        room = (len(bank.data) - tensor.lo) // dtype.size_bytes if tensor.lo >= 0 else 0
        if room < needed:
            return typed(poison(needed * dtype.size_bytes)[: needed * dtype.size_bytes], dtype), index
        return bank.view(tensor.form, tensor.lo, room), index

    def _runner(
        self, values: list[Any], dtypes: dict[int, DType], index: dict[int, Index], bits: Array
    ) -> Callable[..., Any]:
        full = bool(bits.all())
        ordered = _rereads(index[self.out])
        windows = {i: self._window(values[i], dtypes[i], index[i]) for i in index}
        first = next((dtypes[i] for i in self.tensors), dtypes[self.out])
        inputs: list[tuple[Array, Any]] = []
        kinds: list[DType] = []
        for i in self.inputs:
            if i in windows:
                inputs.append(windows[i])
                kinds.append(dtypes[i])
            else:
                inputs.append((as_scalar(values[i], first), None))
                kinds.append(first)
        kernel = self.kernel(dtypes[self.out], tuple(kinds))
        target, place = windows[self.out]
        if ordered:
            return partial(_rows, kernel, inputs, target, place, bits)
        if not full:
            inputs = [(source, None if where is None else where[bits]) for source, where in inputs]
            place = place[bits]
        if _contiguous(place) and all(where is None or _contiguous(where) for _, where in inputs):
            args = [source if where is None else _slice(source, where) for source, where in inputs]
            return partial(kernel, *args, out=_slice(target, place))
        return partial(_scattered, kernel, inputs, target, place, accumulates=self.accumulates)


def _rereads(index: Index) -> bool:
    """Tell whether an iteration writes where another one wrote: they must run one after the other."""
    return len(index) > 1 and bool(np.intersect1d(index[0], index[1]).size)


def _contiguous(index: Index) -> bool:
    flat = np.ravel(index)
    return bool(flat.size) and int(flat[-1]) - int(flat[0]) == flat.size - 1 and bool((flat[1:] > flat[:-1]).all())


def _slice(view: Array, index: Index) -> Array:
    flat = np.ravel(index)
    return view[int(flat[0]) : int(flat[-1]) + 1]


def _scattered(kernel: Kernel, inputs: list[Any], target: Array, place: Index, *, accumulates: bool) -> None:
    args = [source if where is None else source[where] for source, where in inputs]
    out = target[place] if accumulates else np.empty(place.shape, target.dtype)
    kernel(*args, out=out)
    target[place] = out


def _rows(kernel: Kernel, inputs: list[Any], target: Array, place: Index, bits: Array) -> None:
    for row, active in enumerate(bits):
        where = place[row][active]
        args = [source if at is None else source[at[row][active]] for source, at in inputs]
        out = target[where]
        kernel(*args, out=out)
        target[where] = out
