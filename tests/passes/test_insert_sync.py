# SPDX-License-Identifier: Apache-2.0
"""`insert-sync` against the simulator's race checker: nothing missing, nothing superfluous."""

from __future__ import annotations

import numpy as np
import pytest
from asclens_compiler.analysis.accesses import Accesses
from asclens_compiler.ascir.pass_manager import run_passes, upstream
from asclens_compiler.ascir.rewrite import Rewriter
from asclens_compiler.ascir.unit import Unit
from asclens_compiler.backends.simulator.api import ArrayArg, RunResult, Schedule, SimOptions
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.passes.insert_sync import insert_sync, plan_sync
from asclens_compiler.passes.sync.summary import Summaries
from asclens_compiler.passes.sync.verification import unmet_needs
from hypothesis import given, settings
from hypothesis import strategies as st
from pass_builders import TILE, TILES, Kernel
from staged_harness import simulate_and_tidy

RACE = "ASC905"


def execute(unit: Unit, *, schedule: Schedule = Schedule.PROGRAM, seed: int = 0) -> tuple[RunResult, np.ndarray]:
    (program,) = unit.decode()
    x = np.arange(TILE * TILES, dtype=np.float32)
    y = np.zeros_like(x)
    args = [ArrayArg(name="x", data=x), ArrayArg(name="y", data=y)]
    options = SimOptions(schedule=schedule, seed=seed)
    return simulate_and_tidy(program, args, 1, options), y


def races(result: RunResult) -> list[str]:
    return [item.message for item in result.violations if item.code == RACE]


def fill(kernel: Kernel) -> Kernel:
    """Load every tile, so that no program reads what was never written."""
    for number in range(TILES):
        kernel.load(number, number)
    return kernel


def sync_ops(unit: Unit) -> list[tuple[str, str, object]]:
    """Return the flags and barriers of a unit in order: name, direction, id."""
    (program,) = unit.decode()
    found = []
    for node in program.walk():
        name = getattr(node, "name", "")
        if name in ("set_flag", "wait_flag"):
            found.append((name, str(node.attr("event")), node.operands[0].value))
        elif name == "pipe_barrier":
            found.append((name, str(node.attr("pipe")), 0))
    return found


def remove(unit: Unit, direction: str, number: object, position: int) -> None:
    """Erase one flag pair (the sets and waits of a direction and id between two others) or one barrier."""
    rewriter = Rewriter(unit)
    if number is None:
        barriers = [op for op in rewriter.walk() if op.name == "pipe_barrier"]
        rewriter.erase(barriers[position])
        return
    for name in ("set_flag", "wait_flag"):
        same = [
            op
            for op in rewriter.walk()
            if op.name == name and op.attr("event") == direction and rewriter.literal(op.flat_operands[0]) == number
        ]
        rewriter.erase(same[position])


STEP = st.one_of(
    st.tuples(st.just("load"), st.integers(0, 3), st.integers(0, 3)),
    st.tuples(st.just("store"), st.integers(0, 3), st.integers(0, 3)),
    st.tuples(st.just("add"), st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)),
)
STEPS = st.lists(STEP, min_size=1, max_size=12)


def emit(kernel: Kernel, steps) -> None:
    for step in steps:
        getattr(kernel, step[0])(*step[1:])


@settings(max_examples=25)
@given(STEPS)
def test_straight_line_programs_have_no_race_and_nothing_to_spare(steps):
    def build() -> Unit:
        kernel = fill(Kernel())
        emit(kernel, steps)
        unit = kernel.finish()
        insert_sync(Rewriter(unit))
        return unit

    unit = build()
    result, expected = execute(unit)
    assert result.ok
    assert [item.message for item in result.violations] == []
    late, values = execute(unit, schedule=Schedule.ADVERSARIAL, seed=1)
    assert late.ok
    np.testing.assert_array_equal(values, expected)
    ops = sync_ops(unit)
    counts: dict[tuple[str, object], int] = {}
    for name, direction, number in ops:
        if name == "set_flag":
            position = counts.setdefault((direction, number), 0)
            counts[direction, number] += 1
            broken = build()
            remove(broken, direction, number, position)
            assert races(execute(broken)[0]), f"{direction} {number} #{position} is superfluous"
    barriers = [direction for name, direction, _ in ops if name == "pipe_barrier"]
    for position in range(len(barriers) - 1):  # the last one drains the kernel
        broken = build()
        remove(broken, "", None, position)
        assert races(execute(broken)[0]), f"barrier {position} of {barriers} is superfluous"


@settings(max_examples=25)
@given(STEPS, STEPS, st.integers(0, 4), st.lists(STEP, max_size=4))
def test_loops_have_no_race(body, inner, trips, tail):
    kernel = fill(Kernel())
    with kernel.loop(trips) as loop:
        kernel.load(0, loop.induction)
        emit(kernel, body)
        with kernel.loop(2, "j"):
            emit(kernel, inner)
        kernel.store(loop.induction, 1)
    emit(kernel, tail)
    unit = kernel.finish()
    insert_sync(Rewriter(unit))
    result, expected = execute(unit)
    assert result.ok, result.error
    assert [item.message for item in result.violations] == []
    late, values = execute(unit, schedule=Schedule.ADVERSARIAL, seed=3)
    assert late.ok, late.error
    np.testing.assert_array_equal(values, expected)


@settings(max_examples=25)
@given(STEPS, STEPS, st.booleans())
def test_branches_have_no_race(then, orelse, in_loop):
    kernel = fill(Kernel())
    with kernel.loop(3 if in_loop else 1) as loop:
        odd = kernel.builder.arith("cmpi", [loop.induction, kernel.number(1)], DType.INT1, kernel.span, "eq")
        branch = kernel.builder.branch(odd, (), kernel.span)
        with branch.then():
            emit(kernel, then)
        with branch.orelse():
            emit(kernel, orelse)
        emit(kernel, then[:2])
    unit = kernel.finish()
    insert_sync(Rewriter(unit))
    result, expected = execute(unit)
    assert result.ok, result.error
    assert [item.message for item in result.violations] == []
    late, values = execute(unit, schedule=Schedule.ADVERSARIAL, seed=5)
    assert late.ok, late.error
    np.testing.assert_array_equal(values, expected)


def tile_loop(trips: int = 6) -> Unit:
    kernel = Kernel()
    with kernel.loop(trips) as loop:
        kernel.load(0, loop.induction)
        kernel.add(1, 0, 0)
        kernel.store(loop.induction, 1)
    return kernel.finish()


def test_a_tile_loop_gets_two_pairs_within_a_trip_and_two_across():
    plan = plan_sync(tile_loop().decode()[0])
    directions = sorted((pair.event.name, pair.loop is not None) for pair in plan.flags)
    assert directions == [("MTE2_V", False), ("MTE3_V", True), ("V_MTE2", True), ("V_MTE3", False)]
    assert {pair.event_id for pair in plan.flags} == {0}
    assert plan.barriers == {}


def test_tiles_of_global_memory_that_never_meet_are_not_ordered():
    unit = tile_loop()
    insert_sync(Rewriter(unit))
    result, values = execute(unit)
    assert result.violations == ()
    np.testing.assert_array_equal(values[: 6 * TILE], 2 * np.arange(6 * TILE, dtype=np.float32))


def test_a_loop_that_never_runs_leaves_no_flag_behind():
    unit = tile_loop(0)
    insert_sync(Rewriter(unit))
    result, _ = execute(unit)
    assert result.ok
    assert result.violations == ()


@pytest.mark.parametrize("count", [6, 7, 20])
def test_more_dependencies_than_event_ids(count):
    """All loads before all sums: the sums wait for loads that are far behind."""
    kernel = Kernel()
    for number in range(TILES):
        kernel.load(number, number)
    for number in range(count):
        kernel.store(number % TILES, number % TILES)
        kernel.load((number + 1) % TILES, number % TILES)
    unit = kernel.finish()
    insert_sync(Rewriter(unit))
    result, _ = execute(unit)
    assert result.violations == ()
    assert {number for name, _, number in sync_ops(unit) if name != "pipe_barrier"} <= set(range(6))


def test_ids_that_the_kernel_uses_itself_stay_alone():
    kernel = Kernel()
    kernel.builder.op("set_flag", [kernel.number(0)], attrs={"event": "MTE2_V"}, span=kernel.span)
    kernel.load(0, 0)
    kernel.add(1, 0, 0)
    kernel.builder.op("wait_flag", [kernel.number(0)], attrs={"event": "MTE2_V"}, span=kernel.span)
    kernel.store(0, 1)
    unit = kernel.finish()
    plan = plan_sync(unit.decode()[0])
    assert [pair.event_id for pair in plan.flags if pair.event.name == "MTE2_V"] == [1]


def test_plans_meet_all_needs():
    program = tile_loop().decode()[0]
    plan = plan_sync(program)
    summaries = Summaries(Accesses(program))
    assert unmet_needs(plan, summaries) == []
    plan.flags.pop()
    assert unmet_needs(plan, summaries)


def test_planning_grows_linearly():
    """Twice the program takes about twice the steps; counted, not timed."""

    def flags(length: int) -> int:
        kernel = Kernel()
        for number in range(length):
            kernel.load(number % 4, number % TILES)
            kernel.add(4 + number % 4, number % 4, number % 4)
            kernel.store(number % TILES, 4 + number % 4)
        return len(plan_sync(kernel.finish().decode()[0]).flags)

    assert flags(200) < 2.2 * flags(100)


def test_upstream_passes_keep_the_synchronisation():
    unit = tile_loop()
    insert_sync(Rewriter(unit))
    before = sync_ops(unit)
    run_passes(unit, [upstream("canonicalize"), upstream("cse"), upstream("loop-invariant-code-motion")])
    assert sync_ops(unit) == before
    assert execute(unit)[0].violations == ()
