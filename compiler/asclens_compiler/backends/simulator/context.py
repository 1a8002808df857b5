# SPDX-License-Identifier: Apache-2.0
"""The `OpContext` that `full` semantics functions work with: checked access to operands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from asclens_compiler.ascir.program import AttrValue
from asclens_compiler.backends.simulator.arrays import as_tuple, poison, poison_element, typed
from asclens_compiler.backends.simulator.atomics import ATOMIC_KERNELS
from asclens_compiler.backends.simulator.bundle import GM_GUARD_BYTES, inside, judge, reach, too_large
from asclens_compiler.backends.simulator.masks import mask_of, mask_operand, repeat_form
from asclens_compiler.backends.simulator.ranges import byte_ranges
from asclens_compiler.backends.simulator.semantics.api import Array, Bits, Index, Number, Struct
from asclens_compiler.backends.simulator.shadow import Access
from asclens_compiler.backends.simulator.values import BYTES, Tensor, form_of
from asclens_compiler.errors import InternalError
from asclens_compiler.hardware.chips import REPEAT_BYTES
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Memory, Position

if TYPE_CHECKING:
    from asclens_compiler.backends.simulator.core import Core
    from asclens_compiler.backends.simulator.plans.full import FullPlan

_CACHE = 512


class Context:
    """Operands of one execution of one instruction."""

    def __init__(self, plan: FullPlan, core: Core, values: list[Any]) -> None:
        self.op = plan.op.name
        self.state = core.vs
        self.soc = core.machine.target.soc
        self.block_idx, self.block_num = core.id, len(core.machine.cores)
        self.accesses: list[Access] = []
        self._plan, self._core, self._values = plan, core, values
        self._extra: dict[str, Any] = {}

    # -- operands that are no tensors -------------------------------------------------------------------
    def _value(self, operand: str) -> Any:
        index = self._plan.index.get(operand)
        if index is not None:
            return self._values[index]
        if operand in self._extra:
            return self._extra[operand]
        raise InternalError(f"the op has no operand {operand!r}", op=self.op, span=self._plan.op.span)

    def has(self, operand: str) -> bool:
        """Tell whether an optional operand is present."""
        index = self._plan.index.get(operand)
        return index is not None and index < len(self._values) and self._values[index] not in (None, ())

    def attr(self, name: str, default: AttrValue | None = None) -> Any:
        """Return an attribute."""
        return self._plan.op.attr(name, default)

    def scalar(self, operand: str, default: Number | None = None) -> Any:
        """Return a scalar operand; `default` when it is absent."""
        if not self.has(operand):
            return default
        return as_tuple(self._value(operand))[0]

    def scalars(self, operand: str) -> tuple[Any, ...]:
        """Return a variadic scalar operand."""
        return as_tuple(self._value(operand))

    def struct(self, operand: str) -> Struct:
        """Return a parameter struct."""
        return self._value(operand)

    # -- tensors ----------------------------------------------------------------------------------------
    def _tensor(self, operand: str) -> Any:
        value = self._value(operand)
        if not isinstance(value, Tensor):
            reach(self._core, self._plan, self._index(operand), value, (BYTES, 0, 8), write=False)
        return value

    def _index(self, operand: str) -> int:
        return self._plan.index.get(operand.partition("[")[0], self._plan.anywhere)

    def at(self, address: int) -> str:
        """Return a name, usable as an operand here, for the tensor that `get_phy_addr` gave this address for."""
        name = f"@{address}"
        self._extra[name] = self._core.addressed.get(int(address))
        return name

    def dtype(self, operand: str) -> DType:
        """Return the element type of a tensor."""
        return getattr(self._tensor(operand), "dtype", DType.UINT8)

    def size(self, operand: str) -> int:
        """Return the elements from the tensor's start to its end."""
        tensor = self._tensor(operand)
        return tensor.elems if isinstance(tensor, Tensor) else 0

    def shape(self, operand: str) -> tuple[int, ...] | None:
        """Return the shape set on the tensor."""
        return getattr(self._tensor(operand), "shape", None)

    def memory(self, operand: str) -> Memory:
        """Return the memory a tensor lies in."""
        tensor = self._tensor(operand)
        return tensor.memory if isinstance(tensor, Tensor) else Memory.GM

    def position(self, operand: str) -> Position:
        """Return the logical position of a tensor."""
        tensor = self._tensor(operand)
        return tensor.position if isinstance(tensor, Tensor) else Position.GM

    def address(self, operand: str) -> int:
        """Return the byte address of a tensor."""
        tensor = self._tensor(operand)
        return tensor.lo if isinstance(tensor, Tensor) else 0

    def tensors(self, operand: str) -> tuple[str, ...]:
        """Return names for the items of a list operand."""
        value = self._value(operand)
        items = as_tuple(value) if isinstance(value, tuple) else tuple(value.get("items", ()))
        names = tuple(f"{operand}[{n}]" for n in range(len(items)))
        self._extra.update(zip(names, items, strict=True))
        return names

    # -- ranges -----------------------------------------------------------------------------------------
    def _range(self, operand: str, count: int, offset: int, dtype: DType | None, *, reads: bool, writes: bool) -> Array:
        tensor = self._tensor(operand)
        kind = dtype or self.dtype(operand)
        key = (operand, tensor, count, offset, kind, reads, writes)
        cache = self._plan.cache(self._core)
        found = cache.get(key)
        if found is None:
            found = self._locate(operand, tensor, count, offset, kind, reads=reads, writes=writes)
            if len(cache) >= _CACHE:
                cache.clear()
            cache[key] = found
        view, accesses = found
        self.accesses += accesses
        return view

    def _locate(
        self, operand: str, tensor: Any, count: int, offset: int, kind: DType, *, reads: bool, writes: bool
    ) -> tuple[Array, list[Access]]:
        form = form_of(kind, tensor.position if isinstance(tensor, Tensor) else Position.GM)
        lo = (tensor.lo if isinstance(tensor, Tensor) else 0) + offset * form.size
        index = self._index(operand) if offset == 0 else self._plan.anywhere
        view: Array | None = None
        accesses: list[Access] = []
        for write in ([False] if reads else []) + ([True] if writes else []):
            view, access = reach(self._core, self._plan, index, tensor, (form, lo, max(count, 0)), write=write)
            if access is not None:
                accesses.append(access)
                self._note_written(access)
        if view is None:
            raise InternalError("an access neither reads nor writes", op=self.op)
        return view, accesses

    def _note_written(self, access: Access) -> None:
        if access.write and access.shadow.shared:
            self._core.machine.written.add(access.owner)

    def read(self, operand: str, count: int, offset: int = 0, *, dtype: DType | None = None) -> Array:
        """Return `count` elements."""
        return self._range(operand, count, offset, dtype, reads=True, writes=False)

    def write(self, operand: str, count: int, offset: int = 0, *, dtype: DType | None = None) -> Array:
        """Return a view to be filled."""
        return self._range(operand, count, offset, dtype, reads=False, writes=True)

    def update(self, operand: str, count: int, offset: int = 0, *, dtype: DType | None = None) -> Array:
        """Return a view that is read and written."""
        return self._range(operand, count, offset, dtype, reads=True, writes=True)

    def store(self, operand: str, values: Array, offset: int = 0) -> None:
        """Write values in place, with the atomic mode on the way to global memory."""
        flat = np.ravel(values)
        kernel = self._atomic(operand)
        view = self.write(operand, len(flat), offset)
        if kernel is None:
            view[...] = flat
            return
        self.accesses[-1].atomic = True
        kernel(view, flat.astype(view.dtype, copy=False))

    def _atomic(self, operand: str) -> Any:
        state = self.state
        return ATOMIC_KERNELS[state.atomic_op] if state.atomic_op and self.memory(operand) is Memory.GM else None

    # -- scattered elements --------------------------------------------------------------------------------
    def _elements(self, operand: str, index: Index, kind: DType, *, write: bool) -> tuple[Array, Index, Bits | None]:
        """Return a view over the tensor's surroundings, indexes into it, and which are real."""
        tensor = self._tensor(operand)
        size = kind.size_bytes
        if not isinstance(tensor, Tensor) or not index.size:
            return typed(poison(size)[:size], kind), np.zeros(index.shape, np.intp), np.zeros(index.shape, np.bool_)
        owner, bank, form = tensor.owner, tensor.owner.bank, form_of(kind, tensor.position)
        low, high = int(index.min()), int(index.max())
        too_large(self._core, self._plan, index.size)
        lo, hi = tensor.lo + low * size, tensor.lo + (high + 1) * size
        if lo < owner.lo or hi > owner.hi:
            judge(self._core, self._plan, tensor, lo, hi, write=write)
        self._record(operand, tensor, index, kind, write=write)
        first = max(0, owner.lo - GM_GUARD_BYTES if tensor.memory is Memory.GM else 0)
        last = min(len(bank.data), owner.hi + GM_GUARD_BYTES if tensor.memory is Memory.GM else len(bank.data))
        if lo >= first and hi <= last:
            start = tensor.lo + low * size
            return bank.view(form, start, high - low + 1), index - low, None
        if not 0 <= tensor.lo < last:
            return typed(poison(size)[:size], kind), np.zeros(index.shape, np.intp), np.zeros(index.shape, np.bool_)
        real = (index * size + tensor.lo >= first) & ((index + 1) * size + tensor.lo <= last)
        shift = (tensor.lo - first) // size
        view = bank.view(form, tensor.lo - shift * size, (last - tensor.lo) // size + shift)
        return view, np.where(real, index + shift, 0), real

    def _record(self, operand: str, tensor: Tensor, index: Index, kind: DType, *, write: bool) -> None:
        cache = self._plan.cache(self._core)
        stable = not index.flags.writeable
        key = (operand, tensor, id(index), kind, write)
        found = cache.get(key) if stable else None
        if found is None:
            shadow, owner = tensor.owner.bank.shadow, tensor.owner
            accesses = [
                Access(shadow, owner, lo, hi, write=write)
                for lo, hi in byte_ranges(index, tensor.lo, kind.size_bytes, *inside(owner))
            ]
            found = (index, accesses)
            if stable:
                if len(cache) >= _CACHE:
                    cache.clear()
                cache[key] = found
        if write and tensor.memory is Memory.GM:
            self._core.machine.written.add(tensor.owner)
        self.accesses += found[1]

    def gather(self, operand: str, index: Index, *, dtype: DType | None = None) -> Array:
        """Return the elements at `index`."""
        kind = dtype or self.dtype(operand)
        view, inside, real = self._elements(operand, index, kind, write=False)
        values = view[inside]
        if real is not None:
            values[~real] = poison_element(kind)
        return values

    def scatter(
        self, operand: str, index: Index, values: Array, *, where: Bits | None = None, dtype: DType | None = None
    ) -> None:
        """Write `values` at `index` where `where` holds."""
        kind = dtype or self.dtype(operand)
        flat, source = index, np.broadcast_to(values, index.shape)
        if where is not None:
            flat, source = index[where], source[where]
        view, inside, real = self._elements(operand, flat, kind, write=True)
        if real is not None:
            inside, source = inside[real], source[real]
        kernel = self._atomic(operand)
        if kernel is None:
            view[inside] = source
            return
        for access in self.accesses:
            access.atomic = access.atomic or access.write
        into = view[inside]
        kernel(into, source.astype(view.dtype, copy=False))
        view[inside] = into

    # -- masks ------------------------------------------------------------------------------------------
    def repeat_index(
        self, elem: DType, *, repeat: int, blk_stride: int, rep_stride: int, elems: int | None = None
    ) -> Index:
        """Return element indexes of the repeat form."""
        size = elem.size_bytes
        too_large(self._core, self._plan, repeat * (elems or REPEAT_BYTES // size))
        return repeat_form(size, repeat, blk_stride, rep_stride, elems or REPEAT_BYTES // size)

    def mask_bits(self, elems: int, repeat: int) -> Bits:
        """Return which elements are active."""
        too_large(self._core, self._plan, repeat * elems)
        given: tuple[Any, ...] = ()
        if self.has("mask") and self.attr("isSetMask", True):
            given = mask_operand(self._value("mask"))
        return mask_of(given, self.state, elems, repeat)
