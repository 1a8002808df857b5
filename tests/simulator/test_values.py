# SPDX-License-Identifier: Apache-2.0
"""Numbers come out right: scalars, control flow, copies, vector code, several cores."""

import numpy as np
import pytest
from kernel_dsl import F16, F32, I16, I32, Kernel, codes


def vadd(tiles=4, tile=64, *, drop=""):
    """The add tutorial: double buffer, hand-written flags."""
    k = Kernel("vadd")
    x, y, z = (k.pointer(name) for name in "xyz")
    length = k.scalar("length")
    start = k.math("muli", k.block_idx(), length)
    gx, gy, gz = (k.gm(k.asc("ptr_offset", base=p, offset=start, result=k.types[p.index])) for p in (x, y, z))
    lx, ly = k.local(0, 2 * tile), k.local(2 * tile * 4, 2 * tile)
    lz = k.local(4 * tile * 4, 2 * tile, "VECOUT")
    k.lines = {}
    for number in (0, 1):
        k.set_flag("MTE3_MTE2", number)
    with k.loop(0, tiles) as loop:
        buf = k.math("remsi", loop.i, 2)
        at, out = k.math("muli", buf, tile), k.math("muli", loop.i, tile)
        k.wait_flag("MTE3_MTE2", buf)
        k.lines["in"] = k.copy(k.at(lx, at), k.at(gx, out), tile)
        k.copy(k.at(ly, at), k.at(gy, out), tile)
        if drop != "MTE2_V":
            k.sync("MTE2_V", buf)
        k.lines["add"] = k.add(k.at(lz, at), k.at(lx, at), k.at(ly, at), tile)
        if drop != "V_MTE3":
            k.sync("V_MTE3", buf)
        k.lines["out"] = k.copy(k.at(gz, out), k.at(lz, at), tile)
        k.set_flag("MTE3_MTE2", buf)
    for number in (0, 1):
        k.wait_flag("MTE3_MTE2", number)
    return k


@pytest.mark.parametrize("blocks", [1, 3])
def test_vector_add(blocks):
    rng = np.random.default_rng(0)
    x, y = rng.random((2, 4 * 64 * blocks), np.float32)
    z = np.zeros_like(x)
    result = vadd().run(x, y, z, 256, blocks=blocks)
    assert result.ok, result.error
    assert codes(result) == []
    np.testing.assert_array_equal(z, x + y)
    assert result.cycles > 0
    assert result.pipes["V"] > 0


def test_scalars_wrap_and_branch():
    k = Kernel()
    out = k.pointer("out", I32)
    g = k.gm(out, dtype=I32)
    big = k.math("muli", 1 << 30, k.math("addi", k.block_idx(), 4))
    k.asc("global_tensor_set_value", tensor=g, offset=0, value=big)
    k.asc("global_tensor_set_value", tensor=g, offset=1, value=k.math("divsi", -7, k.math("addi", k.block_idx(), 2)))
    k.asc("global_tensor_set_value", tensor=g, offset=2, value=k.math("remsi", -7, k.math("addi", k.block_idx(), 2)))
    less = k.math("cmpi", big, 5, dtype=F16, predicate="slt")
    k.branch(
        less,
        lambda: k.asc("global_tensor_set_value", tensor=g, offset=3, value=1),
        lambda: k.asc("global_tensor_set_value", tensor=g, offset=3, value=2),
    )
    with k.loop(0, 10, carry=(100,)) as loop:
        loop.yields = (k.math("addi", loop.carried[0], loop.i),)
    k.asc("global_tensor_set_value", tensor=g, offset=4, value=loop.results[0])
    last = k.while_(1, lambda v: k.math("cmpi", v, 100, dtype=F16, predicate="slt"), lambda v: k.math("muli", v, 3))
    k.asc("global_tensor_set_value", tensor=g, offset=5, value=last)
    data = np.zeros(6, np.int32)
    result = k.run(data)
    assert result.ok, result.error
    assert data.tolist() == [0, -3, -1, 1, 145, 243]


def test_division_by_zero_is_reported():
    k = Kernel()
    n = k.scalar("n")
    k.math("divsi", 7, n)
    result = k.run(0)
    assert codes(result) == [("ASC917", k.line)]


def test_queue_kernel():
    """The second add tutorial: queues with two buffers."""
    tile, tiles = 128, 6
    k = Kernel("vadd_queue")
    x, y, z = (k.pointer(name) for name in "xyz")
    gx, gy, gz = (k.gm(p) for p in (x, y, z))
    pipe = k.pipe()
    qx, qy, qz = (k.queue(pos, 2, name) for pos, name in (("VECIN", "qx"), ("VECIN", "qy"), ("VECOUT", "qz")))
    for queue in (qx, qy, qz):
        k.init_queue(pipe, queue, 2, tile * 4)
    with k.loop(0, tiles) as loop:
        at = k.math("muli", loop.i, tile)
        for queue, source in ((qx, gx), (qy, gy)):
            tensor = k.alloc(queue)
            k.copy(tensor, k.at(source, at), tile)
            k.enque(queue, tensor)
        a, b, c = k.deque(qx), k.deque(qy), k.alloc(qz)
        k.add(c, a, b, tile)
        k.enque(qz, c)
        k.free(qx, a)
        k.free(qy, b)
        c = k.deque(qz)
        k.copy(k.at(gz, at), c, tile)
        k.free(qz, c)
    a, b = np.random.default_rng(1).random((2, tile * tiles), np.float32)
    c = np.zeros_like(a)
    result = k.run(a, b, c)
    assert result.ok, result.error
    assert codes(result) == []
    np.testing.assert_array_equal(c, a + b)


def test_small_write_back_does_nothing():
    k = Kernel()
    x, z = k.pointer("x"), k.pointer("z")
    lx = k.local(0, 8)
    k.copy(lx, k.gm(x), 8)
    k.sync("MTE2_MTE3")
    line = k.copy(k.gm(z), lx, 1)
    x, z = np.arange(8, dtype=np.float32) + 1, np.zeros(8, np.float32)
    result = k.run(x, z)
    assert z.tolist() == [0] * 8
    assert codes(result) == [("ASC919", line)]


def test_reads_past_an_array_give_poison_and_writes_go_nowhere():
    k = Kernel()
    x, z = k.pointer("x"), k.pointer("z")
    lx = k.local(0, 64)
    read = k.copy(lx, k.gm(x), 64)
    k.sync("MTE2_MTE3")
    write = k.copy(k.gm(z), lx, 64)
    x, z = np.arange(60, dtype=np.float32), np.zeros(60, np.float32)
    result = k.run(x, z)
    np.testing.assert_array_equal(z, x)
    assert codes(result) == [("ASC901", read), ("ASC901", write)]


def test_atomic_add_over_cores():
    k = Kernel()
    x, z = k.pointer("x"), k.pointer("z")
    lx = k.local(0, 64)
    k.copy(lx, k.gm(x), 64)
    k.sync("MTE2_MTE3")
    k.asc("set_atomic_add", dtype="float32")
    k.copy(k.gm(z), lx, 64)
    k.asc("set_atomic_none")
    x, z = np.ones(64, np.float32), np.zeros(64, np.float32)
    result = k.run(x, z, blocks=4)
    assert codes(result) == []
    assert z.tolist() == [4] * 64


def test_sync_all_orders_cores():
    k = Kernel()
    x, z = k.pointer("x"), k.pointer("z")
    gx, gz = k.gm(x), k.gm(z)
    block = k.block_idx()
    mine = k.math("muli", block, 8)
    other = k.math("muli", k.math("remsi", k.math("addi", block, 1), 4), 8)
    lx = k.local(0, 8)
    k.copy(lx, k.at(gx, mine), 8)
    k.sync("MTE2_MTE3")
    k.copy(k.at(gz, mine), lx, 8)
    k.asc("sync_all_hard")
    k.copy(lx, k.at(gz, other), 8)
    k.sync("MTE2_MTE3")
    k.asc("sync_all_hard")
    k.copy(k.at(gx, mine), lx, 8)
    x, z = np.arange(32, dtype=np.float32), np.zeros(32, np.float32)
    result = k.run(x, z, blocks=4)
    assert result.ok, result.error
    assert codes(result) == []
    np.testing.assert_array_equal(x, np.roll(np.arange(32), -8))


def test_printf():
    k = Kernel()
    n = k.scalar("n")
    k.op("printf", (n, 2.5), desc="n=%d f=%.2f %5d|\n")
    result = k.run(7)
    assert [(item.core, item.text) for item in result.prints] == [(0, "n=7 f=2.50 %5d|\n")]


def test_printf_takes_the_escapes_of_a_cpp_literal():
    k = Kernel()
    k.op("printf", (3,), desc=r"a\t\"%d\"\x41\\n\n")
    assert [item.text for item in k.run().prints] == ['a\t"3"A\\n\n']


def test_scalar_operand_takes_the_tensor_type():
    k = Kernel()
    x = k.pointer("x", I16)
    gx = k.gm(x, dtype=I16)
    lx = k.local(0, 16, dtype=I16)
    k.copy(lx, gx, 16)
    k.sync("MTE2_V")
    k.asc("adds_l2", dst=lx, src=lx, scalar=-1, calCount=16)
    k.sync("V_MTE3")
    k.copy(gx, lx, 16)
    data = np.arange(16, dtype=np.int16)
    assert codes(k.run(data)) == []
    assert data.tolist() == list(range(-1, 15))
    assert F32
