# SPDX-License-Identifier: Apache-2.0
"""Stepping: stops, frames, variables, memory, edits, and going back."""

import numpy as np
import pytest
from asclens_compiler.backends.simulator.api import OnViolation, SimOptions
from asclens_compiler.backends.simulator.launch import Launch
from asclens_compiler.backends.simulator.machine import Machine
from asclens_compiler.backends.simulator.session import How, Reason, Session
from asclens_compiler.hardware.chips import chip_for
from asclens_compiler.hardware.pipes import Memory
from asclens_compiler.source.span import Span
from kernel_dsl import FILE, I32, Kernel, arguments
from test_values import vadd

X = np.random.default_rng(1).random(512).astype(np.float32)


def session(kernel, values, blocks=1, every=64, **options):
    program = kernel if not isinstance(kernel, Kernel) else kernel.build()
    launch = Launch(
        program=program,
        target=chip_for(None),
        blocks=blocks,
        args=arguments(kernel, values),
        options=SimOptions(trace=True, **options),
    )
    return Session(launch, every=every), launch


def line(s, core=0):
    return s.frames(core)[0].span.line


def point(s):
    return (s.machine.op, line(s), s.machine.cycles, s.machine.gm.data.tobytes(), list(s.machine.cores[0].clk))


def test_a_stepped_run_equals_a_plain_run():
    kernel = vadd(tiles=8)
    z, w = np.zeros_like(X), np.zeros_like(X)
    stepped, _ = session(kernel, (X, X, z, 256), blocks=2, every=50)
    stepped.start()
    while not stepped.finished:
        stepped.resume(How.STEP_IN, core=1)
    program = stepped.machine.program
    plain = Machine(
        Launch(
            program=program,
            target=chip_for(None),
            blocks=2,
            args=arguments(kernel, (X, X, w, 256)),
            options=SimOptions(trace=True),
        )
    )
    plain.run()
    stepped.result()
    plain.arrays.write_back(plain.written)
    np.testing.assert_array_equal(z, w)
    assert stepped.machine.trace == plain.trace
    assert stepped.machine.cycles == plain.cycles


def test_steps_visit_each_statement_in_order():
    kernel = vadd(tiles=2)
    s, _ = session(kernel, (X, X, np.zeros_like(X), 256))
    assert s.start().reason is Reason.ENTRY
    visited = [line(s)]
    while (stop := s.resume(How.NEXT)).reason is Reason.STEP:
        visited.append(line(s))
    assert stop.reason is Reason.END
    # One line per operation in these kernels: the prologue, then the loop header before and after each trip.
    header = next(item for item in range(len(visited)) if visited[item] > visited[item + 1])
    assert visited[:header] == sorted(visited[:header])
    assert visited.count(kernel.lines["add"]) == 2


def test_breakpoint_in_a_loop_hits_once_per_trip():
    kernel = vadd(tiles=3)
    s, _ = session(kernel, (X, X, np.zeros_like(X), 256))
    assert s.set_breakpoints(FILE, [kernel.lines["add"], 999]) == [kernel.lines["add"], None]
    hits = []
    while (stop := s.resume(How.CONTINUE)).reason is Reason.BREAKPOINT:
        hits.append((stop.core, line(s), s.inspect.value(0, 0, "i")))
    assert hits == [(0, kernel.lines["add"], trip) for trip in range(3)]


def test_breakpoints_stop_on_chosen_cores_only():
    kernel = vadd(tiles=1)
    s, _ = session(kernel, (X, X, np.zeros_like(X), 64), blocks=4)
    s.set_breakpoints(FILE, [kernel.lines["add"]])
    s.stop_cores = frozenset({1, 3})
    cores = []
    while (stop := s.resume(How.CONTINUE)).reason is Reason.BREAKPOINT:
        cores.append(stop.core)
    assert cores == [1, 3]


def test_variables_tensors_and_memory():
    kernel = vadd(tiles=2)
    s, _ = session(kernel, (X, X, np.zeros_like(X), 256))
    s.set_breakpoints(FILE, [kernel.lines["out"]])
    s.resume(How.CONTINUE)
    names = {item.name: item for item in s.inspect.locals(0, 0)}
    assert names["length"].value == 256
    assert names["length"].type == "int32"
    assert names["x"].type == "pointer float32"
    assert names["i"].value == 0
    data = s.inspect.read_memory(0, Memory.UB, 4 * 64 * 4, 256)
    np.testing.assert_array_equal(np.frombuffer(data, np.float32), X[:64] + X[:64])
    pipes = {item.name: item for item in s.inspect.pipes(0)}
    assert pipes["V"].busy_cycles > 0
    assert [item.name for item in s.inspect.flags(0)] == ["MTE3_MTE2 id 1"]


def helper_kernel():
    """A kernel that calls an inlined helper twice, the second time as the first thing of its line."""
    k = Kernel()
    n = k.scalar("n")
    k.here = []

    def call(site):
        k.stack[-1][-1] = _inlined(k.stack[-1][-1], site, 100 + len(k.here))
        k.here.append(site)

    a = k.math("addi", n, 1, var="a")
    k.math("muli", a, 2, var="t")
    call(2)
    k.math("muli", a, 3, var="u")
    call(2)
    b = k.math("addi", a, 5, var="b")
    k.math("subi", b, 1, var="c")
    return k


def _inlined(op, site, at):
    from dataclasses import replace  # noqa: PLC0415

    return replace(op, span=Span(FILE, at, 1, at, 9), calls=(Span(FILE, site, 1, site, 9),))


def test_step_over_in_and_out_of_an_inlined_helper():
    s, _ = session(helper_kernel(), (3,))
    s.start()
    assert line(s) == 1
    s.resume(How.NEXT)
    assert (line(s), len(s.frames(0))) == (2, 1)
    s.resume(How.STEP_IN)
    assert [frame.span.line for frame in s.frames(0)] == [100, 2]
    assert s.inspect.value(0, 0, "a") == 4
    s.resume(How.NEXT)
    assert [frame.span.line for frame in s.frames(0)] == [101, 2]
    assert s.inspect.value(0, 1, "t") == 8
    s.resume(How.STEP_OUT)
    assert [frame.span.line for frame in s.frames(0)] == [4]
    s.back()
    assert [frame.span.line for frame in s.frames(0)] == [101, 2]
    s, _ = session(helper_kernel(), (3,))
    s.start()
    s.resume(How.NEXT)
    s.resume(How.NEXT)
    assert line(s) == 4


@pytest.mark.parametrize("every", [16, 100, 1 << 13])
def test_going_back_and_forward_gives_the_same_states(every):
    kernel = vadd(tiles=6)
    z = np.zeros_like(X)
    s, _ = session(kernel, (X, X, z, 384), every=every)
    s.start()
    seen = []
    while not s.finished:
        seen.append(
            (s.machine.op, line(s), s.machine.cycles, s.machine.gm.data.tobytes(), list(s.machine.cores[0].clk))
        )
        s.resume(How.NEXT)
    end = (s.machine.op, s.machine.gm.data.tobytes(), s.result().violations, s.machine.trace[:])
    for expected in reversed(seen):
        assert s.back().reason in (Reason.STEP, Reason.ENTRY)
        now = point(s)
        assert now == expected
    while not s.finished:
        s.resume(How.NEXT)
    assert end == (s.machine.op, s.machine.gm.data.tobytes(), s.result().violations, s.machine.trace)


def test_reverse_continue_finds_the_breakpoint_before():
    kernel = vadd(tiles=4)
    s, _ = session(kernel, (X, X, np.zeros_like(X), 256))
    s.set_breakpoints(FILE, [kernel.lines["add"]])
    for _ in range(3):
        s.resume(How.CONTINUE)
    assert s.inspect.value(0, 0, "i") == 2
    assert s.reverse().reason is Reason.BREAKPOINT
    assert s.inspect.value(0, 0, "i") == 1
    assert s.resume(How.CONTINUE).reason is Reason.BREAKPOINT
    assert s.inspect.value(0, 0, "i") == 2
    for _ in range(3):
        stop = s.reverse()
    assert stop.reason is Reason.ENTRY


def test_edits_are_repeated_after_going_back():
    k = Kernel()
    n, out = k.scalar("n"), k.pointer("out", I32)
    g = k.gm(out, dtype=I32)
    m = k.math("addi", n, 1, var="m")
    k.asc("global_tensor_set_value", tensor=g, offset=0, value=m)
    store = k.line
    k.math("addi", m, 1, var="last")
    data = np.zeros(1, np.int32)
    s, _ = session(k, (1, data))
    s.set_breakpoints(FILE, [store])
    s.resume(How.CONTINUE)
    s.inspect.set_local(0, 0, "m", 40)
    s.resume(How.NEXT)
    s.back()
    assert s.inspect.value(0, 0, "m") == 40
    s.resume(How.FINISH)
    s.result()
    assert data.tolist() == [40]


def test_edit_in_the_past_makes_another_future():
    k = Kernel()
    n, out = k.scalar("n"), k.pointer("out", I32)
    g = k.gm(out, dtype=I32)
    m = k.math("addi", n, 1, var="m")
    k.asc("global_tensor_set_value", tensor=g, offset=0, value=m)
    store = k.line
    data = np.zeros(1, np.int32)
    s, _ = session(k, (1, data))
    s.resume(How.FINISH)
    s.set_breakpoints(FILE, [store])
    s.reverse()
    s.inspect.set_local(0, 0, "m", 7)
    s.resume(How.FINISH)
    s.result()
    assert data.tolist() == [7]


def test_a_violation_stops_at_its_line_and_can_be_passed():
    kernel = vadd(tiles=2, drop="MTE2_V")
    s, _ = session(kernel, (X, X, np.zeros_like(X), 256), on_violation=OnViolation.STOP)
    stop = s.resume(How.CONTINUE)
    assert stop.reason is Reason.VIOLATION
    assert stop.diagnostic is not None
    assert stop.diagnostic.code == "ASC905"
    assert line(s) == kernel.lines["add"]
    assert s.resume(How.CONTINUE).reason is Reason.END


def test_pause_request_stops_a_long_loop():
    k = Kernel()

    def body(v):
        k.op("printf", (v,), desc="%d")
        return k.math("andi", v, 1)

    k.while_(0, lambda v: k.math("cmpi", v, -1, dtype=I32, predicate="sgt"), body)
    s, launch = session(k, ())
    s = Session(launch, on_print=lambda _: s.pause())
    assert s.resume(How.CONTINUE).reason is Reason.PAUSE


def test_deadlock_is_the_end_with_an_error():
    k = Kernel()
    k.asc("wait_flag", eventId=0, event="MTE2_S")
    s, _ = session(k, ())
    stop = s.resume(How.CONTINUE)
    assert stop.reason is Reason.END
    assert "deadlock" in stop.error
