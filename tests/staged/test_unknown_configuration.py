# SPDX-License-Identifier: Apache-2.0
"""Kernels without a launch in sight: what needs no numbers is checked as with a launch, the rest is silent."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.engine.analysis import check_file
from asclens_compiler.source.text import SourceText
from staged_harness import HEADER, SOC

SAMPLES = sorted((Path(__file__).parents[2] / "samples" / "staged").glob("*.py"))


def found(text: str, file: str = "kernel.py") -> list[tuple[int, str]]:
    """Return line and code of each finding, once."""
    checked = check_file(SourceText(file, text), soc=SOC, facts=False)
    return sorted({(item.span.line, item.code) for item in checked.diagnostics})


def without_host_code(text: str) -> str:
    """Empty the functions that launch, and what calls them; lines keep their numbers."""
    lines = text.split("\n")
    for node in ast.parse(text).body:
        segment = ast.get_source_segment(text, node) or ""
        launches = isinstance(node, ast.FunctionDef) and "asc.launch" in segment
        if launches or (isinstance(node, ast.If) and "__main__" in segment):
            lines[node.lineno - 1 : node.end_lineno] = [""] * (node.end_lineno - node.lineno + 1)
    return "\n".join(lines)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_samples_without_their_launches(path):
    """Taking a stage mark away gives the same findings with and without the launch."""
    known = path.read_text("utf-8")
    unknown = without_host_code(known)
    assert "asc.launch" not in unknown
    assert found(unknown) == []
    for number, line in enumerate(unknown.split("\n")):
        if "PipeStage." not in line:
            continue
        texts = [text.split("\n") for text in (known, unknown)]
        for lines in texts:
            lines[number] = line[: len(line) - len(line.lstrip())] + "pass"
        results = [found("\n".join(lines)) for lines in texts]
        assert results[0] == results[1], line


CONFIGURED = f"""{HEADER}

class Kernel:
    def __init__(self, n, tile, eps, relu, mode):
        self.n, self.tile, self.eps = n, tile, eps
        self.relu = relu
        self.mode = mode
        self.tiles = (n + tile - 1) // tile

    def process(self, x, scale, y):
        for i in range(self.tiles):
            begin = i * self.tile
            rest = self.n - begin
            count = self.tile if self.tile < rest else rest
            source = x[begin : begin + count].to_local()
            total = Tensor(shape=(self.tile,), dtype=DataType.FLOAT32, scope=Scope.LOCAL)
            PipeStage.start(PipeStage.VECTOR)
            total = source * self.eps
            if self.relu:
                total = asc.maximum(total, scale)
            if self.mode == "fast" and not self.relu:
                total = total + 1.0
            flags = total > self.eps
            total = asc.select(flags, total, scale)
            PipeStage.end(PipeStage.VECTOR)
            y[begin : begin + count].copy_from(total)
        PipeStage.sync()
"""


def test_configuration_of_every_kind_stays_silent():
    assert found(CONFIGURED) == []


def test_operations_with_unknown_operands_need_a_stage():
    lines = CONFIGURED.split("\n")
    marks = [number for number, line in enumerate(lines) if "PipeStage.start" in line or "PipeStage.end" in line]
    for number in marks:
        lines[number] = ""
    expected = [
        number
        for number, line in enumerate(lines, 1)
        if any(part in line for part in ("source * self.eps", "asc.maximum", "total + 1.0", "total > self.eps"))
    ]
    assert found("\n".join(lines)) == [(line, "ASC201") for line in expected]


def test_matmul_of_unknown_types_is_checked():
    text = f"""{HEADER}from asc import matmul

class Kernel:
    def __init__(self, m, n, k, tile):
        self.m, self.n, self.k = m, n, k
        self.tile = tile

    def process(self, a: Tensor, b: Tensor, c: Tensor):
        for i in range(self.m // self.tile):
            first = i * self.tile
            matmul(a[first : first + self.tile], b, c[first : first + self.tile], self.tile, self.n, self.k)
"""
    assert found(text) == [(13, "ASC201"), (13, "ASC205")]


def test_a_value_that_is_not_known_fills_a_declared_tensor():
    text = f"""{HEADER}
def kernel(x: Tensor, y: Tensor):
    held = Tensor(shape=(64,), dtype=DataType.FLOAT32, scope=Scope.LOCAL)
    PipeStage.start(PipeStage.VECTOR)
    held = nothing_of_this_name(x)
    held = held + 1.0
    PipeStage.end(PipeStage.VECTOR)
    y.copy_from(held)
    PipeStage.sync()
"""
    checked = check_file(SourceText("kernel.py", text), soc=SOC, facts=False)
    assert [(item.span.line, item.code) for item in checked.diagnostics if item.severity is Severity.ERROR] == [
        (7, "ASC101")
    ]
