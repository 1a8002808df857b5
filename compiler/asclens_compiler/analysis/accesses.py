# SPDX-License-Identifier: Apache-2.0
"""What each op of a program reads and writes, on which pipe: the basis of hazards."""

from __future__ import annotations

from dataclasses import dataclass

from asclens_compiler.analysis.affine import Affine, AffineForms
from asclens_compiler.analysis.definitions import Definitions
from asclens_compiler.analysis.tensors import Base, TensorViews, View
from asclens_compiler.ascir.program import Const, Loop, Op, Operand, Program, Reg
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.paths import copy_path
from asclens_compiler.hardware.pipes import Memory, Pipe
from asclens_compiler.opset.model import FootprintKind, FootprintRow, OpRow, PipeRule, Role
from asclens_compiler.opset.registry import opset

_READS = frozenset({Role.SRC, Role.INOUT})
_WRITES = frozenset({Role.DST, Role.INOUT})
_TOUCHED = _READS | _WRITES


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """One tensor operand that an op touches.

    `offset` is the first byte in `base` and `size_bytes` how many bytes follow at most; None where
    only the launch knows.
    """

    op: Op
    pipe: Pipe
    base: Base
    offset: Affine | None
    size_bytes: int | None
    write: bool


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
        if row is None or pipe is None:
            return ()
        found: list[Access] = []
        for operand, operand_row in zip(op.operands, row.operands, strict=False):
            if operand_row.role not in _TOUCHED or operand is None:
                continue
            items = operand if isinstance(operand, tuple) else (operand,)
            for item in items:
                view = self.views.of(item)
                if view is not None:
                    size = self._size(op, row, operand_row.name, view)
                    found += [
                        Access(op=op, pipe=pipe, base=view.base, offset=view.offset, size_bytes=size, write=write)
                        for write, roles in ((False, _READS), (True, _WRITES))
                        if operand_row.role in roles
                    ]
        return tuple(found)

    def _size(self, op: Op, row: OpRow, operand: str, view: View) -> int | None:
        footprint = next((item for item in row.footprints if item.operand == operand), None)
        size = self._footprint_bytes(op, row, footprint, view) if footprint is not None else None
        if size is None:
            return view.size_bytes
        return size if view.size_bytes is None else min(size, view.size_bytes)

    def _footprint_bytes(self, op: Op, row: OpRow, footprint: FootprintRow, view: View) -> int | None:
        if footprint.kind is not FootprintKind.COUNT or not footprint.count or view.dtype is DType.UNKNOWN:
            return None
        count = self._operand(op, row, footprint.count)
        bound = self.forms.upper_bound(count) if isinstance(count, Reg | Const) else None
        if bound is None:
            return None
        bits = 1 if footprint.packed_bits else view.dtype.bits
        return -(-bound * bits // 8)

    def _operand(self, op: Op, row: OpRow, name: str) -> Operand | tuple[Operand, ...] | None:
        try:
            return op.operands[row.operand_index(name)]
        except KeyError:
            return None

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
        assert first.offset is not None
        assert second.offset is not None
        spread = self._difference(first, second, across)
        if spread is None:
            return True
        low, high = spread
        below = second.size_bytes is not None and high is not None and high + second.size_bytes <= 0
        above = first.size_bytes is not None and low is not None and low >= first.size_bytes
        return not (below or above)

    def _difference(self, first: Access, second: Access, across: Loop | None) -> tuple[int | None, int | None] | None:
        """Return the least and greatest value of `second.offset - first.offset`; None when unknown."""
        assert first.offset is not None
        assert second.offset is not None
        common = {node.index for node in self.definitions.ancestors(first.op)} & {
            node.index for node in self.definitions.ancestors(second.op)
        }
        low: int | None = second.offset.constant - first.offset.constant
        high: int | None = low
        one, two = dict(first.offset.terms), dict(second.offset.terms)
        for register in sorted({*one, *two}):
            before, after = one.get(register, 0), two.get(register, 0)
            ranges = self._term_ranges(register, before, after, across, common)
            if ranges is None:
                return None
            for least, greatest in ranges:
                low = None if low is None or least is None else low + least
                high = None if high is None or greatest is None else high + greatest
        return low, high

    def _term_ranges(
        self, register: int, before: int, after: int, across: Loop | None, common: set[int]
    ) -> list[tuple[int | None, int | None]] | None:
        """Return ranges whose sum is `after * register(second) - before * register(first)`."""
        shared = self._is_shared(register, across, common)
        if shared and before == after:
            return []
        loop = self.definitions.induction(register)
        if across is not None and loop is across and before == after:
            return [self._later_trips(across, after)]
        bounds = self.forms.induction_range(register)
        if bounds is None:
            return None
        least, greatest = bounds
        factors = (after - before,) if shared else (after, -before)
        return [(min(f * least, f * greatest), max(f * least, f * greatest)) for f in factors]

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

    def _later_trips(self, loop: Loop, factor: int) -> tuple[int | None, int | None]:
        step = self.forms.constant(loop.step)
        if step is None or step <= 0:
            return (None, None) if factor else (0, 0)
        trips = self.forms.trip_count(loop)
        near = factor * step
        far = factor * step * (trips - 1) if trips is not None else None
        if factor > 0:
            return near, far
        return far, near
