# SPDX-License-Identifier: Apache-2.0
"""A plain context for semantics functions: tensors are byte buffers, accesses are bounds-checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import ml_dtypes
import numpy as np
from asclens_compiler.backends.simulator.dtypes import dtype_of, numpy_dtype
from asclens_compiler.backends.simulator.semantics.api import Site, VectorState, semantics
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Memory, Position

BF16 = np.dtype(ml_dtypes.bfloat16)


@dataclass
class Tensor:
    """Elements of one operand; `data` is shared with the test that made it."""

    data: np.ndarray
    memory: Memory = Memory.UB
    position: Position = Position.VECCALC
    address: int = 0
    shape: tuple[int, ...] | None = None
    dtype: DType | None = None

    def elements(self, dtype: DType | None) -> np.ndarray:
        return self.data if dtype is None else self.data.view(numpy_dtype(dtype))


@dataclass
class Params:
    """A parameter struct."""

    name: str = "params"
    fields: dict[str, Any] = field(default_factory=dict)

    def get(self, name: str, default: Any = None) -> Any:
        if name not in self.fields and default is None:
            raise KeyError(name)
        return self.fields.get(name, default)


def params(**fields: Any) -> Params:
    return Params(fields=fields)


class Context:
    """An `OpContext` over named operands: Tensor, Params, a number, or a tuple of numbers."""

    def __init__(self, op: str = "op", attrs: Mapping[str, Any] | None = None, state: VectorState | None = None, **ops):
        self.op = op
        self.attrs = dict(attrs or {})
        self.state = state or VectorState()
        self.soc = "Ascend910B1"
        self.block_idx = 0
        self.block_num = 1
        self.addressed = {}
        self.operands = {name: Tensor(value) if isinstance(value, np.ndarray) else value for name, value in ops.items()}

    def has(self, operand):
        return self.operands.get(operand) is not None

    def attr(self, name, default=None):
        return self.attrs.get(name, default)

    def scalar(self, operand, default=None):
        value = self.operands.get(operand)
        return default if value is None else value

    def scalars(self, operand):
        value = self.operands[operand]
        return value if isinstance(value, tuple) else (value,)

    def struct(self, operand):
        return self.operands[operand]

    def dtype(self, operand):
        tensor = self.operands[operand]
        return tensor.dtype or dtype_of(tensor.data)

    def size(self, operand):
        return len(self.operands[operand].data)

    def shape(self, operand):
        return self.operands[operand].shape

    def memory(self, operand):
        return self.operands[operand].memory

    def position(self, operand):
        return self.operands[operand].position

    def address(self, operand):
        return self.operands[operand].address

    def tensors(self, operand):
        items = self.operands[operand]
        names = tuple(f"{operand}[{i}]" for i in range(len(items)))
        for name, item in zip(names, items, strict=True):
            self.operands[name] = Tensor(item) if isinstance(item, np.ndarray) else item
        return names

    def at(self, address):
        return self.addressed[int(address)]

    def _slice(self, operand, count, offset, dtype):
        data = self.operands[operand].elements(dtype)
        assert 0 <= offset <= offset + count <= len(data), (operand, offset, count, len(data))
        return data[offset : offset + count]

    def read(self, operand, count, offset=0, *, dtype=None):
        view = self._slice(operand, count, offset, dtype).view()
        view.flags.writeable = False
        return view

    def write(self, operand, count, offset=0, *, dtype=None):
        return self._slice(operand, count, offset, dtype)

    update = write

    def store(self, operand, values, offset=0):
        self._slice(operand, len(values), offset, None)[:] = values

    def gather(self, operand, index, *, dtype=None):
        data = self.operands[operand].elements(dtype)
        index = np.asarray(index)
        assert index.size == 0 or (index.min() >= 0 and index.max() < len(data)), operand
        return data[index]

    def scatter(self, operand, index, values, *, where=None, dtype=None):
        data = self.operands[operand].elements(dtype)
        index = np.asarray(index)
        values = np.broadcast_to(values, index.shape)
        if where is not None:
            index, values = index[where], values[where]
        assert index.size == 0 or (index.min() >= 0 and index.max() < len(data)), operand
        for at, value in zip(index.ravel(), values.ravel(), strict=True):
            data[at] = value

    def repeat_index(self, elem, *, repeat, blk_stride, rep_stride, elems=None):
        return strided(elem.size_bytes, repeat, blk_stride, rep_stride, elems)

    def mask_bits(self, elems, repeat):
        state = self.state
        given = self.has("mask") and self.attrs.get("isSetMask", True)
        words = self.scalars("mask") if given else (state.mask_low, state.mask_high)
        if state.mask_counter:
            return (np.arange(repeat * elems) < int(words[0])).reshape(repeat, elems)
        if given and not isinstance(self.operands["mask"], tuple):
            row = np.arange(elems) < int(words[0])
        else:
            bits = int(words[0]) | (int(words[1]) << 64 if len(words) > 1 else 0)
            row = np.array([bits >> i & 1 for i in range(elems)], bool)
        return np.broadcast_to(row, (repeat, elems))


def strided(size, repeat, blk_stride, rep_stride, elems=None):
    """Element indexes of the repeat form, straight from the vendor's definition."""
    elems = elems or 256 // size
    lanes = 32 // size
    return np.array(
        [[(r * rep_stride + e // lanes * blk_stride) * lanes + e % lanes for e in range(elems)] for r in range(repeat)],
        dtype=np.int64,
    ).reshape(repeat, elems)


def run(name: str, ctx: Context) -> Any:
    """Run a `full` semantics function."""
    entry = semantics()[name]
    assert entry.run is not None
    with np.errstate(all="ignore"):
        return entry.run(ctx)


def kernel(name: str, out: np.ndarray, *inputs: Any, **attrs: Any) -> np.ndarray:
    """Run an `elementwise` semantics function on arrays and scalars of any shape."""
    entry = semantics()[name]
    assert entry.build is not None
    types = tuple(dtype_of(np.asarray(value)) for value in inputs)
    built = entry.build(Site(op=name, out=dtype_of(out), inputs=types, attrs=attrs))
    with np.errstate(all="ignore"):
        built(*inputs, out=out)
    return out


def same_bits(left: np.ndarray, right: np.ndarray) -> bool:
    """Tell whether two arrays hold the same bytes, all NaNs of a float type counting as equal."""
    left, right = np.asarray(left), np.asarray(right)
    if left.dtype != right.dtype or left.shape != right.shape:
        return False
    same = left.view(f"u{left.itemsize}") == right.view(f"u{right.itemsize}")
    if np.issubdtype(left.dtype, np.floating) or left.dtype == BF16:
        same |= np.isnan(left.astype(np.float32)) & np.isnan(right.astype(np.float32))
    return bool(same.all())
