# SPDX-License-Identifier: Apache-2.0
"""Steps of instructions that touch memory through a plan."""

from __future__ import annotations

from asclens_compiler.ascir.program import Op
from asclens_compiler.backends.simulator.emit.emitter import Emitter, Lines
from asclens_compiler.backends.simulator.lanes import LANE, SCALAR
from asclens_compiler.backends.simulator.plans.base import MemoryPlan
from asclens_compiler.backends.simulator.plans.element import ElementPlan
from asclens_compiler.hardware.pipes import Pipe

_MASK = ("c.vs.mask_counter", "c.vs.mask_low", "c.vs.mask_high")
_ATOMIC = ("c.vs.atomic_op", "c.vs.atomic_dtype")


def key_text(emit: Emitter, plan: MemoryPlan) -> str:
    """Return the expression of a bundle's key; float zeros keep their sign by becoming text."""
    parts: list[str] = []
    for position, operand in enumerate(plan.key_parts):
        text = emit.val(operand)
        parts.append(f"({text} or str({text}))" if position in plan.float_parts else text)
    if plan.with_mask:
        parts += _MASK
    if plan.with_atomic:
        parts += _ATOMIC
    return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"


def emit_memory(emit: Emitter, pc: int, op: Op, plan: MemoryPlan) -> Lines:
    """Return the lines of an instruction executed through its bundle."""
    lines = [
        f"key = {key_text(emit, plan)}",
        f"b = c.slots[{emit.k(plan.slot)}].get(key) or {emit.k(plan.bind)}(c, key)",
    ]
    if emit.variant.hazards:
        lines += _check(plan, emit.k(plan.lane), emit.k(pc))
    if plan.returns:
        lines.append(f"{emit.reg(op.results[0])} = b.run()")
    elif isinstance(plan, ElementPlan):
        value = op.operands[plan.value]
        lines.append(f"b.run({emit.val(value if not isinstance(value, tuple) else None)})")
        if emit.variant.hazards and plan.inline[0][1]:
            lines.append(f"c.hazards.stored(c, b.accesses, {emit.k(pc)})")
    else:
        lines.append("b.run()")
    if emit.variant.history:
        lines += ["for a in b.accesses:", " if a.write: a.owner.bank.mark(a.lo, a.hi)"]
    return lines + emit_time(emit, plan.lane, pc)


def _check(plan: MemoryPlan, lane: str, at: str) -> Lines:
    lines = [f"T = c.T; t = T[{lane}] = T[{lane}] + 1"]
    general = f"c.hazards.check(c, b.accesses, {lane}, t, {at})"
    if not plan.inline:
        return [*lines, general]
    names = [f"a{n}" for n in range(len(plan.inline))]
    lines += ["if b.simple:", f" K = c.K[{lane}]; {', '.join(names)}, = b.accesses"]
    for name, (writes, shared) in zip(names, plan.inline, strict=True):
        lines += [f" {line}" for line in _check_one(name, lane, at, writes=writes, shared=shared)]
    return [*lines, f"else: {general}"]


def _check_one(a: str, lane: str, at: str, *, writes: bool, shared: bool) -> Lines:
    slow = f"c.hazards.{'write' if writes else 'read'}(c, b.accesses, {a}, {lane}, t, {at})"
    if shared:
        return [slow]
    if writes:
        return [
            f"e = {a}.rec",
            f"if e.dead or e.more or e.owner is not {a}.owner or K[e.wp] < e.wt or "
            f"(e.rt and e.rp != {lane} and K[e.rp] < e.rt): {slow}",
            f"else: e.wp = {lane}; e.wt = t; e.wpc = {at}; e.rt = 0",
        ]
    return [
        f"e = {a}.rec",
        f"if e.dead or e.owner is not {a}.owner or K[e.wp] < e.wt: {slow}",
        f"elif e.rp == {lane} or K[e.rp] >= e.rt: e.rp = {lane}; e.rt = t; e.rpc = {at}",
        f"else: {slow}",
    ]


def emit_time(emit: Emitter, lane: int, pc: int) -> Lines:
    """Return the lines that advance a pipe's clock by the bundle's time."""
    if lane == SCALAR:
        return emit.tick([])
    p = emit.k(lane)
    waits, note = (" or b.follows(c.written)", "; c.written = b.writes") if lane == LANE[Pipe.V] else ("", "")
    lines = [
        f"q = c.clk; x = q[0] = q[0] + 1; y = q[{p}]",
        "if y > x: x = y",
        f"y = b.cold if x > c.end[{p}]{waits} else b.stream",
        f"c.end[{p}] = q[{p}] = x + y; c.busy[{p}] += y{note}",
    ]
    if emit.variant.trace:
        lines.append(f"c.trace.append((c.id, {emit.k(pc)}, x, y, b.nbytes))")
    return lines
