# SPDX-License-Identifier: Apache-2.0
"""What registers hold besides numbers: immutable handles of tensors, pointers, queues, structs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Memory, Position
from asclens_compiler.source.span import NOWHERE, Span

CHILDREN_KEPT = 4096


class Owner:
    """The allocation that a tensor lies in: the range it may touch and a name for messages.

    Compared by identity; the same call with the same result gives the same owner.
    """

    __slots__ = ("hi", "kind", "lo", "memory", "name", "span")

    def __init__(self, memory: Memory, lo: int, hi: int, name: str, kind: str, span: Span = NOWHERE) -> None:
        self.memory = memory
        self.lo = lo
        self.hi = hi
        self.name = name
        self.kind = kind
        self.span = span


class Tensor:
    """A tensor handle: `lo` is its byte address, `hi` the end of what it declares.

    Immutable but for its table of children, which makes `t[i]` the same object each time.
    """

    __slots__ = ("children", "dtype", "hi", "lo", "memory", "owner", "position", "shape", "size", "tag")

    def __init__(
        self,
        owner: Owner,
        position: Position,
        dtype: DType,
        lo: int,
        hi: int,
        shape: tuple[int, ...] | None = None,
        tag: int = 0,
    ) -> None:
        self.owner = owner
        self.memory = owner.memory
        self.position = position
        self.dtype = dtype
        self.size = dtype.size_bytes
        self.lo = lo
        self.hi = hi
        self.shape = shape
        self.tag = tag
        self.children: dict[Any, Tensor] = {}

    def at(self, index: int) -> Tensor:
        """Return the tensor that starts `index` elements further on."""
        made = Tensor(self.owner, self.position, self.dtype, self.lo + index * self.size, self.hi)
        return self._keep(index, made)

    def sized(self, elems: int) -> Tensor:
        """Return the tensor with another length in elements."""
        key = ("size", elems)
        return self.children.get(key) or self._keep(key, self._copy(hi=self.lo + elems * self.size))

    def shaped(self, shape: tuple[int, ...]) -> Tensor:
        """Return the tensor with a shape."""
        key = ("shape", shape)
        return self.children.get(key) or self._keep(key, self._copy(shape=shape))

    def tagged(self, tag: int) -> Tensor:
        """Return the tensor with a user tag."""
        key = ("tag", tag)
        return self.children.get(key) or self._keep(key, self._copy(tag=tag))

    def cast(self, dtype: DType) -> Tensor:
        """Return the same bytes read as another element type."""
        key = ("cast", dtype)
        return self.children.get(key) or self._keep(key, self._copy(dtype=dtype, shape=()))

    def _copy(
        self,
        *,
        hi: int | None = None,
        shape: tuple[int, ...] | None = None,
        tag: int | None = None,
        dtype: DType | None = None,
    ) -> Tensor:
        return Tensor(
            self.owner,
            self.position,
            self.dtype if dtype is None else dtype,
            self.lo,
            self.hi if hi is None else hi,
            self.shape if shape is None else shape or None,
            self.tag if tag is None else tag,
        )

    def _keep(self, key: Any, made: Tensor) -> Tensor:
        if len(self.children) >= CHILDREN_KEPT:
            self.children.clear()
        self.children[key] = made
        return made

    @property
    def elems(self) -> int:
        """Return how many elements lie from the start to the declared end."""
        return max(self.hi - self.lo, 0) // max(self.size, 1)

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
