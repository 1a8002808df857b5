# SPDX-License-Identifier: Apache-2.0
"""Cycles against public measurements."""

import numpy as np
import pytest
from asclens_compiler.backends.simulator.timing import fractal_times, gm_bytes_per_cycle
from asclens_compiler.hardware.chips import chip_for
from kernel_dsl import F16, Kernel


def adds(repeats, count=4096):
    """Tight loop of independent vector adds, 64 repeats of 256 bytes each."""
    k = Kernel()
    a, b, c = (k.local(n * count * 4, count) for n in range(3))
    for tensor in (a, b):
        k.asc("duplicate_l2", dst=tensor, scalar=1.0, calCount=count)
    k.barrier()
    with k.loop(0, repeats):
        k.add(c, a, b, count)
        k.barrier("ALL")
    return k


def test_isolated_add_of_64_repeats():
    """88.4 cycles without bank conflict (asc-devkit, example bank_conflict_ub)."""
    short, long = (adds(n).run().cycles for n in (10, 110))
    assert (long - short) / 100 == pytest.approx(88.4, rel=0.05)


def copies(total_bytes, tile_bytes):
    k = Kernel()
    x = k.pointer("x", F16)
    gx = k.gm(x, dtype=F16)
    a = k.local(0, tile_bytes // 2, dtype=F16)
    with k.loop(0, total_bytes // tile_bytes) as loop:
        k.copy(a, k.at(gx, k.math("muli", loop.i, tile_bytes // 2)), tile_bytes // 2)
    return k


@pytest.mark.parametrize(
    ("tile_bytes", "measured_us"), [(128, 548.161), (131072, 202.657)], ids=["tile 1x64", "tile 64x1024"]
)
def test_reading_12288_x_12288_halves_on_48_cores(tile_bytes, measured_us):
    """asc-devkit, example data_copy, 910B at 1.85 GHz: time of the copy pipe; one core stands for all."""
    share = 12288 * 12288 * 2 // 48
    part = 1 << 21  # enough for the rate; the rest scales
    chip = chip_for("Ascend910B1")
    kernel = copies(part, tile_bytes)
    data = np.zeros(part // 2, np.float16)
    from asclens_compiler.backends.simulator.launch import Launch  # noqa: PLC0415
    from asclens_compiler.backends.simulator.machine import Machine  # noqa: PLC0415
    from kernel_dsl import arguments  # noqa: PLC0415

    machine = Machine(Launch(program=kernel.build(), target=chip, blocks=1, args=arguments(kernel, (data,))))
    machine.gm_rate = gm_bytes_per_cycle(chip, 48, 12288 * 12288 * 2)
    machine.run()
    micros = chip.microseconds(machine.pipes()["MTE2"]) * share / part
    assert micros == pytest.approx(measured_us, rel=0.1)


@pytest.mark.parametrize(
    ("shape", "dtype", "measured"),
    [((16, 16, 16), F16, 24.98), ((16, 16, 1024), F16, 87.0)],
)
def test_isolated_cube_instruction(shape, dtype, measured):
    """Ascend/mskpp, mmad table of 910B3."""
    assert fractal_times(*shape, dtype)[1] == pytest.approx(measured, rel=0.05)


def test_cube_time_of_a_large_product():
    """8192 x 8192 x 8192 halves on 24 cores: mac_time 3081.7 us (asc-devkit, matmul_basic_api_high_performance)."""
    m, n, k = 128, 256, 64
    stream, _ = fractal_times(m, n, k, F16)
    calls = (8192 // m) * (8192 // n) * (8192 // k) / 24
    assert chip_for("Ascend910B1").microseconds(calls * stream) == pytest.approx(3081.664, rel=0.05)


def test_dependent_vector_instructions_show_their_latency():
    def cycles(*, dependent):
        k = Kernel()
        a, b, c, d = (k.local(n * 256, 64) for n in range(4))
        for tensor in (a, b, c, d):
            k.asc("duplicate_l2", dst=tensor, scalar=1.0, calCount=64)
        k.barrier()
        for n in range(20):
            k.add(*((a, a, b) if dependent else (c if n % 2 else d, a, b)), 64)
        return k.run().cycles

    assert cycles(dependent=True) - cycles(dependent=False) == 19 * 24


def test_a_single_copy_after_a_flag_takes_its_latency():
    k = Kernel()
    x, z = k.pointer("x"), k.pointer("z")
    a = k.local(0, 64)
    k.copy(a, k.gm(x), 64)
    k.sync("MTE2_MTE3")
    k.copy(k.gm(z), a, 64)
    pipes = k.run(np.zeros(64, np.float32), np.zeros(64, np.float32)).pipes
    assert (pipes["MTE2"], pipes["MTE3"]) == (216, 155)
