# SPDX-License-Identifier: Apache-2.0
"""The contract between the machine and the meaning of ops.

A module in this folder registers functions under the name that `OpRow.semantics` holds:

- `@elementwise(name)`: one output element per input element. The decorated *builder* runs once per
  call site and returns a kernel `kernel(*inputs, out=view)`; a numpy ufunc is a kernel. The machine
  decides the elements (count form, or mask / repeat / stride form), checks bounds, alignment,
  races and initialisation, and calls the kernel on arrays of equal shape.
  Inputs are the SRC tensors and the SCALAR operands of the row in row order, without those that a
  footprint or `STRUCTURE_OPERANDS` names (count, mask, repeats, strides). A scalar arrives as
  a numpy scalar of the type of the first SRC tensor (of `out` when there is none).
  `out` holds the old destination elements when the row's destination is INOUT, else it may be
  scratch memory. The kernel must fill all of `out`, must not keep it, and must not change inputs.
- `@full(name)`: everything else. The function gets an `OpContext`, reaches memory only through it
  (each access is checked and recorded for the happens-before check), and returns None, or the
  value of the op's result, or a tuple of the values of its results.

Results are bit for bit those of the hardware where the vendor documents them. numpy warnings are
off while semantics run.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from asclens_compiler.ascir.program import AttrValue
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Memory, Position

Array = npt.NDArray[Any]
Bits = npt.NDArray[np.bool_]
Index = npt.NDArray[np.integer[Any]]
Number = int | float | bool
Kernel = Callable[..., object]
Result = Number | tuple[Number, ...] | None

# SCALAR operands that say which elements an op touches, and hence are no inputs of a kernel.
STRUCTURE_OPERANDS = frozenset(
    {
        "calCount", "count", "mask", "repeatTimes", "repeatTime", "dstBlockStride", "dstRepeatStride",
        "dstRepStride", "dstBlkStride", "srcBlkStride", "srcRepStride", "sharedTmpBuffer", "isReuseSource",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """One call site of an elementwise op: what its builder may depend on.

    `out` and `inputs` are the element types, a scalar input counting as the type it arrives in.
    """

    op: str
    out: DType
    inputs: tuple[DType, ...]
    attrs: Mapping[str, AttrValue]


@dataclass(slots=True, kw_only=True)
class VectorState:
    """Registers of one core that vector and copy instructions read or write implicitly.

    `mask_low` / `mask_high`: bits of elements 0..63 / 64..127 of one repeat; with `mask_counter`
    `mask_low` holds an element count instead. `cmp_mask`: 128 bits, least significant first.
    `more` is for registers that only semantics modules know (by name, plain numbers).
    """

    mask_low: int = 0xFFFF_FFFF_FFFF_FFFF
    mask_high: int = 0xFFFF_FFFF_FFFF_FFFF
    mask_counter: bool = False
    cmp_mask: int = 0
    atomic_op: str = ""  # "add", "max", "min", or "" for off
    atomic_dtype: DType = DType.UNKNOWN
    acc_value: float = 0.0
    deq_scale: int = 0
    pad_value: int = 0
    gather_mask_remain: int = 0
    mrg_sort_counts: tuple[int, ...] = (0, 0, 0, 0)
    more: dict[str, Number] = field(default_factory=dict[str, Number])


class Struct(Protocol):
    """A parameter struct at run time: fields by the Python names of its `StructRow`."""

    name: str

    def get(self, field: str, default: Number | None = None) -> Any:
        """Return a field; raise KeyError when it does not exist and no default is given."""
        ...


class OpContext(Protocol):
    """What a `full` semantics function may touch.

    Operands go by their names in the op row. Counts, offsets and indexes are in elements of the
    operand's dtype, or of `dtype` when given, from the start of the tensor. An access that leaves
    its tensor is reported; reads past the end give poison (bytes 0xFF), writes past it go nowhere.
    """

    op: str
    state: VectorState
    soc: str
    block_idx: int
    block_num: int

    def has(self, operand: str) -> bool:
        """Tell whether an optional operand is present."""
        ...

    def attr(self, name: str, default: AttrValue | None = None) -> Any:
        """Return an attribute (enum attributes: the member's name)."""
        ...

    def scalar(self, operand: str, default: Number | None = None) -> Any:
        """Return a scalar operand as a Python number; `default` when it is absent."""
        ...

    def scalars(self, operand: str) -> tuple[Any, ...]:
        """Return a variadic scalar operand (for example a bit mask: low word first)."""
        ...

    def struct(self, operand: str) -> Struct:
        """Return a parameter struct."""
        ...

    def dtype(self, operand: str) -> DType:
        """Return the element type of a tensor operand."""
        ...

    def size(self, operand: str) -> int:
        """Return the elements from the tensor's start to its end."""
        ...

    def shape(self, operand: str) -> tuple[int, ...] | None:
        """Return the shape set on the tensor, if any."""
        ...

    def memory(self, operand: str) -> Memory:
        """Return the physical memory a tensor lies in."""
        ...

    def position(self, operand: str) -> Position:
        """Return the logical position of a tensor."""
        ...

    def address(self, operand: str) -> int:
        """Return the byte address of a tensor in its memory."""
        ...

    def tensors(self, operand: str) -> tuple[str, ...]:
        """Return names, usable as operands here, for the items of a variadic or list operand."""
        ...

    def read(self, operand: str, count: int, offset: int = 0, *, dtype: DType | None = None) -> Array:
        """Return `count` elements (1-D, not to be changed)."""
        ...

    def write(self, operand: str, count: int, offset: int = 0, *, dtype: DType | None = None) -> Array:
        """Return a 1-D view to be filled completely; ignores atomic mode."""
        ...

    def update(self, operand: str, count: int, offset: int = 0, *, dtype: DType | None = None) -> Array:
        """Return a 1-D view that is both read and written."""
        ...

    def store(self, operand: str, values: Array, offset: int = 0) -> None:
        """Write values in place; to global memory with the atomic mode that is set."""
        ...

    def gather(self, operand: str, index: Index, *, dtype: DType | None = None) -> Array:
        """Return the elements at `index` (any shape; the result has the same shape)."""
        ...

    def scatter(
        self, operand: str, index: Index, values: Array, *, where: Bits | None = None, dtype: DType | None = None
    ) -> None:
        """Write `values` at `index` where `where` holds, in index order; honours atomic mode."""
        ...

    def repeat_index(
        self, elem: DType, *, repeat: int, blk_stride: int, rep_stride: int, elems: int | None = None
    ) -> Index:
        """Return element indexes of shape (repeat, elems) of the repeat form.

        Strides count 32-byte blocks; `elems` per repeat defaults to 256 bytes of `elem` (give it
        when the other operand is wider). Cached; do not change.
        """
        ...

    def mask_bits(self, elems: int, repeat: int) -> Bits:
        """Return which elements are active, shape (repeat, elems).

        Comes from the op's `mask` operand (a count, or low and high words), or from the mask
        registers when the op does not set it (`isSetMask` false) or counter mode is on.
        """
        ...


Builder = Callable[[Site], Kernel]
Full = Callable[[OpContext], Result]


@dataclass(frozen=True, slots=True, kw_only=True)
class Semantics:
    """A registered meaning: exactly one of `build` and `run` is set."""

    name: str
    build: Builder | None = None
    run: Full | None = None


_REGISTERED: dict[str, Semantics] = {}


def _register(entry: Semantics) -> None:
    if entry.name in _REGISTERED:
        raise ValueError(f"two semantics functions are named {entry.name!r}")
    _REGISTERED[entry.name] = entry


def elementwise(*names: str) -> Callable[[Builder], Builder]:
    """Register a kernel builder under each name."""

    def decorate(build: Builder) -> Builder:
        for name in names:
            _register(Semantics(name=name, build=build))
        return build

    return decorate


def full(*names: str) -> Callable[[Full], Full]:
    """Register a function of an `OpContext` under each name."""

    def decorate(run: Full) -> Full:
        for name in names:
            _register(Semantics(name=name, run=run))
        return run

    return decorate


@cache
def semantics() -> Mapping[str, Semantics]:
    """Return all registered semantics by name, found by listing this folder."""
    package = importlib.import_module(__name__.rpartition(".")[0])
    for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda item: item.name):
        if not info.ispkg:
            importlib.import_module(f"{package.__name__}.{info.name}")
    return _REGISTERED
