# SPDX-License-Identifier: Apache-2.0
"""The operands of one instruction, resolved once per call site and register values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from asclens_compiler.backends.simulator.arrays import Array, poison, typed
from asclens_compiler.backends.simulator.findings import StopRun
from asclens_compiler.backends.simulator.rules import beyond_declared, misaligned, no_buffer, operand_range
from asclens_compiler.backends.simulator.shadow import Access
from asclens_compiler.backends.simulator.values import Form, Owner, Tensor
from asclens_compiler.hardware.pipes import Memory

if TYPE_CHECKING:
    from asclens_compiler.backends.simulator.core import Core
    from asclens_compiler.backends.simulator.plans.base import MemoryPlan

FOLLOWERS_KEPT = 64
MAX_ELEMS = 1 << 24  # no instruction touches more: L1 has half a million bytes
GM_GUARD_BYTES = 262144  # more than UB, so a tile that straddles the end of an array fits


class Bundle:
    """What a step needs to execute an instruction again with the same register values.

    `simple`: one access per operand, all where the plan expects them, so the inline check applies.
    """

    __slots__ = ("_follows", "accesses", "cold", "nbytes", "run", "simple", "stream", "writes")

    def __init__(
        self, run: Callable[..., Any], accesses: Sequence[Access], *, simple: bool, nbytes: int, times: tuple[int, int]
    ) -> None:
        self.run, self.accesses, self.simple, self.nbytes = run, accesses, simple, nbytes
        self.stream, self.cold = times
        self.writes = tuple(access for access in accesses if access.write)
        self._follows: dict[tuple[Access, ...], bool] = {}

    def follows(self, before: tuple[Access, ...]) -> bool:
        """Tell whether this touches what the instruction before wrote, so that it has to wait for its end."""
        found = self._follows.get(before)
        if found is None:
            if len(self._follows) >= FOLLOWERS_KEPT:
                self._follows.clear()
            found = self._follows[before] = depends(self.accesses, before)
        return found


def depends(accesses: Sequence[Access], before: tuple[Access, ...]) -> bool:
    """Tell whether any access touches bytes written before."""
    return any(
        write.lo < access.hi and access.lo < write.hi and write.shadow is access.shadow
        for write in before
        for access in accesses
    )


def reach(
    core: Core, plan: MemoryPlan, index: int, tensor: Any, elements: tuple[Form, int, int], *, write: bool
) -> tuple[Array, Access | None]:
    """Return a view of elements of operand `index` and the access to record; report what is wrong.

    `elements` = (form, absolute byte address, count). Bytes past the owner's end are real but
    belong to no one; what lies further out is scratch memory filled with poison.
    """
    form, lo, count = elements
    if tensor.__class__ is Tensor:
        owner: Owner = tensor.owner
        hi = lo + count * form.size
        align = plan.aligns[index] or form.size
        if owner.lo <= lo < hi <= owner.hi and hi <= tensor.hi and not lo % align:
            bank = owner.bank
            if lo >= 0 and hi <= len(bank.data):
                return bank.view(form, lo, count), Access(bank.shadow, owner, lo, hi, write=write)
    return _reach_slowly(core, plan, index, tensor, elements, write=write)


def _reach_slowly(
    core: Core, plan: MemoryPlan, index: int, tensor: Any, elements: tuple[Form, int, int], *, write: bool
) -> tuple[Array, Access | None]:
    form, lo, count = elements
    nbytes = too_large(core, plan, count) or count * form.size
    reports, operand = core.machine.reports, plan.operand_name(index)
    if not isinstance(tensor, Tensor):
        reports.at(
            core, plan.pc, no_buffer.RULE, key=operand, op=reports.op(plan.pc), operand=operand,
            advice="set_global_buffer(...)",
        )  # fmt: skip
        return typed(poison(nbytes)[:nbytes], form.dtype), None
    owner, hi = tensor.owner, lo + nbytes
    align = plan.aligns[index] or form.size
    if lo % align and nbytes:
        _misaligned(core, plan, operand, owner, lo, align)
    access = judge(core, plan, tensor, lo, hi, write=write)
    if _real(owner, lo, hi):
        return owner.bank.view(form, lo, count), access
    return typed(poison(nbytes)[:nbytes], form.dtype), access


def too_large(core: Core, plan: MemoryPlan, count: int) -> int:
    """Stop the run when an instruction asks for more elements than any memory of a core holds; else return 0."""
    if count <= MAX_ELEMS:
        return 0
    reports = core.machine.reports
    diagnostic = reports.at(
        core, plan.pc, operand_range.RULE, key="size", operand="the number of elements", op=reports.op(plan.pc),
        value=count, low=0, high=MAX_ELEMS,
    )  # fmt: skip
    raise StopRun(diagnostic)


def judge(core: Core, plan: MemoryPlan, tensor: Tensor, lo: int, hi: int, *, write: bool) -> Access | None:
    """Report bytes outside the owner or the declared size; return the access to what is inside."""
    owner = tensor.owner
    if lo >= hi:
        return None
    reports = core.machine.reports
    if lo < owner.lo or hi > owner.hi:
        reports.bounds(core, plan.pc, Access(owner.bank.shadow, owner, lo, hi, write=write))
    elif hi > tensor.hi:
        base = reports.base(owner.lo, owner.memory)
        reports.at(
            core, plan.pc, beyond_declared.RULE, key=owner.name, op=reports.op(plan.pc),
            verb="write" if write else "read", lo=lo - base, hi=hi - base, owner=owner.name, end=tensor.hi - base,
            over=hi - tensor.hi,
        )  # fmt: skip
    first, last = inside(owner)
    lo, hi = max(lo, first), min(hi, last)
    return Access(owner.bank.shadow, owner, lo, hi, write=write) if lo < hi else None


def inside(owner: Owner) -> tuple[int, int]:
    """Return the part of an allocation that exists: a tensor may be declared beyond its memory."""
    return max(owner.lo, 0), min(owner.hi, len(owner.bank.data))


def _misaligned(core: Core, plan: MemoryPlan, operand: str, owner: Owner, lo: int, align: int) -> None:
    reports = core.machine.reports
    reports.at(
        core, plan.pc, misaligned.RULE, key=owner.name, op=reports.op(plan.pc), operand=operand, align=align,
        memory=owner.memory.value, lo=lo - reports.base(owner.lo, owner.memory),
    )  # fmt: skip


def _real(owner: Owner, lo: int, hi: int) -> bool:
    """Tell whether bytes have a place: in a local memory, or near their array in global memory."""
    if lo < 0 or hi > len(owner.bank.data):
        return False
    if owner.memory is not Memory.GM:
        return True
    return lo >= owner.lo - GM_GUARD_BYTES and hi <= owner.hi + GM_GUARD_BYTES
