# SPDX-License-Identifier: Apache-2.0
"""Each check fires at the right line, once, and clean kernels stay silent."""

import numpy as np
import pytest
from asclens_compiler.backends.simulator.api import Checks, OnViolation
from asclens_compiler.diagnostics.model import Severity
from kernel_dsl import F32, I32, Kernel, codes
from test_values import vadd

N = 64


def data(count=N):
    return np.arange(count, dtype=np.float32)


def run_vadd(drop):
    kernel = vadd(drop=drop)
    x, y, z = (data(256) for _ in range(3))
    return kernel, kernel.run(x, y, z, 256)


@pytest.mark.parametrize(
    ("drop", "first", "second", "pipes"),
    [("MTE2_V", "in", "add", ("MTE2", "V")), ("V_MTE3", "add", "out", ("V", "MTE3"))],
)
def test_a_missing_flag_is_one_race(drop, first, second, pipes):
    kernel, result = run_vadd(drop)
    races = [item for item in result.violations if item.code == "ASC905"]
    assert len(races) == 1, [item.message for item in result.violations]
    race = races[0]
    assert race.span.line == kernel.lines[second]
    assert f"pipe {pipes[1]}" in race.message
    assert f"pipe {pipes[0]}" in race.message
    earlier = kernel.lines[first] + (drop == "MTE2_V") * 3  # the second copy is the later one
    assert race.related[0].span.line in (kernel.lines[first], earlier)
    assert f"HardEvent.{drop}" in race.help


def copy_in_out(k, gx, gz, tensor, count=N):
    k.copy(tensor, gx, count)
    k.sync("MTE2_MTE3")
    k.copy(gz, tensor, count)


def test_out_of_bounds_of_a_local_tensor():
    k = Kernel()
    x = k.pointer("x")
    lx = k.local(0, 32, var="lx")
    line = k.copy(lx, k.gm(x), N)
    result = k.run(data())
    assert codes(result) == [("ASC901", line)]
    assert "lx" in result.violations[0].message


def test_misaligned_vector_operand():
    k = Kernel()
    x = k.pointer("x")
    lx = k.local(0, 128, var="lx")
    k.copy(lx, k.gm(x), 128)
    k.sync("MTE2_V")
    part = k.at(lx, 1)
    line = k.add(part, part, part, 8)
    assert codes(k.run(data(128))) == [("ASC902", line)]


def test_uninitialised_read_names_the_bytes():
    k = Kernel()
    x = k.pointer("x")
    lx = k.local(0, 128, var="lx")
    k.copy(lx, k.gm(x), 64)
    k.sync("MTE2_V")
    line = k.add(k.local(512, 128), lx, lx, 128)
    result = k.run(data())
    assert codes(result) == [("ASC903", line)]
    assert "bytes 256 to 512" in result.violations[0].message


def test_overwritten_buffer():
    k = Kernel()
    x = k.pointer("x")
    gx = k.gm(x)
    a, b = k.local(0, 64, var="a"), k.local(128, 64, var="b")
    k.copy(a, gx, 64)
    k.barrier("MTE2")
    first = k.copy(b, gx, 64)
    k.sync("MTE2_V")
    line = k.add(k.local(512, 64), a, a, 64)
    result = k.run(data())
    assert codes(result) == [("ASC904", line)]
    assert result.violations[0].related[0].span.line == first


def test_reuse_of_memory_after_the_last_use_is_fine():
    k = Kernel()
    x, z = k.pointer("x"), k.pointer("z")
    gx, gz = k.gm(x), k.gm(z)
    with k.loop(0, 3):
        copy_in_out(k, gx, gz, k.local(0, 64, var="a"))
        k.sync("MTE3_MTE2")
        copy_in_out(k, gx, gz, k.local(128, 32, var="b"), 32)
        k.sync("MTE3_MTE2")
    assert codes(k.run(data(), data())) == []


def test_same_pipe_needs_a_barrier_on_mte2_but_not_on_v():
    k = Kernel()
    x = k.pointer("x")
    gx = k.gm(x)
    a = k.local(0, 64)
    k.copy(a, gx, 64)
    line = k.copy(a, gx, 64)
    k.sync("MTE2_V")
    k.add(a, a, a, 64)
    k.add(a, a, a, 64)
    result = k.run(data())
    assert codes(result) == [("ASC905", line)]
    assert "pipe_barrier(PipeID.PIPE_MTE2)" in result.violations[0].help


def test_v_after_v_is_an_error_without_auto_sync():
    k = Kernel(auto_sync=False)
    x = k.pointer("x")
    a = k.local(0, 64)
    k.copy(a, k.gm(x), 64)
    k.sync("MTE2_V")
    k.add(a, a, a, 64)
    line = k.add(a, a, a, 64)
    assert codes(k.run(data())) == [("ASC905", line)]


@pytest.mark.parametrize(("auto_sync", "code"), [(True, "ASC906"), (False, "ASC905")])
def test_scalar_read_after_vector(auto_sync, code):
    k = Kernel(auto_sync=auto_sync)
    a = k.local(0, 64)
    k.asc("duplicate_l2", dst=a, scalar=1.0, calCount=64)
    k.asc("local_tensor_get_value", tensor=a, index=3, result=k.types[a.index].__class__ and scalar(F32))
    line = k.line
    result = k.run()
    assert codes(result) == [(code, line)]
    if auto_sync:
        assert result.violations[0].severity is Severity.ADVICE


def scalar(dtype):
    from asclens_compiler.ascir.types import ScalarType  # noqa: PLC0415

    return ScalarType(dtype)


def test_flag_set_twice():
    k = Kernel()
    k.set_flag("MTE2_V")
    line = k.set_flag("MTE2_V")
    k.wait_flag("MTE2_V")
    assert ("ASC907", line) in codes(k.run())


def test_flag_never_waited_is_reported_where_it_is_set():
    k = Kernel()
    line = k.set_flag("MTE2_V", 2)
    k.barrier()
    result = k.run()
    assert codes(result) == [("ASC908", line)]
    assert "MTE2_V id 2" in result.violations[0].message


def test_wait_without_set_is_a_deadlock():
    k = Kernel()
    line = k.wait_flag("MTE2_V")
    x = k.pointer("x")
    a = k.local(0, 64)
    k.copy(a, k.gm(x), 64)
    k.add(a, a, a, 64)
    result = k.run(data())
    assert not result.ok
    assert ("ASC910", line) in codes(result)
    assert [(wait.pipe, wait.span.line) for wait in result.deadlock] == [("V", line)]


def test_wait_before_set_is_legal_on_asynchronous_pipes():
    k = Kernel()
    x = k.pointer("x")
    a = k.local(0, 64)
    k.wait_flag("MTE2_V")
    k.add(a, a, a, 64)
    k.copy(a, k.gm(x), 64)
    k.set_flag("MTE2_V")
    result = k.run(data())
    assert result.ok
    assert codes(result) == []


def test_one_core_that_misses_sync_all_is_a_deadlock():
    k = Kernel()
    first = k.math("cmpi", k.block_idx(), 0, dtype=I32, predicate="ne")
    k.branch(first, lambda: k.asc("sync_all_hard"))
    line = k.line
    result = k.run(blocks=3)
    assert not result.ok
    assert codes(result) == [("ASC910", line)]
    assert "core 0 never reaches" in result.violations[0].message


def queue_kernel():
    k = Kernel()
    pipe = k.pipe()
    queue = k.queue("VECIN", 1, "q")
    k.init_queue(pipe, queue, 1, 256)
    return k, queue


def test_queue_alloc_without_free():
    k, queue = queue_kernel()
    k.alloc(queue)
    k.alloc(queue)
    line = k.line
    result = k.run()
    assert ("ASC911", line) in codes(result)
    assert any(code == "ASC912" for code, _ in codes(result))


def test_queue_deque_of_nothing_and_double_free():
    k, queue = queue_kernel()
    tensor = k.deque(queue)
    first = k.line
    k.free(queue, tensor)
    second = k.line
    result = k.run()
    assert {("ASC911", first), ("ASC911", second)} <= set(codes(result))


def test_queue_without_buffer():
    k = Kernel()
    queue = k.queue("VECIN", 1, "q")
    tensor = k.alloc(queue)
    line = k.line
    k.add(tensor, tensor, tensor, 8)
    assert {("ASC921", line), ("ASC921", k.line)} <= set(codes(k.run()))


def test_event_id_out_of_range():
    k = Kernel()
    n = k.scalar("n")
    k.set_flag("MTE2_V", 8)
    first = k.line
    k.set_flag("MTE3_V", n)
    second = k.line
    result = k.run(9)
    assert {("ASC913", first), ("ASC913", second)} <= set(codes(result))
    assert "Event id 9 of MTE3_V" in " ".join(item.message for item in result.violations)


def test_capacity():
    k = Kernel()
    k.local(196608 - 256, 65, var="big")
    line = k.line
    pipe = k.pipe()
    queue = k.queue("VECOUT", 1, "q")
    k.init_queue(pipe, queue, 4, 65536)
    assert set(codes(k.run())) == {("ASC916", line), ("ASC916", k.line)}


def test_cores_that_overlap_in_global_memory():
    k = Kernel()
    x, z = k.pointer("x"), k.pointer("z")
    a = k.local(0, 64)
    copy_in_out(k, k.gm(x), k.gm(z), a)
    line = k.line
    result = k.run(data(), data(), blocks=3)
    assert codes(result) == [("ASC915", line)]
    assert result.findings[0].count == 2


def test_step_limit():
    k = Kernel()
    k.while_(0, lambda v: k.math("cmpi", v, -1, dtype=I32, predicate="sgt"), lambda v: k.math("andi", v, 1))
    result = k.run(max_steps=5000)
    assert not result.ok
    assert codes(result)[0][0] == "ASC918"
    assert result.steps <= 5001


def test_stop_at_the_first_violation():
    kernel = vadd(drop="MTE2_V")
    z = np.zeros(256, np.float32)
    result = kernel.run(data(256), data(256), z, 256, on_violation=OnViolation.STOP)
    assert not result.ok
    assert codes(result) == [("ASC905", kernel.lines["add"])]
    assert not z.any()


def test_no_checks_report_nothing():
    kernel = vadd(drop="MTE2_V")
    result = kernel.run(data(256), data(256), data(256), 256, checks=Checks.NONE)
    assert result.ok
    assert codes(result) == []


def test_fast_checks_report_no_races():
    kernel = vadd(drop="MTE2_V")
    result = kernel.run(data(256), data(256), data(256), 256, checks=Checks.FAST)
    assert codes(result) == []


def test_atomic_mode_left_on():
    k = Kernel()
    k.asc("set_atomic_add", dtype="float32")
    assert [code for code, _ in codes(k.run())] == ["ASC923"]


def test_trap_and_assert_stop_the_kernel():
    k = Kernel()
    n = k.scalar("n")
    k.op("assert", k.math("cmpi", n, 3, dtype=I32, predicate="slt"), (), message="n is too large")
    line = k.line
    result = k.run(7)
    assert not result.ok
    assert codes(result) == [("ASC924", line)]
    assert "n is too large" in result.error


def test_repeat_out_of_range():
    k = Kernel()
    a = k.local(0, 64)
    params = k.struct("UnaryRepeatParams", 1, 1, 8, 8)
    k.asc("duplicate_l2", dst=a, scalar=1.0, calCount=64)
    k.asc("abs_l0", dst=a, src=a, mask=65, repeatTimes=1, repeatParams=params, isSetMask=True)
    assert codes(k.run()) == [("ASC914", k.line)]


def test_scalar_store_must_leave_the_data_cache_before_a_copy_reads_it():
    def kernel(clean):
        k = Kernel()
        x = k.pointer("x")
        gx = k.gm(x)
        k.asc("global_tensor_set_value", tensor=gx, offset=1, value=2.5)
        store = k.line
        if clean:
            k.asc("data_cache_clean_invalid_global", dst=gx, entireType="SINGLE_CACHE_LINE", dcciDst="CACHELINE_OUT")
        k.sync("S_MTE2")
        k.copy(k.local(0, 64), gx, 64)
        return k, store

    k, store = kernel(clean=False)
    assert codes(k.run(data())) == [("ASC925", store)]
    k, _ = kernel(clean=True)
    assert codes(k.run(data())) == []


def test_ranges_of_rows_hold_for_every_form():
    k = Kernel()
    n = k.scalar("n")
    a = k.local(0, 64)
    k.asc("duplicate_l2", dst=a, scalar=1.0, calCount=64)
    k.asc(
        "whole_reduce_sum_l0", dst=k.local(1024, 512), src=a, mask=64, repeatTime=n, dstRepStride=0, srcBlkStride=1,
        srcRepStride=0, isSetMask=True,
    )  # fmt: skip
    line = k.line
    assert ("ASC914", line) in codes(k.run(256))
    assert codes(k.run(1)) == []


def test_more_than_eight_tensors_of_one_position():
    k = Kernel()
    pipe = k.pipe()
    queue = k.queue("VECIN", 9, "q")
    k.init_queue(pipe, queue, 9, 256)
    for _ in range(9):
        k.alloc(queue)
    assert [item for item in codes(k.run()) if item[0] == "ASC911"] == [("ASC911", k.line)]


def test_scalar_stores_of_two_cores_in_one_cache_line():
    k = Kernel()
    x = k.pointer("x")
    k.asc("global_tensor_set_value", tensor=k.gm(x), offset=k.block_idx(), value=1.0)
    assert codes(k.run(data(), blocks=2)) == [("ASC915", k.line)]
