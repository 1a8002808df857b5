# SPDX-License-Identifier: Apache-2.0
"""Elementwise instructions in count form, and whole-tensor operators."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from asclens_compiler.ascir.program import Op
from asclens_compiler.ascir.types import AscType
from asclens_compiler.backends.simulator.arrays import Array
from asclens_compiler.backends.simulator.bundle import MAX_ELEMS, Bundle, reach
from asclens_compiler.backends.simulator.plans.base import MemoryPlan, as_scalar, memory_of
from asclens_compiler.backends.simulator.plans.limits import check_limits, limits_of
from asclens_compiler.backends.simulator.rules import operand_range, partial_overlap
from asclens_compiler.backends.simulator.semantics.api import STRUCTURE_OPERANDS, Builder, Kernel, Site
from asclens_compiler.backends.simulator.shadow import Access
from asclens_compiler.backends.simulator.values import BYTES, Form, Tensor
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Memory
from asclens_compiler.opset.model import ConstraintKind, FootprintKind, OpRow, Role

if TYPE_CHECKING:
    from asclens_compiler.backends.simulator.core import Core


class ElementwisePlan(MemoryPlan):
    """What count and repeat form share: which operands are inputs, and the kernel per types."""

    def __init__(self, op: Op, row: OpRow, pc: int, slot: int, reg_types: tuple[AscType, ...], build: Builder) -> None:
        super().__init__(op, row, pc, slot, reg_types)
        self.build = build
        self.kernels: dict[tuple[DType, ...], Kernel] = {}
        self.attrs = dict(op.attrs)
        structure = STRUCTURE_OPERANDS | {
            name for item in row.footprints for name in (item.count, item.mask, item.repeat, item.params) if name
        }
        self.out = next(i for i, item in enumerate(row.operands) if item.role in (Role.DST, Role.INOUT))
        self.accumulates = row.operands[self.out].role is Role.INOUT
        self.inputs = [
            i
            for i, item in enumerate(row.operands)
            if item.role is Role.SRC or (item.role is Role.SCALAR and item.name not in structure)
        ]
        self.tensors = [i for i in self.inputs if self.row.operands[i].role is Role.SRC]
        reads = [*self.tensors, *([self.out] if self.accumulates else [])]
        shared = {i: memory_of(self.types[i]) is Memory.GM for i in {*reads, self.out}}
        self.expect(*((False, shared[i]) for i in reads), (True, shared[self.out]))

    def kernel(self, out: DType, inputs: tuple[DType, ...]) -> Kernel:
        """Return the kernel for element types, built once."""
        key = (out, *inputs)
        found = self.kernels.get(key)
        if found is None:
            site = Site(op=self.op.name, out=out, inputs=inputs, attrs=self.attrs)
            found = self.kernels[key] = self.build(site)
        return found

    def arguments(self, values: list[Any], views: dict[int, Any], out: DType) -> tuple[Kernel, list[Any]]:
        """Return the kernel and its inputs; scalars become the type of the first source."""
        first = next((values[i].dtype for i in self.tensors if isinstance(values[i], Tensor)), out)
        inputs: list[Any] = []
        dtypes: list[DType] = []
        for i in self.inputs:
            if i in views:
                inputs.append(views[i])
                dtypes.append(values[i].dtype if isinstance(values[i], Tensor) else out)
            elif isinstance(values[i], Tensor):
                inputs.append(values[i])
                dtypes.append(values[i].dtype)
            else:
                inputs.append(as_scalar(values[i], first))
                dtypes.append(first)
        return self.kernel(out, tuple(dtypes)), inputs


class CountPlan(ElementwisePlan):
    """The first `count` elements of every tensor; `WHOLE` footprints take all of `dst`."""

    def __init__(self, op: Op, row: OpRow, pc: int, slot: int, reg_types: tuple[AscType, ...], build: Builder) -> None:
        super().__init__(op, row, pc, slot, reg_types, build)
        names = [item.count for item in row.footprints if item.kind is FootprintKind.COUNT and item.count]
        self.count = row.operand_index(names[0]) if names else -1
        self.limits = limits_of(row)
        self.overlaps = [
            (row.operand_index(item.operands[0]), row.operand_index(item.operands[1]))
            for item in row.constraints
            if item.kind is ConstraintKind.NO_PARTIAL_OVERLAP
        ]

    def elems(self, core: Core, values: list[Any]) -> int:
        """Return how many elements are processed; reports a count that cannot be."""
        tensor = values[self.out]
        if self.count < 0 or values[self.count] is None:
            return tensor.elems if isinstance(tensor, Tensor) else 0
        count = int(values[self.count])
        if 0 <= count <= MAX_ELEMS:
            return count
        reports = core.machine.reports
        reports.at(
            core, self.pc, operand_range.RULE, key="count", operand="count", op=reports.op(self.pc), value=count,
            low=0, high=tensor.elems if isinstance(tensor, Tensor) else 0,
        )  # fmt: skip
        return 0

    def make(self, core: Core, values: list[Any]) -> Bundle:
        """Resolve all operands for one count."""
        if self.limits:
            check_limits(core, self.pc, self.limits, values)
        count = self.elems(core, values)
        views: dict[int, Any] = {}
        reads: list[Access] = []
        for i in self.tensors:
            views[i], access = self._operand(core, values, i, count, write=False)
            if access is not None:
                reads.append(access)
        if self.accumulates:
            _, access = self._operand(core, values, self.out, count, write=False)
            if access is not None:
                reads.append(access)
        out, access = self._operand(core, values, self.out, count, write=True)
        if self.overlaps:
            self._check_overlap(core, values, count)
        form = _form(values[self.out])
        kernel, inputs = self.arguments(values, views, form.dtype)
        run: Callable[..., Any] = partial(kernel, *inputs, out=out)
        return self.finish(core, run, reads, [access] if access is not None else [], count * form.size)

    def _operand(
        self, core: Core, values: list[Any], index: int, count: int, *, write: bool
    ) -> tuple[Array, Access | None]:
        tensor = values[index]
        lo = tensor.lo if isinstance(tensor, Tensor) else 0
        return reach(core, self, index, tensor, (_form(tensor), lo, count), write=write)

    def _check_overlap(self, core: Core, values: list[Any], count: int) -> None:
        """Report operands that share some of their bytes but do not start together."""
        for first, second in self.overlaps:
            one, two = values[first], values[second]
            if not isinstance(one, Tensor) or not isinstance(two, Tensor) or one.memory is not two.memory:
                continue
            one_hi, two_hi = one.lo + count * one.size, two.lo + count * two.size
            if one.lo == two.lo or one_hi <= two.lo or two_hi <= one.lo:
                continue
            reports = core.machine.reports
            reports.at(
                core, self.pc, partial_overlap.RULE, key=(first, second), op=reports.op(self.pc),
                operand=self.row.operands[first].name, lo=one.lo, hi=one_hi, other=self.row.operands[second].name,
                other_lo=two.lo, other_hi=two_hi, memory=one.memory.value,
            )  # fmt: skip


def _form(tensor: Any) -> Form:
    return tensor.form if isinstance(tensor, Tensor) else BYTES
