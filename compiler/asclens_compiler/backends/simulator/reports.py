# SPDX-License-Identifier: Apache-2.0
"""Turn what the machine found into diagnostics at the user's lines."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from asclens_compiler.backends.simulator.findings import Findings
from asclens_compiler.backends.simulator.flatten import Do, Flat
from asclens_compiler.backends.simulator.lanes import LANES, flag_name, flag_source, flag_target
from asclens_compiler.backends.simulator.rules import (
    auto_sync as auto_sync_rule,
)
from asclens_compiler.backends.simulator.rules import (
    cross_core,
    flag_never_waited,
    flag_reuse,
    flag_set_twice,
    out_of_bounds,
    overwritten,
    race,
    scalar_cache,
    uninitialised,
)
from asclens_compiler.diagnostics.model import Diagnostic, Related
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.hardware.autosync import Cover, cover
from asclens_compiler.hardware.chips import CACHE_LINE_BYTES
from asclens_compiler.hardware.pipes import Memory

if TYPE_CHECKING:
    from asclens_compiler.backends.simulator.core import Core
    from asclens_compiler.backends.simulator.hazards import Conflict
    from asclens_compiler.backends.simulator.shadow import Access, Rec

_FORMS = ("_l0", "_l1", "_l2", "_l3")
_CLASSES = ("que_bind_", "local_tensor_", "global_tensor_", "tbuf_pool_", "tbuf_", "local_mem_allocator_", "arith.")
_NAMES = {
    "local_tensor_v2": "LocalTensor", "pipe_init_queue": "init_buffer", "pipe_init_buffer": "init_buffer",
    "tbuf_pool_init_queue": "init_buffer", "tbuf_get_tensor": "get", "sync_all_hard": "sync_all",
    "sync_all_soft": "sync_all", "local_tensor_auto": "LocalTensorAuto",
}  # fmt: skip


def shown_op(name: str) -> str:
    """Return an op's name as users write it: without its class and the suffix of its call form."""
    if name in _NAMES:
        return _NAMES[name]
    short = name[:-3] if name.endswith(_FORMS) else name
    for prefix in _CLASSES:
        short = short.removeprefix(prefix)
    return short


class Reporter:
    """Report findings with spans, names and lines filled in."""

    def __init__(self, flat: Flat, findings: Findings) -> None:
        self.flat = flat
        self.findings = findings

    def op(self, pc: int) -> str:
        """Return the name of the op at an address."""
        instr = self.flat.instrs[pc]
        return shown_op(instr.op.name) if isinstance(instr, Do) else "loop"

    def at(
        self,
        core: Core,
        pc: int,
        rule: Rule,
        /,
        *,
        key: Hashable = None,
        related: tuple[Related, ...] = (),
        **values: object,
    ) -> Diagnostic:
        """Report `rule` at the instruction at `pc`; return the diagnostic."""
        instr = self.flat.instrs[pc]
        return self.findings.report(rule, instr.span, core.id, key=key, calls=instr.calls, related=related, **values)

    # -- memory ---------------------------------------------------------------------------------------
    def bounds(self, core: Core, pc: int, access: Access) -> None:
        """Report an access outside its owner."""
        owner = access.owner
        self.at(
            core, pc, out_of_bounds.RULE, key=owner.name, op=self.op(pc), verb="write" if access.write else "read",
            memory=owner.memory.value, lo=access.lo - self.base(owner.lo, owner.memory),
            hi=access.hi - self.base(owner.lo, owner.memory), owner=owner.name,
            first=owner.lo - self.base(owner.lo, owner.memory), end=owner.hi - self.base(owner.lo, owner.memory),
            over=max(access.hi - owner.hi, owner.lo - access.lo),
        )  # fmt: skip

    @staticmethod
    def base(lo: int, memory: Memory) -> int:
        """Return what to subtract from addresses for users: arrays in global memory start at 0."""
        return lo if memory is Memory.GM else 0

    def uninitialised(self, core: Core, pc: int, access: Access, lo: int, hi: int) -> None:
        """Report a read of bytes that nothing wrote."""
        owner = access.owner
        base = self.base(owner.lo, owner.memory)
        self.at(
            core, pc, uninitialised.RULE, key=owner.name, op=self.op(pc), memory=owner.memory.value, lo=lo - base,
            hi=hi - base, owner=owner.name,
        )  # fmt: skip

    def overwritten(self, core: Core, pc: int, access: Access, rec: Rec, lo: int, hi: int) -> None:
        """Report a read through a tensor whose bytes another tensor replaced."""
        other = rec.owner
        first = self.flat.instrs[rec.wpc].span
        self.at(
            core, pc, overwritten.RULE, key=access.owner.name, op=self.op(pc), memory=access.owner.memory.value, lo=lo,
            hi=hi, owner=access.owner.name, line=first.line, other=other.name if other else "another tensor",
            related=(Related(span=first, message="overwritten here"),),
        )  # fmt: skip

    def stale_cache(self, core: Core, store: int, pc: int, access: Access) -> None:
        """Report a scalar store whose line is read before the data cache was written back."""
        owner, reader = access.owner, self.flat.instrs[pc].span
        base = self.base(owner.lo, owner.memory)
        related = (Related(span=reader, message="read here"),)
        self.at(
            core, store, scalar_cache.RULE, key=reader, lo=access.lo - base, hi=access.hi - base, owner=owner.name,
            what=f"line {reader.line} reads it with {self.op(pc)}", related=related,
        )  # fmt: skip

    def shared_line(self, core: Core, pc: int, access: Access, other: int, first_pc: int) -> None:
        """Report scalar stores of two cores into one cache line: one of them is lost."""
        first, owner = self.flat.instrs[first_pc].span, access.owner
        lo = access.lo // CACHE_LINE_BYTES * CACHE_LINE_BYTES - self.base(owner.lo, owner.memory)
        self.at(
            core, pc, cross_core.RULE, key=(first, "line"), kind="Scalar stores into one cache line", core=core.id,
            first_core=other, lo=lo, hi=lo + CACHE_LINE_BYTES, owner=owner.name, line=first.line,
            related=(Related(span=first, message="store of the other core"),),
        )  # fmt: skip

    # -- order ----------------------------------------------------------------------------------------
    def race(
        self, core: Core, pc: int, lane: int, last: Conflict, hits: Sequence[Conflict], *, auto_sync: bool
    ) -> None:
        """Report one missing edge, with every earlier access that needs it as a related place."""
        source, target = LANES[last.lane], LANES[lane]
        first = self.flat.instrs[last.pc].span
        owner = last.access.owner
        base = self.base(owner.lo, owner.memory)
        places = {self.flat.instrs[hit.pc].span for hit in hits}
        related = (
            Related(span=first, message="earlier access"),
            *(Related(span=span, message="needs the same order") for span in sorted(places - {first})),
        )
        values: dict[str, object] = {
            "kind": last.kind, "op": self.op(pc), "pipe": target.name, "first_op": self.op(last.pc),
            "first_pipe": source.name, "line": first.line, "memory": owner.memory.value, "lo": last.lo - base,
            "hi": last.hi - base, "owner": owner.name,
        }  # fmt: skip
        if last.core != core.id:
            key = (first, "cores")
            self.at(core, pc, cross_core.RULE, key=key, related=related, core=core.id, first_core=last.core, **values)
            return
        covered = cover(source, target, auto_sync=auto_sync)
        if covered is Cover.ORDERED:
            return
        if source is target:
            remedy = f"pipe_barrier(PipeID.PIPE_{source.name})"
        else:
            event = f"{source.name}_{target.name}"
            remedy = (
                f"set_flag(HardEvent.{event}, id) after line {first.line} and wait_flag with the same before this line"
            )
        rule = auto_sync_rule.RULE if covered is Cover.ADVICE else race.RULE
        self.at(core, pc, rule, key=(first, source, target), related=related, remedy=remedy, **values)

    def flag_set_twice(self, core: Core, pc: int, key: int) -> None:
        """Report a set of a flag that is still set."""
        self.at(core, pc, flag_set_twice.RULE, key=key, flag=flag_name(key))

    def flag_reuse(self, core: Core, pc: int, key: int) -> None:
        """Report a set that may come before the last wait was taken."""
        self.at(
            core, pc, flag_reuse.RULE, key=key, flag=flag_name(key), source=LANES[flag_source(key)].name,
            target=LANES[flag_target(key)].name,
        )  # fmt: skip

    def flag_leak(self, core: Core, pc: int, key: int) -> None:
        """Report a flag that nobody waited for, at the line that set it."""
        self.at(core, pc, flag_never_waited.RULE, key=key, flag=flag_name(key))
