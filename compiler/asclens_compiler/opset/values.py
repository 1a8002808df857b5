# SPDX-License-Identifier: Apache-2.0
"""What is known about the operands of one op: the question side of footprints and constraints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Memory


class OperandValues(Protocol):
    """Answer questions about the operands of one op; None means not known.

    The verifier answers from constants, the simulator from registers. An absent optional operand is
    not present and everything else about it is None.
    """

    def present(self, operand: str) -> bool:
        """Tell whether an operand was given."""
        ...

    def integer(self, operand: str) -> int | None:
        """Return a scalar operand."""
        ...

    def words(self, operand: str) -> tuple[int, ...] | None:
        """Return a variadic scalar operand."""
        ...

    def member(self, operand: str, name: str) -> int | None:
        """Return a numeric field, by Python name, of a parameter struct operand."""
        ...

    def attr(self, name: str) -> str | int | bool | None:
        """Return an attribute."""
        ...

    def dtype(self, operand: str) -> DType | None:
        """Return the element type of a tensor operand."""
        ...

    def memory(self, operand: str) -> Memory | None:
        """Return the physical memory of a tensor operand."""
        ...

    def address(self, operand: str) -> int | None:
        """Return the byte address of a tensor operand in its memory."""
        ...

    def size_bytes(self, operand: str) -> int | None:
        """Return the bytes from the start of a tensor operand to the end of its tensor."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class TensorFact:
    """Facts about one tensor operand."""

    dtype: DType | None = None
    memory: Memory | None = None
    address: int | None = None
    size_bytes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownValues:
    """Plain implementation of `OperandValues` from mappings (tests, tools)."""

    tensors: Mapping[str, TensorFact] = field(default_factory=dict[str, TensorFact])
    scalars: Mapping[str, int | tuple[int, ...]] = field(default_factory=dict[str, "int | tuple[int, ...]"])
    structs: Mapping[str, Mapping[str, int]] = field(default_factory=dict[str, Mapping[str, int]])
    attrs: Mapping[str, str | int | bool] = field(default_factory=dict[str, "str | int | bool"])

    def present(self, operand: str) -> bool:
        """Tell whether an operand was given."""
        return operand in self.tensors or operand in self.scalars or operand in self.structs

    def integer(self, operand: str) -> int | None:
        """Return a scalar operand."""
        value = self.scalars.get(operand)
        return value if isinstance(value, int) else None

    def words(self, operand: str) -> tuple[int, ...] | None:
        """Return a variadic scalar operand."""
        value = self.scalars.get(operand)
        return value if isinstance(value, tuple) else None

    def member(self, operand: str, name: str) -> int | None:
        """Return a numeric field of a parameter struct operand."""
        return self.structs.get(operand, {}).get(name)

    def attr(self, name: str) -> str | int | bool | None:
        """Return an attribute."""
        return self.attrs.get(name)

    def dtype(self, operand: str) -> DType | None:
        """Return the element type of a tensor operand."""
        fact = self.tensors.get(operand)
        return None if fact is None else fact.dtype

    def memory(self, operand: str) -> Memory | None:
        """Return the physical memory of a tensor operand."""
        fact = self.tensors.get(operand)
        return None if fact is None else fact.memory

    def address(self, operand: str) -> int | None:
        """Return the byte address of a tensor operand."""
        fact = self.tensors.get(operand)
        return None if fact is None else fact.address

    def size_bytes(self, operand: str) -> int | None:
        """Return the bytes from the start of a tensor operand to its end."""
        fact = self.tensors.get(operand)
        return None if fact is None else fact.size_bytes
