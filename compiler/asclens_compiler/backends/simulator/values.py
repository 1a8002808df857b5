# SPDX-License-Identifier: Apache-2.0
"""What registers hold besides numbers: immutable handles of tensors, pointers, queues, structs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Memory, Position
from asclens_compiler.source.span import NOWHERE, Span

if TYPE_CHECKING:
    from asclens_compiler.backends.simulator.memory import Bank

CHILDREN_KEPT = 4096


class Owner:
    """The allocation that a tensor lies in: the range it may touch and a name for messages.

    Compared by identity; the same call with the same result gives the same owner.
    """

    __slots__ = ("bank", "hi", "kind", "lo", "memory", "name", "span")

    def __init__(self, bank: Bank, lo: int, hi: int, name: str, kind: str, span: Span = NOWHERE) -> None:
        self.bank = bank
        self.memory = bank.memory
        self.lo = lo
        self.hi = hi
        self.name = name
        self.kind = kind
        self.span = span


class Form:
    """What the elements of a tensor are: shared by all tensors of one type and position."""

    __slots__ = ("dtype", "number", "position", "size")

    def __init__(self, dtype: DType, position: Position) -> None:
        self.dtype = dtype
        self.position = position
        self.size = dtype.size_bytes
        self.number = DTYPE_NUMBER[dtype]


DTYPE_NUMBER = {dtype: number for number, dtype in enumerate(DType)}


@cache
def form_of(dtype: DType, position: Position = Position.GM) -> Form:
    """Return the form of an element type at a position."""
    return Form(dtype, position)


BYTES = form_of(DType.UINT8)


class Tensor:
    """A tensor handle: `lo` is its byte address, `hi` the end of what it declares.

    Immutable but for its table of children, which makes `t[i]` the same object each time.
    """

    __slots__ = ("children", "form", "hi", "lo", "owner", "shape", "tag")

    def __init__(
        self, owner: Owner, form: Form, lo: int, hi: int, shape: tuple[int, ...] | None = None, tag: int = 0
    ) -> None:
        self.owner = owner
        self.form = form
        self.lo = lo
        self.hi = hi
        self.shape = shape
        self.tag = tag
        self.children: dict[Any, Tensor] = {}

    @property
    def dtype(self) -> DType:
        """Return the element type."""
        return self.form.dtype

    @property
    def size(self) -> int:
        """Return the bytes of one element."""
        return self.form.size

    @property
    def position(self) -> Position:
        """Return the logical position."""
        return self.form.position

    @property
    def memory(self) -> Memory:
        """Return the memory it lies in."""
        return self.owner.memory

    def at(self, index: int) -> Tensor:
        """Return the tensor that starts `index` elements further on."""
        return self._keep(index, Tensor(self.owner, self.form, self.lo + index * self.form.size, self.hi))

    def sized(self, elems: int) -> Tensor:
        """Return the tensor with another length in elements."""
        made = Tensor(self.owner, self.form, self.lo, self.lo + elems * self.form.size, self.shape, self.tag)
        return self.children.get(("size", elems)) or self._keep(("size", elems), made)

    def shaped(self, shape: tuple[int, ...]) -> Tensor:
        """Return the tensor with a shape."""
        made = Tensor(self.owner, self.form, self.lo, self.hi, shape, self.tag)
        return self.children.get(("shape", shape)) or self._keep(("shape", shape), made)

    def tagged(self, tag: int) -> Tensor:
        """Return the tensor with a user tag."""
        made = Tensor(self.owner, self.form, self.lo, self.hi, self.shape, tag)
        return self.children.get(("tag", tag)) or self._keep(("tag", tag), made)

    def cast(self, dtype: DType) -> Tensor:
        """Return the same bytes read as another element type."""
        made = Tensor(self.owner, form_of(dtype, self.form.position), self.lo, self.hi, None, self.tag)
        return self.children.get(("cast", dtype)) or self._keep(("cast", dtype), made)

    def _keep(self, key: Any, made: Tensor) -> Tensor:
        if len(self.children) >= CHILDREN_KEPT:
            self.children.clear()
        self.children[key] = made
        return made

    @property
    def elems(self) -> int:
        """Return how many elements lie from the start to the declared end."""
        return max(self.hi - self.lo, 0) // max(self.form.size, 1)

    def __repr__(self) -> str:
        return f"<{self.dtype.value} tensor {self.owner.name} at {self.memory.value}[{self.lo}:{self.hi}]>"


@dataclass(frozen=True, slots=True)
class Pointer:
    """An address in global memory with the array it was derived from."""

    owner: Owner
    dtype: DType
    address: int


@dataclass(frozen=True, slots=True, eq=False)
class Unset:
    """A declared tensor (`asc.GlobalTensor()`) that no buffer was given yet."""

    dtype: DType


@dataclass(frozen=True, slots=True)
class Ref:
    """A stateful object of a core (queue, TBuf, pool, pipe, allocator): an index into its table."""

    kind: str
    index: int


class StructValue:
    """A parameter struct: immutable; compared by identity, so that call sites can cache by it."""

    __slots__ = ("_fields", "name")

    def __init__(self, name: str, fields: dict[str, Any]) -> None:
        self.name = name
        self._fields = fields

    def get(self, field: str, default: Any = None) -> Any:
        """Return a field; raise KeyError when it does not exist and no default is given."""
        if field in self._fields:
            return self._fields[field]
        if default is None:
            raise KeyError(f"{self.name} has no field {field!r}")
        return default

    def having(self, field: str, value: Any) -> StructValue:
        """Return a copy with one field changed."""
        return StructValue(self.name, self._fields | {field: value})

    def items(self) -> tuple[tuple[str, Any], ...]:
        """Return the fields in order."""
        return tuple(self._fields.items())

    def __repr__(self) -> str:
        inner = ", ".join(f"{name}={value}" for name, value in self._fields.items())
        return f"{self.name}({inner})"
