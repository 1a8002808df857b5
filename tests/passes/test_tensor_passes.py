# SPDX-License-Identifier: Apache-2.0
"""`carry-tensors`, `coalesce-tensors`, `lower-stages`, `allocate-buffers`, and the pipelines table."""

from __future__ import annotations

import numpy as np
import pytest
from asclens_compiler.ascir.program import Op, Program
from asclens_compiler.ascir.unit import Unit
from asclens_compiler.hardware.chips import chip_for
from asclens_compiler.passes.local_copies import is_copy
from asclens_compiler.passes.pipelines import PASSES, PIPELINES, run_pipeline
from staged_harness import HEADER, SOC, compile_text, run, simulate_unit

X = np.arange(64, dtype=np.float32)


def kernel(*lines: str) -> str:
    inner = "\n".join(f"    {line}" for line in lines)
    return (
        f"{HEADER}def kernel(x: Tensor, y: Tensor):\n    a = x.to_local()\n    PipeStage.start(PipeStage.VECTOR)\n"
        f"{inner}\n    PipeStage.end(PipeStage.VECTOR)\n    y.copy_from(r)\n    PipeStage.sync()\n"
    )


def lowered(*lines: str) -> Program:
    compiled = compile_text(kernel(*lines), [X, X])
    assert compiled.unit is not None
    return compiled.unit.decode()[0]


def copies(program: Program) -> int:
    return sum(isinstance(node, Op) and is_copy(node) for node in program.walk())


def tensors(program: Program) -> int:
    return sum(isinstance(node, Op) and node.name == "local_tensor_v2" for node in program.walk())


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        (("r = a + 1", "for i in range(3):", "    r = r + a"), 0),
        (("r = a + 1", "for i in range(3):", "    r = r * 2 + a"), 0),
        (("r = a + 1", "for i in range(3):", "    for j in range(2):", "        r = r + a"), 0),
        (("r = Tensor(shape=(64,), dtype=DataType.FLOAT32, scope=Scope.LOCAL)", "asc.relu(r, a)"), 0),
        (("r = a + 1", "old = r", "for i in range(3):", "    r = r + a", "r = r + old"), 1),
        (("r = a + 1", "b = a + 2", "for i in range(3):", "    t = r", "    r = b", "    b = t"), 3),
    ],
)
def test_only_needed_copies_stay(lines, left):
    assert copies(lowered(*lines)) == left


def test_no_tensor_passes_through_a_block():
    lines = ("r = a + 1", "for i in range(3):", "    if i == 1:", "        r = r + a", "    else:", "        r = r * 2")
    program = lowered(*lines)
    assert copies(program) == 0
    y = np.zeros_like(X)
    run(kernel(*lines), [X, y])
    np.testing.assert_array_equal(y, ((X + 1) * 2 + X) * 2)


def test_a_declared_tensor_that_is_never_read_takes_no_memory():
    without = tensors(lowered("r = a + 1"))
    assert (
        tensors(lowered("r = Tensor(shape=(64,), dtype=DataType.FLOAT32, scope=Scope.LOCAL)", "r = a + 1")) == without
    )


def test_names_survive_lowering():
    program = lowered("b = a + 1", "r = b * 2")
    names = {name for texts in program.names.values() for name in texts}
    assert {"a", "b", "r", "x", "y"} <= names


def test_stages_become_marks_of_pipes():
    program = lowered("r = a + 1")
    names = [node.name for node in program.walk() if isinstance(node, Op)]
    assert "pipe_v" in names
    assert "stage_start" not in names


def test_every_step_of_a_pipeline_prints_and_parses():
    compiled = compile_text(kernel("r = a + 1", "for i in range(3):", "    r = r + a"), [X, X], lower=False)
    unit = compiled.result.unit
    steps: list[str] = []

    def look(step, after) -> None:
        steps.append(step.name)
        again = Unit.parse(after.text())
        assert again.text() == after.text()

    assert run_pipeline(unit, "default", target=chip_for(SOC), after=look) == []
    assert tuple(steps) == PIPELINES["default"]


def test_the_optimised_pipeline_computes_the_same():
    text = kernel("r = a * 2", "for i in range(3):", "    r = r + asc.select(a > 5, a, 1)")
    results = []
    for name in ("default", "optimize"):
        compiled = compile_text(text, [X, X], lower=False)
        assert run_pipeline(compiled.result.unit, name, target=chip_for(SOC)) == []
        y = np.zeros_like(X)
        result = simulate_unit(compiled.result.unit, [X, y])
        assert result.violations == ()
        results.append(y)
    np.testing.assert_array_equal(*results)


def test_unknown_pipelines_and_names_of_passes():
    compiled = compile_text(kernel("r = a + 1"), [X, X], lower=False)
    with pytest.raises(KeyError):
        run_pipeline(compiled.result.unit, "nonsense", target=chip_for(SOC))
    assert all(step in PASSES or not step.islower() or "-" in step or step in ("canonicalize", "cse", "licm")
               for steps in PIPELINES.values() for step in steps)  # fmt: skip


AUTO = """\
import asc

@asc.jit
def kernel(x: asc.GlobalAddress, y: asc.GlobalAddress, n: asc.ConstExpr[int]):
    x_gm = asc.GlobalTensor()
    y_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    y_gm.set_global_buffer(y)
    for i in range(4):
        a = asc.LocalTensorAuto(x.dtype, n)
        b = asc.LocalTensorAuto(x.dtype, n)
        asc.data_copy(a, x_gm[i * n:], count=n)
        asc.add(b, a, a, n)
        asc.adds(b, b, 1.0, n)
        asc.data_copy(y_gm[i * n:], b, count=n)
"""


def test_automatic_tensors_of_the_other_surface():
    x = np.arange(64, dtype=np.float32)
    y = np.zeros_like(x)
    compiled = compile_text(AUTO, [x, y, 16])
    assert compiled.unit is not None
    assert simulate_unit(compiled.unit, [x, y]).violations == ()
    np.testing.assert_array_equal(y, x * 2 + 1)
