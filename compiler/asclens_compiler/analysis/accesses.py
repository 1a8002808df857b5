# SPDX-License-Identifier: Apache-2.0
"""What each op of a program reads and writes, on which pipe: the basis of hazards."""

from __future__ import annotations

from dataclasses import dataclass

from asclens_compiler.analysis.affine import Affine, AffineForms
from asclens_compiler.analysis.definitions import Definitions
from asclens_compiler.analysis.operand_values import ProgramValues
from asclens_compiler.analysis.spreads import Spread, single
from asclens_compiler.analysis.tensors import Base, TensorViews, View
from asclens_compiler.ascir.program import Loop, Op, Program
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.paths import copy_path
from asclens_compiler.hardware.pipes import Memory, Pipe
from asclens_compiler.opset.footprints import byte_range
from asclens_compiler.opset.model import OperandRow, OpRow, PipeRule, Role
from asclens_compiler.opset.registry import opset

_READS = frozenset({Role.SRC, Role.INOUT})
_WRITES = frozenset({Role.DST, Role.INOUT})
_TOUCHED = _READS | _WRITES
# Macros read and write on pipes of their own: (reads, writes).
_MACROS = {"matmul": (Pipe.MTE2, Pipe.FIX)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """One tensor operand that an op touches.

    `offset` is the first byte in `base` and `size_bytes` how many bytes follow at most; None where
    only the launch knows. `exact` tells that both ends of that range are touched.
    """

    op: Op
    pipe: Pipe
    base: Base
    offset: Affine | None
    size_bytes: int | None
    write: bool
    exact: bool = False


class Accesses:
    """Compute the accesses of one program's ops, once per op."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.definitions = Definitions(program)
        self.forms = AffineForms(self.definitions)
        self.views = TensorViews(program, self.definitions, self.forms)
        self._rows = opset().ops
        self._known: dict[int, tuple[Access, ...]] = {}

    def row(self, op: Op) -> OpRow | None:
        """Return the opset row of an op, None for scalar ops."""
        return self._rows.get(op.name)

    def of(self, op: Op) -> tuple[Access, ...]:
        """Return the accesses of an op; empty for what touches no tensor."""
        known = self._known.get(op.index)
        if known is None:
            known = self._known[op.index] = self._compute(op)
        return known

    def pipe(self, op: Op) -> Pipe | None:
        """Return the pipe an op runs on; None when it runs nowhere or that is not known."""
        row = self.row(op)
        if row is None or row.pipe is PipeRule.NONE:
            return None
        if isinstance(row.pipe, Pipe):
            return row.pipe
        return self._copy_pipe(op, row)

    def written(self, op: Op) -> tuple[Access, ...]:
        """Return the write accesses."""
        return tuple(access for access in self.of(op) if access.write)

    def _copy_pipe(self, op: Op, row: OpRow) -> Pipe | None:
        ends: dict[Role, Memory] = {}
        for operand, operand_row in zip(op.operands, row.operands, strict=False):
            view = self.views.of(operand)
            if view is not None and operand_row.role in _TOUCHED:
                ends.setdefault(operand_row.role, view.base.memory)
        target = ends.get(Role.DST) or ends.get(Role.INOUT)
        source = ends.get(Role.SRC)
        if target is None or source is None:
            return None
        path = copy_path(source, target)
        return path.pipe if path is not None else None

    def _compute(self, op: Op) -> tuple[Access, ...]:
        row, pipe = self.row(op), self.pipe(op)
        if row is None or (pipe is None and op.name not in _MACROS):
            return ()
        pipes = _MACROS[op.name] if pipe is None else (pipe, pipe)
        found: list[Access] = []
        for operand, operand_row in zip(op.operands, row.operands, strict=False):
            if operand_row.role not in _TOUCHED or operand is None:
                continue
            items = operand if isinstance(operand, tuple) else (operand,)
            for item in items:
                view = self.views.of(item)
                if view is not None:
                    found += self._accesses_of(op, row, operand_row, view, pipes)
        return tuple(found)

    def _accesses_of(
        self, op: Op, row: OpRow, operand: OperandRow, view: View, pipes: tuple[Pipe | None, Pipe | None]
    ) -> list[Access]:
        start, size, exact = self._extent(op, row, operand.name, view)
        offset = None if view.offset is None else view.offset.plus(Affine(start))
        return [
            Access(op=op, pipe=pipe, base=view.base, offset=offset, size_bytes=size, write=write, exact=exact)
            for pipe, write, roles in ((pipes[0], False, _READS), (pipes[1], True, _WRITES))
            if operand.role in roles and pipe is not None
        ]

    def _extent(self, op: Op, row: OpRow, operand: str, view: View) -> tuple[int, int | None, bool]:
        """Return first byte, number of bytes, and whether both are exact; up to the tensor's end when not known."""
        footprint = next((item for item in row.footprints if item.operand == operand), None)
        if footprint is None or view.dtype is DType.UNKNOWN:
            return 0, view.size_bytes, False
        for bounds in (False, True):
            values = ProgramValues(op, row, self.forms, self.views, bounds=bounds)
            found = byte_range(footprint, values)
            if found is not None:
                # Bounds say nothing about the least start.
                start, end = (0 if bounds else found[0]), found[1]
                end = end if view.size_bytes is None else min(end, view.size_bytes)
                return start, max(0, end - start), not bounds
        return 0, view.size_bytes, False

    def may_overlap(self, first: Access, second: Access, *, across: Loop | None = None) -> bool:
        """Tell whether two accesses may touch a common byte.

        With `across`, `second` is an access of a later trip of that loop; without, both happen in
        the same trip of every loop around both.
        """
        if not first.base.may_meet(second.base):
            return False
        if first.base != second.base or first.offset is None or second.offset is None:
            return True
        if first.size_bytes is None and second.size_bytes is None:
            return True
        return self._ranges_meet(first, second, across)

    def _ranges_meet(self, first: Access, second: Access, across: Loop | None) -> bool:
        spread = self.difference(first, second, across)
        if spread is None:
            return True
        least = None if second.size_bytes is None else 1 - second.size_bytes
        most = None if first.size_bytes is None else first.size_bytes - 1
        below = least is not None and spread.high is not None and spread.high < least
        above = most is not None and spread.low is not None and spread.low > most
        if below or above:
            return False
        return least is None or most is None or spread.holds_between(least, most) is not False

    def difference(self, first: Access, second: Access, across: Loop | None) -> Spread | None:
        """Return what `second.offset - first.offset` can be; None when it depends on unknown numbers."""
        if first.offset is None or second.offset is None:
            return None
        common = {node.index for node in self.definitions.ancestors(first.op)} & {
            node.index for node in self.definitions.ancestors(second.op)
        }
        total = single(second.offset.constant - first.offset.constant)
        one, two = dict(first.offset.terms), dict(second.offset.terms)
        for register in sorted({*one, *two}):
            parts = self._term_spreads(register, one.get(register, 0), two.get(register, 0), across, common)
            if parts is None:
                return None
            for part in parts:
                total = total.plus(part)
        return total

    def _term_spreads(
        self, register: int, before: int, after: int, across: Loop | None, common: set[int]
    ) -> list[Spread] | None:
        """Return sets whose sums are the values of `after * register(second) - before * register(first)`."""
        shared = self._is_shared(register, across, common)
        if shared and before == after:
            return []
        loop = self.definitions.induction(register)
        if across is not None and loop is across and before == after:
            return [self._later_trips(across, after)]
        bounds = self.forms.induction_range(register)
        step = self.forms.constant(loop.step) if loop is not None else None
        if bounds is None or step is None:
            return None
        factors = (after - before,) if shared else (after, -before)
        return [_scaled(bounds, step, factor) for factor in factors if factor]

    def _is_shared(self, register: int, across: Loop | None, common: set[int]) -> bool:
        """Tell whether a register holds one value at both accesses."""
        if across is not None and self.definitions.varies_in(register, across):
            return False
        owner = self.definitions.definition(register) or self.definitions.induction(register)
        if owner is None:
            return not self.definitions.is_region_argument(register)
        if self.definitions.induction(register) is not None:
            return owner.index in common
        return all(node.index in common for node in self.definitions.ancestors(owner))

    def _later_trips(self, loop: Loop, factor: int) -> Spread:
        """Return how far a later trip can lie from an earlier one, times `factor`."""
        step = self.forms.constant(loop.step)
        if step is None or step <= 0:
            return Spread(None, None, 0) if factor else single(0)
        trips = self.forms.trip_count(loop)
        near = factor * step
        far = factor * step * (trips - 1) if trips is not None else None
        return Spread(near, far, abs(near)) if factor > 0 else Spread(far, near, abs(near))


def _scaled(bounds: tuple[int, int], step: int, factor: int) -> Spread:
    ends = [factor * bound for bound in bounds]
    return Spread(min(ends), max(ends), abs(factor) * step)
