# SPDX-License-Identifier: Apache-2.0
"""The operands of one instruction, resolved once per call site and register values."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from asclens_compiler.backends.simulator.arrays import Array, poison, typed
from asclens_compiler.backends.simulator.rules import beyond_declared, misaligned, no_buffer
from asclens_compiler.backends.simulator.shadow import Access, Shadow
from asclens_compiler.backends.simulator.values import Owner, Tensor
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Memory

if TYPE_CHECKING:
    from asclens_compiler.backends.simulator.core import Core
    from asclens_compiler.backends.simulator.memory import Bank

GM_GUARD_BYTES = 262144  # more than UB, so a tile that straddles the end of an array fits

Marks = tuple[tuple[set[int], int], ...]


class Bundle:
    """What a step needs to execute an instruction again with the same register values.

    `simple`: one access per operand, all where the plan expects them, so the inline check applies.
    """

    __slots__ = ("accesses", "cold", "marks", "nbytes", "run", "simple", "stream")

    def __init__(self, run: Callable[..., Any], accesses: tuple[Access, ...], marks: Marks, *, simple: bool) -> None:
        self.run, self.accesses, self.marks, self.simple = run, accesses, marks, simple
        self.stream = self.cold = 1
        self.nbytes = 0


class Place:
    """Where an operand lies: the bank and start address, or scratch when that is nowhere real."""

    __slots__ = ("access", "bank", "lo", "scratch")

    def __init__(self, bank: Bank, lo: int, access: Access | None, scratch: Array | None) -> None:
        self.bank, self.lo, self.access, self.scratch = bank, lo, access, scratch

    def view(self, dtype: DType, count: int) -> Array:
        """Return `count` elements from the start."""
        if self.scratch is not None:
            return typed(self.scratch[: count * dtype.size_bytes], dtype)
        return self.bank.view(dtype, self.lo, count)


class Spot(NamedTuple):
    """The operand of an instruction that an access belongs to, and the alignment it needs."""

    pc: int
    operand: str
    align: int = 1


def locate(core: Core, spot: Spot, tensor: Any, lo: int, nbytes: int, *, write: bool) -> Place:
    """Find the bytes [lo, lo + nbytes) of a tensor's memory and report what is wrong with them.

    `lo` is absolute. Bytes past the owner's end are real but belong to no one; what lies
    further out is scratch memory filled with poison.
    """
    reports, (pc, operand, align) = core.machine.reports, spot
    if not isinstance(tensor, Tensor):
        reports.at(
            core, pc, no_buffer.RULE, key=operand, op=reports.op(pc), operand=operand, advice="set_global_buffer(...)"
        )
        return Place(core.machine.gm, 0, None, poison(nbytes))
    owner, bank = tensor.owner, core.bank(tensor.memory)
    hi = lo + nbytes
    if align > 1 and (lo - owner.lo if tensor.memory is Memory.GM else lo) % align:
        base = reports.base(owner.lo, tensor.memory)
        reports.at(
            core, pc, misaligned.RULE, key=owner.name, op=reports.op(pc), operand=operand, align=align,
            memory=tensor.memory.value, lo=lo - base,
        )  # fmt: skip
    inside_lo, inside_hi = lo, hi
    if nbytes and (lo < owner.lo or hi > owner.hi):
        whole = Access(core.shadows[tensor.memory], owner, lo, hi, write=write)
        reports.bounds(core, pc, whole)
        inside_lo, inside_hi = max(lo, owner.lo), min(hi, owner.hi)
    elif hi > tensor.hi and nbytes:
        _beyond_declared(core, pc, tensor, lo, hi, write=write)
    access = None
    if inside_lo < inside_hi:
        access = Access(core.shadows[tensor.memory], owner, inside_lo, inside_hi, write=write)
    return Place(bank, lo, access, None if _real(owner, bank, lo, hi) else poison(nbytes))


def _real(owner: Owner, bank: Bank, lo: int, hi: int) -> bool:
    if lo < 0 or hi > len(bank.data):
        return False
    if owner.memory is not Memory.GM:
        return True
    return lo >= owner.lo - GM_GUARD_BYTES and hi <= owner.hi + GM_GUARD_BYTES


def _beyond_declared(core: Core, pc: int, tensor: Tensor, lo: int, hi: int, *, write: bool) -> None:
    reports = core.machine.reports
    base = reports.base(tensor.owner.lo, tensor.memory)
    reports.at(
        core, pc, beyond_declared.RULE, key=tensor.owner.name, op=reports.op(pc), verb="write" if write else "read",
        lo=lo - base, hi=hi - base, owner=tensor.owner.name, end=tensor.hi - base, over=hi - tensor.hi,
    )  # fmt: skip


def scratch_shadow(owner: Owner, size: int) -> Shadow:
    """Return a shadow of memory that belongs to no core: everything in it counts as written."""
    shadow = Shadow("nowhere", max(size, 1))
    shadow.declare(0, max(size, 1), owner)
    return shadow
