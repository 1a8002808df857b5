# SPDX-License-Identifier: Apache-2.0
"""Steps of flags, barriers and waits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from asclens_compiler.ascir.program import Const, Op, Operand, Reg
from asclens_compiler.ascir.types import QueueType
from asclens_compiler.backends.simulator.emit.emitter import Emitter, Lines
from asclens_compiler.backends.simulator.flatten import QUEUE_FLAGS, Do
from asclens_compiler.backends.simulator.lanes import EVENT_IDS, LANE, LANES, N_LANES, SCALAR, flag_base
from asclens_compiler.backends.simulator.rules import event_id_range
from asclens_compiler.hardware.pipes import HardEvent, Pipe, Position
from asclens_compiler.hardware.queues import queue_events

if TYPE_CHECKING:
    from asclens_compiler.backends.simulator.core import Core


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagUse:
    """How an instruction uses a flag: the key is `base + id`, or what a hidden register holds."""

    sets: bool
    base: int
    id: Operand
    hidden: bool  # the id register holds the whole key, or a negative number for "no flag"

    @property
    def lane(self) -> int:
        """Return the lane that executes the set or wait."""
        return self.base >> 6 if self.sets else self.base >> 3 & 7

    def key(self, regs: list[object]) -> int:
        """Return the flag for register values; negative means none."""
        number = regs[self.id.index] if isinstance(self.id, Reg) else self.id.value
        value = int(number)  # pyright: ignore[reportArgumentType]
        return value if self.hidden else self.base + (value & 7)


def hard_event(name: object) -> HardEvent:
    """Return the event that an attribute names."""
    return HardEvent[str(name)]


def queue_event(kind: QueueType, op: Op, *, full: bool) -> HardEvent | None:
    """Return the event of a queue's buffers: full (enque to deque) or free (free to alloc)."""
    source, target = op.attr("srcUserPos"), op.attr("dstUserPos")
    if source is not None and target is not None:
        events = queue_events(Position[str(source)], Position[str(target)])
    else:
        events = queue_events(kind.source, kind.target)
    if events is None:
        return None
    return events.enque if full else events.free


def flag_use(emit: Emitter, instr: Do) -> FlagUse | None:
    """Return how an instruction uses a flag, or None."""
    op = instr.op
    if op.name in ("set_flag", "wait_flag"):
        number = op.operands[0]
        if not isinstance(number, Reg | Const):
            raise TypeError(op.name)
        return FlagUse(
            sets=op.name == "set_flag", base=flag_base(hard_event(op.attr("event"))), id=number, hidden=False
        )
    if not instr.part or instr.key is None:
        return None
    kind = emit.type_of(op.operands[0])
    action, _, which = QUEUE_FLAGS[op.name].partition("-")
    event = queue_event(kind, op, full=which == "full") if isinstance(kind, QueueType) else None
    base = flag_base(event) if event is not None else flag_base(HardEvent.V_V)
    return FlagUse(sets=action == "set", base=base, id=instr.key, hidden=True)


def emit_flag(emit: Emitter, pc: int, use: FlagUse) -> Lines:
    """Return the lines of a set or wait."""
    body = _set(emit, pc, use) if use.sets else _wait(emit, pc, use)
    if use.hidden:
        return emit.tick([f"f = {emit.val(use.id)}", "if f >= 0:", *(f" {line}" for line in body)])
    head = [f"f = {emit.k(use.base)} + {emit.val(use.id)}"]
    if isinstance(use.id, Const):
        head = [f"f = {emit.k(use.base + (int(use.id.value) & 7))}"]
        if not 0 <= int(use.id.value) < EVENT_IDS:
            head.append(f"{emit.k(bad_event)}(c, {emit.k(pc)}, {emit.k(use.base)}, {emit.k(int(use.id.value))})")
    else:
        head.append(
            f"if f >> 3 != {emit.k(use.base >> 3)}: "
            f"f = {emit.k(bad_event)}(c, {emit.k(pc)}, {emit.k(use.base)}, {emit.val(use.id)})"
        )
    return emit.tick([*head, *body])


def bad_event(core: Core, pc: int, base: int, number: int) -> int:
    """Report an event id out of range; return the flag with the id cut to 3 bits."""
    name = f"{LANES[base >> 6].name}_{LANES[base >> 3 & 7].name}"
    core.machine.reports.at(core, pc, event_id_range.RULE, id=number, flag=name, last=EVENT_IDS - 1)
    return base + (number & 7)


def _set(emit: Emitter, pc: int, use: FlagUse) -> Lines:
    lane, target = emit.k(use.base >> 6), emit.k(use.base >> 3 & 7)
    at = emit.k(pc)
    lines: Lines = []
    if emit.variant.checks:
        lines.append(f"if f in c.flags: c.hazards.reports.flag_set_twice(c, {at}, f)")
    if emit.variant.hazards:
        lines.append(f"m = c.K[{lane}].copy(); m[{lane}] = c.T[{lane}]; c.tok[f] = m")
        if not use.hidden and use.base >> 3 & 7 != SCALAR:
            lines.append(f"if m[{target}] < c.waited.get(f, 0): c.hazards.reports.flag_reuse(c, {at}, f)")
    return [*lines, f"c.flags[f] = c.clk[{lane}]; c.flag_pc[f] = {at}"]


def _wait(emit: Emitter, pc: int, use: FlagUse) -> Lines:
    lane = emit.k(use.base >> 3 & 7)
    lines = [
        "x = c.flags.pop(f, None)",
        f"if x is None: raise Blocked({emit.k(pc)}, f)",
        f"if x > c.clk[{lane}]: "
        + ("c.busy[0] -= x - c.clk[0]; " if use.base >> 3 & 7 == SCALAR else "")
        + f"c.clk[{lane}] = x",
    ]
    if emit.variant.hazards and use.base >> 3 & 7 == SCALAR:
        lines.append("c.hazards.join_all(c, c.tok.pop(f))")
    elif emit.variant.hazards:
        lines.append(f"m = c.tok.pop(f); K = c.K[{lane}]; T = c.T; c.waited[f] = T[{lane}] = T[{lane}] + 1")
        lines += [f"if m[{n}] > K[{n}]: K[{n}] = m[{n}]" for n in range(N_LANES)]
    return lines


def barrier_lane(op: Op) -> int | None:
    """Return the lane of a barrier, or None for all pipes."""
    pipe = Pipe[str(op.attr("pipe")).removeprefix("PIPE_")]
    return None if pipe is Pipe.ALL else LANE[pipe]


def emit_barrier(emit: Emitter, lane: int | None) -> Lines:
    """Return the lines of `pipe_barrier`."""
    if lane is None:
        lines = [f"x = max(c.clk); c.busy[0] -= x - c.clk[0]; c.clk[:] = [x] * {N_LANES}; c.end[:] = [-1] * {N_LANES}"]
        if emit.variant.hazards:
            lines.append("c.hazards.join_all(c, c.T)")
        return emit.tick(lines)
    p = emit.k(lane)
    lines = [f"c.end[{p}] = -1"]  # the next instruction waits for the end of this one: its latency shows
    if emit.variant.hazards:
        lines.append(f"K = c.K[{p}]; K[{p}] = max(K[{p}], c.T[{p}])")
    return emit.tick(lines)
