# SPDX-License-Identifier: Apache-2.0
"""Who waits on what when no core can go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asclens_compiler.backends.simulator.api import Wait
from asclens_compiler.backends.simulator.core import CROSS, SYNC, Core, Status
from asclens_compiler.backends.simulator.lanes import LANES, flag_name
from asclens_compiler.backends.simulator.rules import deadlock
from asclens_compiler.diagnostics.model import Related

if TYPE_CHECKING:
    from asclens_compiler.backends.simulator.machine import Machine

_SHOWN = 4


def waits(machine: Machine) -> tuple[Wait, ...]:
    """Return every wait of every core that is not done."""
    found: list[Wait] = []
    for core in machine.cores:
        for lane, queue in enumerate(core.queues):
            if queue:
                found.append(_flag_wait(machine, core, lane, queue[0][0], queue[0][1]))
        if core.status is Status.SYNC or (core.status is Status.WAITING and core.why in (SYNC, CROSS)):
            found.append(_core_wait(machine, core))
        elif core.status is Status.WAITING and core.why >= 0:
            found.append(_flag_wait(machine, core, 0, core.pc, core.regs))
    return tuple(found)


def _core_wait(machine: Machine, core: Core) -> Wait:
    name = machine.reports.op(core.pc)
    what = name
    if name == "sync_all":
        missing = [other.id for other in machine.cores if other.status is not Status.SYNC]
        shown = ", ".join(str(item) for item in missing[:_SHOWN]) + (" ..." if len(missing) > _SHOWN else "")
        what = f"sync_all, which core {shown} never reaches"
    elif core.why == CROSS:
        what = f"{name}, which no other core answers"
    return Wait(core=core.id, pipe="S", span=machine.code.flat.instrs[core.pc].span, what=what)


def _flag_wait(machine: Machine, core: Core, lane: int, pc: int, regs: list[object]) -> Wait:
    use = machine.code.shared.flags.get(pc)
    what = "an earlier instruction of its pipe"
    if use is not None:
        what = f"flag {flag_name(use.key(regs))}, which nothing sets"
    return Wait(core=core.id, pipe=LANES[lane].name, span=machine.code.flat.instrs[pc].span, what=what)


def report_deadlock(machine: Machine, found: tuple[Wait, ...]) -> None:
    """Report one finding per line that waits, with the other waits of its core as related places."""
    for wait in found:
        others = tuple(
            Related(span=other.span, message=f"core {other.core}, pipe {other.pipe} waits for {other.what}")
            for other in found
            if other is not wait and other.span != wait.span
        )[:_SHOWN]
        advice = "every wait needs its set, every core needs the same number of barriers"
        machine.findings.report(
            deadlock.RULE, wait.span, wait.core, key=wait.what.split(",")[0], related=others, core=wait.core,
            pipe=wait.pipe, what=wait.what, advice=advice,
        )  # fmt: skip
