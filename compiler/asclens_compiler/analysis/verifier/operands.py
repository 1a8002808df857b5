# SPDX-License-Identifier: Apache-2.0
"""Answers about the operands of one executed instruction, for footprints and constraints."""

from __future__ import annotations

from typing import cast

from asclens_compiler.analysis.verifier.numbers import constant
from asclens_compiler.analysis.verifier.objects import Struct, Tensor
from asclens_compiler.ascir.program import Op
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Memory
from asclens_compiler.opset.model import OpRow


class WalkValues:
    """The operands of `op` by name; `items` are their values in the row's order."""

    __slots__ = ("items", "names", "op")

    def __init__(self, op: Op, row: OpRow, items: tuple[object, ...]) -> None:
        self.op = op
        self.items = items
        self.names = _names(row)

    def value(self, operand: str) -> object:
        """Return an operand's value, None when it is absent or not known."""
        place = self.names.get(operand)
        return self.items[place] if place is not None and place < len(self.items) else None

    def tensor(self, operand: str) -> Tensor | None:
        """Return a tensor operand."""
        found = self.value(operand)
        return found if isinstance(found, Tensor) else None

    def present(self, operand: str) -> bool:
        """Tell whether an operand was given."""
        place = self.names.get(operand)
        given = place is not None and place < len(self.op.operands)
        return given and self.op.operands[cast("int", place)] not in (None, ())

    def integer(self, operand: str) -> int | None:
        """Return a scalar operand."""
        return constant(self.value(operand))

    def words(self, operand: str) -> tuple[int, ...] | None:
        """Return a variadic scalar operand."""
        found = self.value(operand)
        if not isinstance(found, tuple):
            return None
        known = [item for item in cast("tuple[object, ...]", found) if isinstance(item, int)]
        return tuple(known) if len(known) == len(cast("tuple[object, ...]", found)) else None

    def member(self, operand: str, name: str) -> int | None:
        """Return a numeric field of a parameter struct."""
        found = self.value(operand)
        return found.fields.get(name) if isinstance(found, Struct) else None

    def attr(self, name: str) -> str | int | bool | None:
        """Return an attribute."""
        found = self.op.attr(name)
        return found if isinstance(found, str | int | bool) else None

    def dtype(self, operand: str) -> DType | None:
        """Return the element type of a tensor operand."""
        tensor = self.tensor(operand)
        return None if tensor is None else tensor.dtype

    def memory(self, operand: str) -> Memory | None:
        """Return the memory of a tensor operand."""
        tensor = self.tensor(operand)
        return None if tensor is None else tensor.memory

    def address(self, operand: str) -> int | None:
        """Return the byte address of a tensor operand (checked with the base in hand elsewhere)."""
        tensor = self.tensor(operand)
        return None if tensor is None else constant(tensor.start)

    def size_bytes(self, operand: str) -> int | None:
        """Return the bytes from a tensor's start to its end."""
        tensor = self.tensor(operand)
        return None if tensor is None else tensor.size_bytes


_NAMES: dict[int, dict[str, int]] = {}


def _names(row: OpRow) -> dict[str, int]:
    found = _NAMES.get(id(row))
    if found is None:
        found = _NAMES[id(row)] = {operand.name: place for place, operand in enumerate(row.operands)}
    return found
