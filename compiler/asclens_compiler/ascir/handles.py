# SPDX-License-Identifier: Apache-2.0
"""Ops and blocks of a unit as handles: what passes read and change without touching MLIR."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from asclens_compiler.ascir.attributes import plain
from asclens_compiler.ascir.dialect import PREFIX, OpShape, op_shapes, row_names
from asclens_compiler.ascir.locations import Place
from asclens_compiler.ascir.program import AttrValue
from asclens_compiler.ascir.scalars import PREDICATES, SIGN_CAST, SIGN_CAST_NAME
from asclens_compiler.ascir.values import IRValue
from asclens_compiler.errors import InternalError
from asclens_compiler.opset.model import OpRow
from asclens_compiler.source.span import Span

if TYPE_CHECKING:
    from asclens_compiler.ascir.rewrite import Rewriter

GroupedOperands = tuple[IRValue | tuple[IRValue, ...] | None, ...]


class IRBlock:
    """A block of ops; equal handles stand for the same block."""

    __slots__ = ("_block", "_rewriter")

    def __init__(self, rewriter: Rewriter, block: Any) -> None:
        self._rewriter = rewriter
        self._block = block

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IRBlock) and self.raw() == other.raw()

    def __hash__(self) -> int:
        return hash(self.owner)

    @property
    def ops(self) -> list[IROp]:
        """Return the ops in order, the terminator included."""
        return [IROp(self._rewriter, op.operation) for op in self.raw().operations]

    @property
    def arguments(self) -> list[IRValue]:
        """Return the block's arguments (loop induction first)."""
        return [self._rewriter.unit.wrap(item) for item in self.raw().arguments]

    @property
    def owner(self) -> IROp:
        """Return the op whose block this is."""
        return IROp(self._rewriter, self.raw().owner.operation)

    def raw(self) -> Any:
        """Return the MLIR block (for modules of `ascir/` only)."""
        if self._rewriter.unit.closed:
            raise InternalError("a block of a closed unit is used")
        return self._block


class IROp:
    """An op of a unit; equal handles stand for the same op.

    `name` is as in `Program`: an opset op without prefix, or `arith.addi`, `scf.for`, `func.func` ...
    """

    __slots__ = ("_key", "_op", "_rewriter", "name")

    def __init__(self, rewriter: Rewriter, op: Any) -> None:
        self._rewriter = rewriter
        self._op = op
        self._key = hash(op)
        name: str = op.name
        self.name = SIGN_CAST_NAME if name == SIGN_CAST else row_names().get(name, name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IROp) and self.raw() == other.raw()

    def __hash__(self) -> int:
        return self._key

    def __repr__(self) -> str:
        return f"IROp({self.name})"

    def raw(self) -> Any:
        """Return the MLIR op (for modules of `ascir/` only)."""
        unit = self._rewriter.unit
        if unit.closed or self._key in unit.erased:
            raise InternalError("an erased op or an op of a closed unit is used", op=self.name)
        return self._op

    @property
    def shape(self) -> OpShape | None:
        """Return the opset layout of an `ascir` op."""
        return op_shapes().get(self.name)

    @property
    def row(self) -> OpRow | None:
        """Return the opset row, None for ops of other dialects."""
        shape = self.shape
        return shape.row if shape is not None else None

    @property
    def operands(self) -> GroupedOperands:
        """Return the operands in row order: None where absent, a tuple for a variadic one."""
        flat = [self._rewriter.unit.wrap(item) for item in self.raw().operands]
        shape = self.shape
        if shape is None or not shape.segmented:
            return tuple(flat)
        return group(shape, flat, list(self.raw().attributes["operandSegmentSizes"]))

    def operand(self, name: str) -> IRValue | tuple[IRValue, ...] | None:
        """Return the operand that the row calls `name`."""
        row = self.row
        if row is None:
            raise InternalError("an op without row has no named operands", op=self.name)
        return self.operands[row.operand_index(name)]

    @property
    def flat_operands(self) -> list[IRValue]:
        """Return the operands that are there, in order."""
        return [self._rewriter.unit.wrap(item) for item in self.raw().operands]

    @property
    def results(self) -> list[IRValue]:
        """Return the results."""
        return [self._rewriter.unit.wrap(item) for item in self.raw().results]

    @property
    def blocks(self) -> list[IRBlock]:
        """Return the blocks inside, in order of the regions."""
        return [IRBlock(self._rewriter, block) for region in self.raw().regions for block in region.blocks]

    @property
    def block(self) -> IRBlock:
        """Return the block that the op stands in."""
        return IRBlock(self._rewriter, self.raw().block)

    @property
    def parent(self) -> IROp | None:
        """Return the op around this one, None for a kernel."""
        parent = self.raw().parent.operation
        return None if parent.name == "builtin.module" else IROp(self._rewriter, parent)

    @property
    def place(self) -> Place:
        """Return range, call chain and names."""
        return self._rewriter.places.place(self.raw().location)

    @property
    def span(self) -> Span:
        """Return the Python range."""
        return self.place.span

    @property
    def attrs(self) -> dict[str, AttrValue]:
        """Return the attributes that the row lists, and the predicate of a comparison."""
        shape, attributes = self.shape, self.raw().attributes
        if shape is not None:
            return {key: self._rewriter.attr_table.python(attributes[key]) for key in shape.defaults}
        known = PREDICATES.get(self.name.removeprefix("arith."))
        return {"predicate": known[attributes["predicate"].value]} if known is not None else {}

    def attr(self, name: str) -> AttrValue | None:
        """Return an attribute (for a kernel: `core_kind`, `auto_sync`, `staged` ...), or None."""
        attributes = self.raw().attributes
        for key in (name, PREFIX + name):
            if key in attributes:
                return self._rewriter.attr_table.python(attributes[key])
        return None

    def set_attr(self, name: str, value: object) -> None:
        """Change an attribute; on a kernel the name gets the dialect's prefix."""
        key = PREFIX + name if self.name == "func.func" else name
        self.raw().attributes[key] = self._rewriter.attr_table.mlir(plain(value))

    def set_operand(self, position: int, value: IRValue) -> None:
        """Change the operand at a flat position."""
        operands = self.raw().operands
        if not 0 <= position < len(operands):
            raise InternalError(f"there is no operand {position}", op=self.name, span=self.span)
        operands[position] = value.mlir(self._rewriter.unit)


def group(shape: OpShape, flat: Sequence[IRValue], sizes: Sequence[int]) -> GroupedOperands:
    """Put optional and variadic operands back into row order."""
    grouped: list[IRValue | tuple[IRValue, ...] | None] = []
    segment = start = 0
    for slots in shape.slots:
        width = max(slots, 1)
        count = sum(sizes[segment : segment + width])
        part = tuple(flat[start : start + count])
        grouped.append(part if slots > 1 else part[0] if part else None)
        segment += width
        start += count
    return tuple(grouped)
