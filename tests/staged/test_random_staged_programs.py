# SPDX-License-Identifier: Apache-2.0
"""Random staged programs: the values of NumPy, no findings, under a late schedule too."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from asclens_compiler.backends.simulator.api import Schedule
from hypothesis import given, settings
from hypothesis import strategies as st
from staged_harness import HEADER, compile_text, simulate_unit

NAMES = "abcd"
OPERATORS = "+-*"


@dataclass
class Source:
    """The computation of a kernel on NumPy arrays.

    Values stay small integers, so that float32 is exact whatever the order.
    """

    values: dict[str, np.ndarray] = field(default_factory=dict)

    def run(self, text: str) -> None:
        """Execute an assignment of the kernel on the arrays."""
        target, expression = text.split(" = ", 1)
        self.values[target] = eval(expression, {"where": _where, "relu": _relu, "small": _small}, dict(self.values))


def _where(mask, yes, no):
    return np.where(mask, yes, no).astype(np.float32)


def _relu(value):
    return np.maximum(value, 0)


def _small(value):
    return np.minimum(np.maximum(value, -9), 9)


NAME = st.sampled_from(NAMES)
NUMBER = st.integers(-3, 3).map(str)
ATOM = st.one_of(NAME, NAME, NUMBER)
BINARY = st.tuples(NAME, st.sampled_from(OPERATORS), ATOM).map(lambda parts: f"{parts[0]} {parts[1]} {parts[2]}")
SELECTION = st.tuples(NAME, st.sampled_from(["<", ">=", "=="]), ATOM, NAME, ATOM).map(
    lambda parts: f"where({parts[0]} {parts[1]} {parts[2]}, {parts[3]}, {parts[4]})"
)
UNARY = st.tuples(st.just("relu"), NAME).map(lambda parts: f"{parts[0]}({parts[1]})")
EXPRESSION = st.one_of(BINARY, BINARY, SELECTION, UNARY).map(lambda text: f"small({text})")
ASSIGNMENT = st.tuples(NAME, EXPRESSION).map(" = ".join)
LOOP = st.tuples(st.integers(0, 3), st.lists(ASSIGNMENT, min_size=1, max_size=3))
BRANCH = st.tuples(st.booleans(), st.lists(ASSIGNMENT, min_size=1, max_size=2), st.lists(ASSIGNMENT, max_size=2))
STATEMENT = st.one_of(ASSIGNMENT, ASSIGNMENT, LOOP, BRANCH)


def kernel_text(text: str) -> str:
    """Return an assignment as the staged surface writes it."""
    target, expression = text.split(" = ", 1)
    inner = expression.removeprefix("small(").removesuffix(")")
    inner = inner.replace("where(", "asc.select(").replace("relu(", "asc.relu(")
    return f"{target} = asc.minimum(asc.maximum({inner}, -9), 9)"


def start_values(size: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(11)
    return {name: rng.integers(-5, 6, size).astype(np.float32) for name in NAMES}


def build(statements, size: int) -> tuple[list[str], Source]:
    source = Source(values=start_values(size))
    lines: list[str] = []
    for statement in statements:
        if isinstance(statement, str):
            lines.append(kernel_text(statement))
            source.run(statement)
        elif isinstance(statement[0], bool):
            taken, then, orelse = statement
            lines.append(f"if n == {5 if taken else 6}:")
            lines += [f"    {kernel_text(text)}" for text in then]
            if orelse:
                lines += ["else:", *(f"    {kernel_text(text)}" for text in orelse)]
            for text in then if taken else orelse:
                source.run(text)
        else:
            trips, body = statement
            lines.append(f"for i in range({trips}):")
            lines += [f"    {kernel_text(text)}" for text in body]
            for _ in range(trips):
                for text in body:
                    source.run(text)
    return lines, source


@settings(max_examples=40)
@given(st.lists(STATEMENT, min_size=1, max_size=7), st.sampled_from([64, 70, 3001]))
def test_random_programs_compute_what_numpy_does(statements, size):
    """With the largest size buffers have to share memory."""
    lines, source = build(statements, size)
    inputs = start_values(size)
    loads = "".join(f"    {name} = {name}_in.to_local()\n" for name in NAMES)
    stores = "".join(f"    {name}_out.copy_from({name})\n" for name in NAMES)
    params = ", ".join(
        [*(f"{name}_in: Tensor" for name in NAMES), "n: int", *(f"{name}_out: Tensor" for name in NAMES)]
    )
    inner = "".join(f"    {line}\n" for line in lines)
    text = (
        f"{HEADER}def kernel({params}):\n{loads}    PipeStage.start(PipeStage.VECTOR)\n{inner}"
        f"    PipeStage.end(PipeStage.VECTOR)\n{stores}    PipeStage.sync()\n"
    )
    outputs = {name: np.zeros(size, np.float32) for name in NAMES}
    args = [*inputs.values(), 5, *outputs.values()]
    compiled = compile_text(text, args)
    assert compiled.unit is not None, (text, compiled.lines)
    for schedule in (Schedule.PROGRAM, Schedule.ADVERSARIAL):
        for array in outputs.values():
            array.fill(np.nan)
        result = simulate_unit(compiled.unit, args, schedule=schedule, seed=len(text))
        assert result.ok, (text, result.error)
        assert [item.message for item in result.violations] == [], text
        for name in NAMES:
            np.testing.assert_array_equal(outputs[name], source.values[name], err_msg=f"{name}\n{text}")
