# SPDX-License-Identifier: Apache-2.0
"""GELU in its tanh form, staged surface: tiles with a tail that need not fill 32-byte blocks.

0.5 x (1 + tanh(u)) = x - x / (exp(2 u) + 1) with u = sqrt(2 / pi) (x + 0.044715 x^3).
Run: asclens run samples/staged/gelu.py
"""

import asc
import numpy as np
from asc import PipeStage, Tensor, exp

TWICE_ROOT = 2.0 * (2.0 / 3.141592653589793) ** 0.5
CUBIC = 0.044715


class Gelu:
    """One core walks over the vector tile by tile; the last tile is shorter."""

    def __init__(self, total, tile):
        self.tile = tile
        self.full = total // tile
        self.total = total

    def process(self, x: Tensor, y: Tensor):
        for number in range(self.full):
            begin = number * self.tile
            self.one_tile(x[begin : begin + self.tile], y[begin : begin + self.tile])
        if self.full * self.tile < self.total:
            self.one_tile(x[self.full * self.tile : self.total], y[self.full * self.tile : self.total])
        PipeStage.sync()

    def one_tile(self, source, target):
        part = source.to_local()
        PipeStage.start(PipeStage.VECTOR)
        inner = (part + part * part * part * CUBIC) * TWICE_ROOT
        result = part - part / (exp(inner) + 1.0)
        PipeStage.end(PipeStage.VECTOR)
        target.copy_from(result)


def reference(x):
    """Return what the kernel must compute, with NumPy."""
    wide = x.astype(np.float64)
    return 0.5 * wide * (1 + np.tanh(np.sqrt(2 / np.pi) * (wide + CUBIC * wide**3)))


def main():
    rng = np.random.default_rng(7)
    for total, tile in ((16384, 4096), (10_007, 2048), (100, 2048)):
        x = rng.standard_normal(total).astype(np.float32) * 2
        y = np.zeros_like(x)
        asc.launch(Gelu(total, tile), x, y)
        np.testing.assert_allclose(y, reference(x), rtol=1e-5, atol=1e-6)
        print(f"gelu {total} elements in tiles of {tile}: correct")


if __name__ == "__main__":
    main()
