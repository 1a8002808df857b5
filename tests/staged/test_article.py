# SPDX-License-Identifier: Apache-2.0
"""The three kernels as printed: values, and exactly the expected diagnostics."""

from __future__ import annotations

import numpy as np
import pytest
from asclens_compiler.frontend.driver import analyse_file
from asclens_compiler.source.text import SourceText
from staged_article import ELEMENTWISE_ADD, MATMUL_CUSTOM, RELU_SCALE, apply_edits, without_line
from staged_harness import compile_text, run

RNG = np.random.default_rng(20240601)


@pytest.mark.parametrize("size", [1, 17, 63, 64, 1000, 1024, 4096])
def test_relu_scale_values(size):
    x = RNG.standard_normal(size).astype(np.float32)
    y = np.zeros_like(x)
    run(RELU_SCALE, [x, 0.5, y], [size])
    np.testing.assert_array_equal(y, x * (x > 0) * np.float32(0.5))


def test_relu_scale_has_no_diagnostics():
    x = np.zeros(1024, np.float32)
    assert compile_text(RELU_SCALE, [x, 2.0, x], [1024]).lines == []


@pytest.mark.parametrize("dtype", ["float16", "float32"])
@pytest.mark.parametrize(("m", "n", "k"), [(16, 16, 16), (33, 47, 65), (1, 20, 33), (7, 1, 5), (129, 33, 70)])
def test_matmul_values(dtype, m, n, k):
    a = RNG.uniform(-1, 1, (m, k)).astype(dtype)
    b = RNG.uniform(-1, 1, (k, n)).astype(dtype)
    c = np.zeros((m, n), np.float32)
    run(MATMUL_CUSTOM, [a, b, c], [m, n, k])
    np.testing.assert_allclose(c, a.astype(np.float64) @ b.astype(np.float64), rtol=1e-3, atol=1e-4)


def test_matmul_diagnostics_and_fixes():
    a = np.zeros((32, 32), np.float16)
    c = np.zeros((32, 32), np.float32)
    compiled = compile_text(MATMUL_CUSTOM, [a, a, c], [32, 32, 32])
    assert compiled.lines == [(9, "ASC111"), (9, "ASC205")]
    assert {item.severity.value for item in compiled.diagnostics} == {"advice"}
    fixed = apply_edits(MATMUL_CUSTOM, [edit for item in compiled.diagnostics for edit in item.fixes[0].edits])
    assert compile_text(fixed, [a, a, c], [32, 32, 32]).lines == []


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_elementwise_add_values(dtype):
    text = ELEMENTWISE_ADD.replace("FLOAT32", dtype.upper()).replace("1024", "777")
    a, b = (RNG.standard_normal(777).astype(dtype) for _ in "ab")
    c = np.zeros_like(a)
    run(text, [a, b, c])
    np.testing.assert_array_equal(c, a + b)


def test_elementwise_add_diagnostics_and_fix():
    tensors = {name: np.zeros(1024, np.float32) for name in "abc"}
    compiled = compile_text(ELEMENTWISE_ADD, tensors)
    assert compiled.lines == [(12, "ASC205")]
    fixed = apply_edits(ELEMENTWISE_ADD, compiled.diagnostics[0].fixes[0].edits)
    assert compile_text(fixed, tensors).lines == []


def test_kernels_without_launch_give_the_same_diagnostics():
    for text in (RELU_SCALE, MATMUL_CUSTOM, ELEMENTWISE_ADD):
        found = analyse_file(SourceText("kernel.py", text))
        assert len(found.kernels) == 1
        assert [item.code for item in found.diagnostics] in ([], ["ASC111"])


VECTOR = np.zeros(1024, np.float32)


def test_missing_start():
    compiled = compile_text(without_line(RELU_SCALE, 10), [VECTOR, 2.0, VECTOR], [1024])
    assert compiled.lines == [(14, "ASC203"), (11, "ASC201"), (12, "ASC201"), (13, "ASC201")]


def test_missing_end():
    compiled = compile_text(without_line(RELU_SCALE, 14), [VECTOR, 2.0, VECTOR], [1024])
    assert compiled.lines == [(10, "ASC203")]


def test_missing_start_and_end_can_be_fixed():
    text = without_line(without_line(RELU_SCALE, 10), 14)
    compiled = compile_text(text, [VECTOR, 2.0, VECTOR], [1024])
    assert compiled.lines == [(11, "ASC201"), (12, "ASC201"), (13, "ASC201")]
    fixed = apply_edits(text, compiled.diagnostics[0].fixes[0].edits)
    assert compile_text(fixed, [VECTOR, 2.0, VECTOR], [1024]).lines == []


def test_missing_sync():
    compiled = compile_text(without_line(RELU_SCALE, 16), [VECTOR, 2.0, VECTOR], [1024])
    assert compiled.lines == [(15, "ASC205")]


def test_wrong_unit():
    text = RELU_SCALE.replace("PipeStage.VECTOR", "PipeStage.CUBE")
    compiled = compile_text(text, [VECTOR, 2.0, VECTOR], [1024])
    assert compiled.lines == [(11, "ASC202"), (12, "ASC202"), (13, "ASC202")]


def test_matmul_in_a_vector_stage():
    a = np.zeros((32, 32), np.float16)
    text = MATMUL_CUSTOM.replace("PipeStage.CUBE", "PipeStage.VECTOR")
    assert (9, "ASC202") in compile_text(text, [a, a, np.zeros((32, 32), np.float32)], [32, 32, 32]).lines


def test_other_unit_at_the_end():
    lines = RELU_SCALE.split("\n")
    lines[13] = lines[13].replace("VECTOR", "CUBE")
    compiled = compile_text("\n".join(lines), [VECTOR, 2.0, VECTOR], [1024])
    assert compiled.lines == [(14, "ASC203")]
    fixed = apply_edits("\n".join(lines), compiled.diagnostics[0].fixes[0].edits)
    assert fixed == RELU_SCALE
