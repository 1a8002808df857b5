# SPDX-License-Identifier: Apache-2.0
"""What staged kernels compute, against NumPy; every run must be free of findings."""

from __future__ import annotations

import numpy as np
import pytest
from staged_harness import HEADER, run

RNG = np.random.default_rng(7)
F32 = np.float32


def body(*lines: str, params: str = "x: Tensor, y: Tensor", stage: str = "VECTOR") -> str:
    """Return a kernel that copies x in, computes `r` in a stage, and copies it out."""
    inner = "\n".join(f"    {line}" for line in lines)
    return (
        f"{HEADER}def kernel({params}):\n    a = x.to_local()\n    PipeStage.start(PipeStage.{stage})\n{inner}\n"
        f"    PipeStage.end(PipeStage.{stage})\n    y.copy_from(r)\n    PipeStage.sync()\n"
    )


def floats(size: int, dtype: str = "float32") -> np.ndarray:
    return RNG.standard_normal(size).astype(dtype)


@pytest.mark.parametrize("size", [17, 100, 128])
@pytest.mark.parametrize(
    ("expression", "reference"),
    [
        ("a + a", lambda a: a + a),
        ("a - 2", lambda a: a - F32(2)),
        ("2 - a", lambda a: F32(2) - a),
        ("a * a", lambda a: a * a),
        ("a / 3.0", lambda a: a / F32(3)),
        ("1 / a", lambda a: F32(1) / a),
        ("-a", lambda a: -a),
        ("+a", lambda a: a),
        ("asc.maximum(a, 0)", lambda a: np.maximum(a, 0)),
        ("asc.minimum(a, -a)", lambda a: np.minimum(a, -a)),
        ("asc.relu(a)", lambda a: np.maximum(a, 0)),
        ("asc.abs(a)", np.abs),
        ("asc.add(a, 1.5)", lambda a: a + F32(1.5)),
        ("asc.sqrt(asc.abs(a))", lambda a: np.sqrt(np.abs(a))),
        ("asc.select(a > 0, a, -1)", lambda a: np.where(a > 0, a, F32(-1))),
        ("asc.select(a >= 0.5, 0, a)", lambda a: np.where(a >= F32(0.5), F32(0), a)),
        ("((a > 0) & (a < 1)).to(dtype=DataType.FLOAT32)", lambda a: ((a > 0) & (a < 1)).astype(F32)),
        ("((a < -1) | (a > 1)).to(DataType.FLOAT32)", lambda a: ((a < -1) | (a > 1)).astype(F32)),
        ("(~(a <= 0)).to(DataType.FLOAT32)", lambda a: (a > 0).astype(F32)),
        ("(a == a).to(DataType.FLOAT32)", np.ones_like),
        ("(a != a).to(DataType.FLOAT32)", np.zeros_like),
        ("0 < a", None),
    ],
)
def test_float_expressions(expression, reference, size):
    x = floats(size)
    y = np.zeros_like(x)
    if reference is None:
        expression, reference = f"({expression}).to(DataType.FLOAT32)", lambda a: (a > 0).astype(F32)
    run(body(f"r = {expression}"), [x, y])
    np.testing.assert_array_equal(y, reference(x))


@pytest.mark.parametrize("operator", [">", ">=", "<", "<=", "==", "!="])
@pytest.mark.parametrize("dtype", ["int32", "int16", "float16", "int8", "uint8"])
def test_comparisons_of_all_types(operator, dtype):
    x = RNG.integers(-5 if dtype != "uint8" else 0, 6, 77).astype(dtype)
    w = RNG.integers(0, 4, 77).astype(dtype)
    y = np.zeros(77, np.float32)
    text = body(
        "b = w.to_local()", f"m = a {operator} b", f"n = a {operator} 2",
        "r = m.to(DataType.FLOAT32) * 2.0 + n.to(DataType.FLOAT32)", params="x: Tensor, w: Tensor, y: Tensor",
    )  # fmt: skip
    run(text, [x, w, y])
    values = {"x": x, "w": w}
    expected = 2.0 * eval(f"x {operator} w", values) + eval(f"x {operator} 2", values)
    np.testing.assert_array_equal(y, expected.astype(F32))


def test_large_int32_comparisons_are_exact():
    x = np.array([2**31 - 1, 2**31 - 2, -(2**31), 2**24 + 1, 2**24], np.int32)
    w = np.array([2**31 - 2, 2**31 - 1, 2**31 - 1, 2**24, 2**24], np.int32)
    y = np.zeros(5, np.float32)
    text = body("b = w.to_local()", "r = (a > b).to(DataType.FLOAT32)", params="x: Tensor, w: Tensor, y: Tensor")
    run(text, [x, w, y])
    np.testing.assert_array_equal(y, (x > w).astype(F32))


@pytest.mark.parametrize(
    ("source", "target"),
    [("float32", "float16"), ("float32", "int32"), ("float16", "float32"), ("int32", "float32"), ("int32", "float16"),
     ("float16", "int8"), ("int8", "int32"), ("uint8", "float32"), ("int16", "int32"), ("float32", "float32")],
)  # fmt: skip
def test_conversions(source, target):
    low = 0 if source == "uint8" else -100
    x = (RNG.uniform(low, 100, 61) if source.startswith("float") else RNG.integers(low, 101, 61)).astype(source)
    y = np.zeros(61, target)
    run(body(f"r = a.to(dtype=DataType.{target.upper()})"), [x, y])
    np.testing.assert_array_equal(y, x.astype(target))


@pytest.mark.parametrize("dtype", ["int32", "int16", "int8", "uint8", "float16"])
def test_masks_to_all_types(dtype):
    x = floats(75)
    y = np.zeros(75, dtype)
    run(body(f"r = (a > 0).to(dtype=DataType.{dtype.upper()})"), [x, y])
    np.testing.assert_array_equal(y, (x > 0).astype(dtype))


@pytest.mark.parametrize("dtype", ["int16", "int32", "uint16"])
def test_bits_of_integers(dtype):
    low = 0 if dtype.startswith("u") else -1000
    x, w = (RNG.integers(low, 1000, 33).astype(dtype) for _ in "ab")
    y = np.zeros(33, dtype)
    text = body("b = w.to_local()", "r = (a & b) | ~a", params="x: Tensor, w: Tensor, y: Tensor")
    run(text, [x, w, y])
    np.testing.assert_array_equal(y, (x & w) | ~x)


def test_scalar_parameters_take_the_tensor_type():
    x = floats(64, "float16")
    y = np.zeros_like(x)
    text = body("r = a * s + n", params="x: Tensor, s: float, n: int, y: Tensor")
    run(text, [x, 0.3, 2, y])
    np.testing.assert_array_equal(y, x * np.float16(0.3) + np.float16(2))


@pytest.mark.parametrize("name", ["sum", "max", "min"])
@pytest.mark.parametrize("size", [1, 7, 64, 100, 1000])
def test_reductions_of_everything(name, size):
    x = RNG.integers(-50, 50, size).astype(np.float32)
    y = np.zeros(1, np.float32)
    run(body(f"r = asc.reduce_{name}(a)"), [x, y])
    assert y[0] == getattr(x, name)()


@pytest.mark.parametrize("name", ["sum", "max", "min"])
@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize("shape", [(4, 16), (5, 7), (3, 70), (1, 9)])
def test_reductions_along_an_axis(name, axis, dtype, shape):
    x = RNG.integers(-9, 9, shape).astype(dtype)
    expected = getattr(x, name)(axis=axis)
    y = np.zeros_like(expected)
    run(body(f"r = asc.reduce_{name}(a, axis={axis})"), [x, y])
    np.testing.assert_array_equal(y, expected)


def test_destination_forms():
    x = floats(50)
    y = np.zeros_like(x)
    text = body(
        "r = Tensor(shape=(50,), dtype=DataType.FLOAT32, scope=Scope.LOCAL)",
        "t = Tensor(shape=(50,), dtype=DataType.FLOAT32, scope=Scope.LOCAL)",
        "asc.duplicate(t, 2)", "asc.relu(r, a)", "asc.add(r, r, t)", "asc.select(r, r > 3, t, r)",
    )  # fmt: skip
    run(text, [x, y])
    kept = np.maximum(x, 0) + 2
    np.testing.assert_array_equal(y, np.where(kept > 3, F32(2), kept))


def test_relu_in_place():
    x = floats(70)
    y = np.zeros_like(x)
    run(body("asc.relu(a, a)", "r = a"), [x, y])
    np.testing.assert_array_equal(y, np.maximum(x, 0))


def test_data_copy_in_all_directions():
    x = floats(48)
    y, z = np.zeros_like(x), np.zeros_like(x)
    text = f"""{HEADER}
def kernel(x: Tensor, y: Tensor, z: Tensor):
    a = Tensor(shape=(48,), dtype=DataType.FLOAT32, scope=Scope.LOCAL)
    b = Tensor(shape=(48,), dtype=DataType.FLOAT32, scope=Scope.LOCAL)
    asc.data_copy(a, x)
    PipeStage.start(PipeStage.VECTOR)
    asc.data_copy(b, a)
    PipeStage.end(PipeStage.VECTOR)
    asc.data_copy(y, b)
    asc.data_copy(z, a, 5)
    PipeStage.sync()
"""
    run(text, [x, y, z])
    np.testing.assert_array_equal(y, x)
    np.testing.assert_array_equal(z, np.where(np.arange(48) < 5, x, 0))


def test_other_names_keep_the_old_value():
    x = floats(40)
    y = np.zeros_like(x)
    text = body(
        "r = Tensor(shape=(40,), dtype=DataType.FLOAT32, scope=Scope.LOCAL)", "r = a + 1", "old = r", "r = r * 2",
        "r = r + old",
    )  # fmt: skip
    run(text, [x, y])
    np.testing.assert_array_equal(y, (x + 1) * 2 + (x + 1))


@pytest.mark.parametrize("trips", [0, 1, 2, 5])
def test_a_loop_rebinds_a_name(trips):
    x = floats(40)
    y = np.zeros_like(x)
    text = body("r = a + 0", "old = r", f"for i in range({trips}):", "    r = r * 2", "r = r + old")
    run(text, [x, y])
    np.testing.assert_array_equal(y, x * F32(2**trips) + x)


def test_a_loop_swaps_names():
    x = floats(40)
    y = np.zeros_like(x)
    text = body("b = a * 2", "c = a * 3", "for i in range(3):", "    t = b", "    b = c", "    c = t", "r = b - c")
    run(text, [x, y])
    np.testing.assert_array_equal(y, x * F32(3) - x * F32(2))


@pytest.mark.parametrize("count", [3, 7])
def test_branches_on_run_time_conditions(count):
    x = floats(24)
    y = np.zeros_like(x)
    text = body(
        "r = a * 1", "if n > 5:", "    r = r + a", "else:", "    r = r * 10", "if n == 3:", "    r = r - 1",
        params="x: Tensor, n: int, y: Tensor",
    )  # fmt: skip
    run(text, [x, count, y])
    np.testing.assert_array_equal(y, x + x if count > 5 else x * F32(10) - F32(1))


def test_elements_in_a_scalar_stage():
    x = floats(16)
    y = np.zeros_like(x)
    text = f"""{HEADER}
def kernel(x: Tensor, y: Tensor):
    a = x.to_local()
    PipeStage.start(PipeStage.SCALAR)
    first = a[0]
    a[3] = first + a[1]
    a[4] = 7
    PipeStage.end(PipeStage.SCALAR)
    PipeStage.start(PipeStage.VECTOR)
    r = a * first
    PipeStage.end(PipeStage.VECTOR)
    y.copy_from(r)
    PipeStage.sync()
"""
    run(text, [x, y])
    changed = x.copy()
    changed[3], changed[4] = x[0] + x[1], 7
    np.testing.assert_array_equal(y, changed * x[0])


def test_softmax_of_rows():
    x = floats(6 * 40).reshape(6, 40)
    y = np.zeros_like(x)
    text = f"""{HEADER}
def kernel(x: Tensor, y: Tensor):
    for row in range(6):
        a = x[row].to_local()
        PipeStage.start(PipeStage.VECTOR)
        top = asc.reduce_max(a)
        PipeStage.end(PipeStage.VECTOR)
        PipeStage.start(PipeStage.SCALAR)
        highest = top[0]
        PipeStage.end(PipeStage.SCALAR)
        PipeStage.start(PipeStage.VECTOR)
        powers = asc.exp(a - highest)
        total = asc.reduce_sum(powers)
        PipeStage.end(PipeStage.VECTOR)
        PipeStage.start(PipeStage.SCALAR)
        weight = total[0]
        PipeStage.end(PipeStage.SCALAR)
        PipeStage.start(PipeStage.VECTOR)
        r = powers / weight
        PipeStage.end(PipeStage.VECTOR)
        y[row].copy_from(r)
    PipeStage.sync()
"""
    run(text, [x, y])
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    np.testing.assert_allclose(y, powers / powers.sum(axis=1, keepdims=True), rtol=1e-5)


@pytest.mark.parametrize("size", [64, 100, 250, 256, 257])
@pytest.mark.parametrize("end", ["stop if stop < n else n", "n if n < stop else stop"])
def test_tiles_with_a_run_time_tail(size, end):
    x = floats(size)
    y = np.zeros_like(x)
    text = f"""{HEADER}
def kernel(x: Tensor, y: Tensor, n: int):
    for i in range((n + 63) // 64):
        start = i * 64
        stop = start + 64
        end = {end}
        a = x[start:end].to_local()
        PipeStage.start(PipeStage.VECTOR)
        r = asc.select(a > 0, a, a * 2)
        PipeStage.end(PipeStage.VECTOR)
        y[start:end].copy_from(r)
    PipeStage.sync()
"""
    run(text, [x, y, size])
    np.testing.assert_array_equal(y, np.where(x > 0, x, x * 2))


def test_rows_of_a_matrix_on_several_cores():
    x = floats(12 * 33).reshape(12, 33)
    y = np.zeros_like(x)
    text = f"""{HEADER}
class RowScale:
    def __init__(self, rows):
        self.rows = rows

    def process(self, x: Tensor, y: Tensor):
        first = asc.get_block_idx() * self.rows
        a = x[first : first + self.rows].to_local()
        r = self.double(a)
        y[first : first + self.rows].copy_from(r)
        PipeStage.sync_all()

    def double(self, part):
        PipeStage.start(PipeStage.VECTOR)
        result = part * 2
        PipeStage.end(PipeStage.VECTOR)
        return result
"""
    run(text, [x, y], [3], cores=4)
    np.testing.assert_array_equal(y, x * 2)


def test_cube_result_used_by_the_vector_unit():
    a = RNG.integers(-3, 4, (20, 30)).astype(np.float16)
    b = RNG.integers(-3, 4, (30, 17)).astype(np.float16)
    c, y = np.zeros((20, 17), np.float32), np.zeros((20, 17), np.float32)
    text = f"""{HEADER}
from asc import matmul
def kernel(a: Tensor, b: Tensor, c: Tensor, y: Tensor):
    PipeStage.start(PipeStage.CUBE)
    matmul(a, b, c, 20, 17, 30)
    PipeStage.end(PipeStage.CUBE)
    PipeStage.sync()
    t = c.to_local()
    PipeStage.start(PipeStage.VECTOR)
    r = asc.relu(t)
    PipeStage.end(PipeStage.VECTOR)
    y.copy_from(r)
    PipeStage.sync()
"""
    run(text, [a, b, c, y])
    np.testing.assert_array_equal(y, np.maximum(a.astype(F32) @ b.astype(F32), 0))


def test_matmul_narrows_its_result():
    a = RNG.integers(-3, 4, (16, 16)).astype(np.float16)
    c = np.zeros((16, 16), np.float16)
    text = f"{HEADER}def kernel(a: Tensor, c: Tensor):\n    PipeStage.start(PipeStage.CUBE)\n    asc.matmul(a, a, c, 16, 16, 16)\n    PipeStage.end(PipeStage.CUBE)\n    PipeStage.sync()\n"  # noqa: E501
    run(text, [a, c])
    np.testing.assert_array_equal(c, (a.astype(F32) @ a.astype(F32)).astype(np.float16))


def test_buffers_share_memory_when_they_must():
    x = floats(20_000)
    y = np.zeros_like(x)
    lines = ["b = a * 2", "c = b + 1", "d = c * 3", "e = d - 5", "r = e * 0.5"]
    run(body(*lines), [x, y])
    np.testing.assert_array_equal(y, ((x * 2 + 1) * 3 - 5) * F32(0.5))
