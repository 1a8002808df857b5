# SPDX-License-Identifier: Apache-2.0
"""`expand-matmul`: any sizes, exact on small integers, tiles that fit the chip."""

from __future__ import annotations

import numpy as np
import pytest
from asclens_compiler.hardware.chips import targets
from asclens_compiler.hardware.pipes import Memory
from asclens_compiler.passes.expand_matmul import tile_sizes
from hypothesis import given, settings
from hypothesis import strategies as st
from staged_harness import HEADER, compile_text, run

TEXT = f"""{HEADER}
class Product:
    def __init__(self, m, n, k):
        self.m, self.n, self.k = m, n, k

    def process(self, a: Tensor, b: Tensor, c: Tensor):
        PipeStage.start(PipeStage.CUBE)
        asc.matmul(a, b, c, self.m, self.n, self.k)
        PipeStage.end(PipeStage.CUBE)
        PipeStage.sync()
"""


def check(dtype: str, m: int, n: int, k: int) -> None:
    rng = np.random.default_rng(m * 10_007 + n * 101 + k)
    a = rng.integers(-4, 5, (m, k)).astype(dtype)
    b = rng.integers(-4, 5, (k, n)).astype(dtype)
    c = np.zeros((m, n), np.float32)
    run(TEXT, [a, b, c], [m, n, k])
    np.testing.assert_array_equal(c, a.astype(np.float64) @ b.astype(np.float64))


@settings(max_examples=20)
@given(st.sampled_from(["float16", "float32"]), *[st.integers(1, 70)] * 3)
def test_small_products(dtype, m, n, k):
    check(dtype, m, n, k)


@pytest.mark.parametrize("dtype", ["float16", "float32"])
@pytest.mark.parametrize(("m", "n", "k"), [(129, 1, 300), (257, 130, 16), (1, 300, 700), (130, 129, 131)])
def test_products_of_several_tiles(dtype, m, n, k):
    check(dtype, m, n, k)


@pytest.mark.parametrize("element_bytes", [2, 4])
def test_two_tiles_of_each_kind_fit(element_bytes):
    for target in targets().values():
        tiles = tile_sizes(target, element_bytes)
        assert 2 * tiles.m * tiles.k * element_bytes <= target.memory_bytes(Memory.L0A)
        assert 2 * tiles.k * tiles.n * element_bytes <= target.memory_bytes(Memory.L0B)
        assert 2 * tiles.m * tiles.n * 4 <= target.memory_bytes(Memory.L0C)
        assert min(tiles.m, tiles.n, tiles.k) >= 16


def test_nothing_of_the_macro_is_left():
    square = np.zeros((32, 32), np.float16)
    compiled = compile_text(TEXT, [square, square, np.zeros((32, 32), np.float32)], [32, 32, 32])
    (program,) = compiled.unit.decode()
    names = {getattr(node, "name", "") for node in program.walk()}
    assert {"data_copy_nd2nz", "load_data_l0", "mmad", "fixpipe", "pipe_m"} <= names
    assert not {"matmul", "local_tensor_auto", "stage_start", "stage_end"} & names
