# SPDX-License-Identifier: Apache-2.0
"""Synchronisation between cores: barriers, cross-core flags, block-to-block flags."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asclens_compiler.backends.simulator.core import CROSS, SYNC, Blocked
from asclens_compiler.backends.simulator.lanes import LANE, N_LANES, SCALAR
from asclens_compiler.backends.simulator.ops.registry import Call, handler
from asclens_compiler.backends.simulator.rules import operand_range
from asclens_compiler.hardware.chips import CROSS_CORE_FLAGS
from asclens_compiler.hardware.pipes import Pipe

if TYPE_CHECKING:
    from asclens_compiler.backends.simulator.core import Core

_ALL_CORES = 0
_COUNTER_MAX = 15


def cross_lane(op: Any) -> int:
    """Return the lane that sets a cross-core flag."""
    return LANE.get(Pipe[str(op.attr("pipe", "PIPE_S")).removeprefix("PIPE_")], SCALAR)


@handler("sync_all_hard", "sync_all_soft", "sync_all")
def sync_all(call: Call, _core: Core, *_operands: Any) -> None:
    """Wait for all cores; the scheduler lets them go on."""
    raise Blocked(call.pc, SYNC)


@handler("cross_core_set_flag")
def cross_core_set_flag(call: Call, core: Core, flag: int) -> None:
    """Set a flag of other cores when earlier work of the pipe is complete."""
    _set(call, core, int(flag), int(call.attr("modeId", 0)))


@handler("ffts_cross_core_sync")
def ffts_cross_core_sync(call: Call, core: Core, config: int) -> None:
    """Set a cross-core flag given as the configuration word 1 | mode << 4 | flag << 8."""
    _set(call, core, int(config) >> 8 & 15, int(config) >> 4 & 3)


def _set(call: Call, core: Core, flag: int, mode: int) -> None:
    machine = core.machine
    if not 0 <= flag < CROSS_CORE_FLAGS:
        machine.reports.at(
            core, call.pc, operand_range.RULE, operand="flagId", op="cross_core_set_flag", value=flag, low=0,
            high=CROSS_CORE_FLAGS - 1,
        )  # fmt: skip
    flag &= CROSS_CORE_FLAGS - 1
    lane = cross_lane(call.op)
    seen = core.K[lane][:]
    seen[lane] = core.T[lane]
    if mode != _ALL_CORES:
        _raise(core, call, flag)
        return
    arrived = machine.arrivals.setdefault(flag, {})
    arrived.setdefault(core.id, []).append(seen)
    if len(arrived) < len(machine.cores):
        return
    tokens = {other: times.pop(0) for other, times in arrived.items()}
    machine.arrivals[flag] = {other: times for other, times in arrived.items() if times}
    for other in machine.cores:
        _raise(other, call, flag)
        machine.tokens.setdefault((flag, other.id), []).append(tokens)
    machine.wake(CROSS)


def _raise(core: Core, call: Call, flag: int) -> None:
    core.cross[flag] = core.cross.get(flag, 0) + 1
    if core.cross[flag] > _COUNTER_MAX:
        core.machine.reports.at(
            core, call.pc, operand_range.RULE, key="counter", operand="the counter of the flag",
            op="cross_core_set_flag", value=core.cross[flag], low=0, high=_COUNTER_MAX,
        )  # fmt: skip


@handler("cross_core_wait_flag")
def cross_core_wait_flag(call: Call, core: Core, flag: int) -> None:
    """Wait until a cross-core flag is set, then take it."""
    number = int(flag) & (CROSS_CORE_FLAGS - 1)
    if core.cross.get(number, 0) <= 0:
        raise Blocked(call.pc, CROSS)
    core.cross[number] -= 1
    waiting = core.machine.tokens.get((number, core.id))
    if waiting:
        _learn(core, waiting.pop(0))


def _learn(core: Core, tokens: dict[int, list[int]]) -> None:
    """Know what other cores had completed when they set a flag."""
    for other, seen in tokens.items():
        if other == core.id:
            continue
        known = core.seen.setdefault(other, [0] * N_LANES)
        for lane in range(N_LANES):
            known[lane] = max(known[lane], seen[lane])


@handler("ib_set")
def ib_set(_call: Call, core: Core, _gm: Any, _ub: Any, block: int, event: int) -> None:
    """Set the flag (block, event) in global memory."""
    core.hazards.join_all(core, core.T)
    core.machine.block_flags.setdefault((int(block), int(event)), []).append({core.id: core.T[:]})
    core.machine.wake(CROSS)


@handler("ib_wait")
def ib_wait(call: Call, core: Core, _gm: Any, _ub: Any, block: int, event: int) -> None:
    """Wait for the flag (block, event), then take it."""
    waiting = core.machine.block_flags.get((int(block), int(event)))
    if not waiting:
        raise Blocked(call.pc, CROSS)
    _learn(core, waiting.pop(0))


_CHAIN = -1


@handler("notify_next_block")
def notify_next_block(_call: Call, core: Core, _gm: Any, _ub: Any) -> None:
    """Let the next block go on."""
    following = (core.id + 1) % len(core.machine.cores)
    core.machine.block_flags.setdefault((following, _CHAIN), []).append({core.id: core.T[:]})
    core.machine.wake(CROSS)


@handler("wait_pre_block")
def wait_pre_block(call: Call, core: Core, _gm: Any, _ub: Any) -> None:
    """Wait for the block before this one; block 0 starts the chain."""
    waiting = core.machine.block_flags.get((core.id, _CHAIN))
    if core.id == 0 and core.id not in core.machine.chain_started:
        core.machine.chain_started.add(core.id)
        return
    if not waiting:
        raise Blocked(call.pc, CROSS)
    _learn(core, waiting.pop(0))
