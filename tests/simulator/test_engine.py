# SPDX-License-Identifier: Apache-2.0
"""Single steps, compiled runs, late schedules and repeated runs agree bit for bit."""

import numpy as np
import pytest
from asclens_compiler.backends.simulator import code as code_module
from asclens_compiler.backends.simulator.api import Schedule, SimOptions
from asclens_compiler.backends.simulator.code import code_book
from asclens_compiler.backends.simulator.launch import Launch
from asclens_compiler.backends.simulator.machine import Machine, Stop
from asclens_compiler.hardware.chips import chip_for
from kernel_dsl import Kernel, arguments, codes
from test_values import vadd


def machine(kernel, arrays, blocks=1, compiled=True, history=False, **options):
    program = kernel if not isinstance(kernel, Kernel) else kernel.build()
    launch = Launch(
        program=program, target=chip_for(None), blocks=blocks, args=arrays, options=SimOptions(trace=True, **options)
    )
    return Machine(launch, compiled=compiled, history=history)


def state(m):
    return (
        m.gm.data.tobytes(),
        m.op,
        m.cycles,
        [core.clk for core in m.cores],
        [core.T for core in m.cores],
        m.trace,
        [(item.diagnostic, item.count) for item in m.findings.all()],
    )


@pytest.mark.parametrize("drop", ["", "MTE2_V", "V_MTE3"])
def test_compiled_runs_equal_single_steps(monkeypatch, drop):
    monkeypatch.setattr(code_module, "HOT", 2)
    kernel = vadd(tiles=8, drop=drop)
    program = kernel.build()
    x = np.random.default_rng(3).random(3 * 512).astype(np.float32)
    states = []
    for compiled in (False, True, True):
        args = arguments(kernel, (x.copy(), x.copy(), np.zeros_like(x), 512))
        m = machine(program, args, blocks=3, compiled=compiled)
        assert m.run() is Stop.DONE
        states.append(state(m))
    assert any(size > 1 for _, size in code_book(program).code(m.variant).runs)
    assert states[0] == states[1] == states[2]


def test_running_in_slices_changes_nothing():
    kernel = vadd(tiles=8)
    program = kernel.build()
    x = np.random.default_rng(3).random(3 * 512).astype(np.float32)
    whole, sliced = (
        machine(program, arguments(kernel, (x.copy(), x.copy(), np.zeros_like(x), 512)), blocks=3) for _ in range(2)
    )
    whole.run()
    while sliced.run(count=7) is Stop.COUNT:
        pass
    assert state(whole) == state(sliced)


@pytest.mark.parametrize("seed", range(6))
def test_clean_kernels_are_right_in_every_schedule(seed):
    x, y = np.random.default_rng(seed).random((2, 512), np.float32)
    z = np.zeros_like(x)
    result = vadd(tiles=8).run(x, y, z, 512, schedule=Schedule.ADVERSARIAL, seed=seed)
    assert result.ok, result.error
    assert codes(result) == []
    np.testing.assert_array_equal(z, x + y)


@pytest.mark.parametrize("drop", ["MTE2_V", "V_MTE3"])
def test_a_missing_flag_gives_wrong_numbers_in_some_schedule(drop):
    x, y = np.random.default_rng(0).random((2, 512), np.float32)
    wrong = 0
    for seed in range(8):
        z = np.zeros_like(x)
        vadd(tiles=8, drop=drop).run(x, y, z, 512, schedule=Schedule.ADVERSARIAL, seed=seed)
        wrong += not np.array_equal(z, x + y)
    assert wrong


def test_the_same_seed_gives_the_same_bytes():
    x, y = np.random.default_rng(0).random((2, 512), np.float32)
    found = []
    for _ in range(2):
        z = np.zeros_like(x)
        vadd(tiles=8, drop="MTE2_V").run(x, y, z, 512, schedule=Schedule.ADVERSARIAL, seed=5)
        found.append(z.tobytes())
    assert found[0] == found[1]


def test_a_late_instruction_keeps_the_mask_it_was_issued_with():
    k = Kernel()
    z = k.pointer("z")
    gz = k.gm(z)
    a = k.local(0, 64)
    k.asc("duplicate_l2", dst=a, scalar=0.0, calCount=64)
    params = k.struct("UnaryRepeatParams", 1, 1, 8, 8)
    k.asc("set_vector_mask_l0", len=8, dtype="float32", mode="NORMAL")
    k.asc("adds_l0", dst=a, src=a, scalar=1.0, mask=64, repeatTimes=1, repeatParams=params, isSetMask=False)
    k.asc("reset_mask")
    k.sync("V_MTE3")
    k.copy(gz, a, 64)
    for seed in range(6):
        data = np.zeros(64, np.float32)
        result = k.run(data, schedule=Schedule.ADVERSARIAL, seed=seed)
        assert result.ok, result.error
        assert data.tolist() == [1.0] * 8 + [0.0] * 56
