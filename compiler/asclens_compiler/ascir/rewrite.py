# SPDX-License-Identifier: Apache-2.0
"""What passes change AscIR with: ops as handles, walks, insertion, replacement.

Collect first (`Rewriter.walk` returns a list), then mutate. Erasing an op that still has uses, or
touching an erased one, raises InternalError instead of ending the process.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from asclens_compiler.ascir import bindings
from asclens_compiler.ascir.builder import Builder
from asclens_compiler.ascir.handles import IRBlock, IROp
from asclens_compiler.ascir.scalars import SIGN_CAST_NAME
from asclens_compiler.ascir.types import AscType
from asclens_compiler.ascir.unit import KERNEL_ATTR, Unit
from asclens_compiler.ascir.values import IRValue
from asclens_compiler.errors import InternalError

__all__ = ["IRBlock", "IROp", "Rewriter"]


class Rewriter:
    """Change one unit; `builder` makes new ops."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.builder = Builder(unit)
        self.places = unit.session.places
        self.attr_table = unit.session.attrs

    def kernels(self) -> list[IROp]:
        """Return the kernels of the unit."""
        return [IROp(self, op) for op in self.unit.functions() if KERNEL_ATTR in op.attributes]

    def walk(self, root: IROp | IRBlock | None = None) -> list[IROp]:
        """Return all ops below `root` (the whole unit when None), outer before inner, in order."""
        found: list[IROp] = []
        blocks = self.kernels_blocks() if root is None else root.blocks if isinstance(root, IROp) else [root]
        for block in blocks:
            for op in block.ops:
                found.append(op)
                if op.name.startswith("scf."):
                    found += self.walk(op)
        return found

    def kernels_blocks(self) -> list[IRBlock]:
        """Return the body of each kernel."""
        return [kernel.blocks[0] for kernel in self.kernels()]

    @contextmanager
    def before(self, op: IROp) -> Generator[Builder]:
        """Insert before `op` inside the `with` block, under its call chain."""
        with self._at(bindings.ir.InsertionPoint(op.raw()), op) as builder:
            yield builder

    @contextmanager
    def after(self, op: IROp) -> Generator[Builder]:
        """Insert after `op` inside the `with` block, in order."""
        following = _next(op)
        if following is None:
            raise InternalError("nothing follows a terminator", op=op.name, span=op.span)
        with self._at(bindings.ir.InsertionPoint(following), op) as builder:
            yield builder

    @contextmanager
    def at_start(self, block: IRBlock) -> Generator[Builder]:
        """Insert at the start of a block."""
        with self._at(bindings.ir.InsertionPoint.at_block_begin(block.raw()), block.owner) as builder:
            yield builder

    @contextmanager
    def at_end(self, block: IRBlock) -> Generator[Builder]:
        """Insert before the terminator of a block."""
        with self._at(bindings.ir.InsertionPoint.at_block_terminator(block.raw()), block.owner) as builder:
            yield builder

    @contextmanager
    def _at(self, point: Any, like: IROp) -> Generator[Builder]:
        cursor = self.builder.cursor
        calls = like.place.calls
        cursor.enter_point(point)
        for call in reversed(calls):
            cursor.push_call(call)
        try:
            yield self.builder
        finally:
            for _ in calls:
                cursor.pop_call()
            cursor.leave()

    def erase(self, op: IROp) -> None:
        """Remove an op whose results nobody uses."""
        if any(next(iter(result.uses), None) is not None for result in op.raw().results):
            raise InternalError("an op is erased while its results are used", op=op.name, span=op.span)
        held = op.raw()
        self.unit.erased |= {hash(op), *map(hash, self.walk(op))}
        held.erase()

    def replace(self, op: IROp, values: Sequence[IRValue]) -> None:
        """Use `values` instead of the op's results and remove it."""
        results = op.results
        if len(results) != len(values):
            raise InternalError(f"{len(values)} values replace {len(results)} results", op=op.name, span=op.span)
        for old, new in zip(results, values, strict=True):
            self.replace_uses(old, new)
        self.erase(op)

    def replace_uses(self, old: IRValue, new: IRValue) -> None:
        """Use `new` wherever `old` was used."""
        if old != new:
            old.mlir(self.unit).replace_all_uses_with(new.mlir(self.unit))

    def rebuild(
        self,
        op: IROp,
        *,
        name: str | None = None,
        operands: Sequence[IRValue | Sequence[IRValue] | None] | None = None,
        attrs: Mapping[str, object] | None = None,
        results: Sequence[AscType] | None = None,
    ) -> tuple[IRValue, ...]:
        """Replace an `ascir` op by one that differs in the given parts; return its results."""
        types = [item.type for item in op.results] if results is None else results
        with self.before(op) as builder:
            new = builder.op(
                name or op.name,
                op.operands if operands is None else operands,
                attrs=op.attrs if attrs is None else attrs,
                results=types,
                span=op.span,
            )
        self.replace(op, new)
        return new

    def move_before(self, op: IROp, anchor: IROp) -> None:
        """Move an op in front of another one."""
        if self._inside(anchor, op):
            raise InternalError("an op is moved into itself", op=op.name, span=op.span)
        op.raw().move_before(anchor.raw())

    def move_after(self, op: IROp, anchor: IROp) -> None:
        """Move an op behind another one."""
        if self._inside(anchor, op):
            raise InternalError("an op is moved into itself", op=op.name, span=op.span)
        op.raw().move_after(anchor.raw())

    def set_type(self, value: IRValue, type_: AscType) -> IRValue:
        """Change the type of a value in place and return its new handle."""
        held = value.mlir(self.unit)
        held.set_type(self.unit.session.types.mlir(type_))
        return self.unit.wrap(held, type_)

    def definition(self, value: IRValue) -> IROp | None:
        """Return the op that made a value, None for a block's argument."""
        owner = value.mlir(self.unit).owner
        return None if isinstance(owner, bindings.ir.Block) else IROp(self, owner.operation)

    def uses(self, value: IRValue) -> list[tuple[IROp, int]]:
        """Return the ops that use a value and the flat positions of its uses."""
        return [(IROp(self, use.owner.operation), use.operand_number) for use in value.mlir(self.unit).uses]

    def literal(self, value: IRValue) -> int | float | bool | None:
        """Return the value of a literal, None for anything else."""
        op = self.definition(value)
        if op is not None and op.name == SIGN_CAST_NAME:
            return self.literal(op.flat_operands[0])
        return op.raw().attributes["value"].value if op is not None and op.name == "arith.constant" else None

    def names(self, value: IRValue) -> tuple[str, ...]:
        """Return the Python variables that hold a value."""
        held = value.mlir(self.unit)
        if isinstance(held.owner, bindings.ir.Block):
            names = self.places.place(held.location).names
            return names[0] if names else ()
        names = self.places.place(held.owner.location).names
        for position, result in enumerate(held.owner.results):
            if result == held and position < len(names):
                return names[position]
        return ()

    @staticmethod
    def _inside(op: IROp, outer: IROp) -> bool:
        current: IROp | None = op
        while current is not None:
            if current == outer:
                return True
            current = current.parent
        return False


def _next(op: IROp) -> Any | None:
    """Return the MLIR op after `op` in its block."""
    found = False
    for other in op.block.ops:
        if found:
            return other.raw()
        found = other == op
    return None
