# SPDX-License-Identifier: Apache-2.0
"""Matrix product on the cube unit, staged surface: c = a @ b.

`matmul` tiles the product through L1, L0A, L0B and L0C by itself.
Run: asclens run samples/staged/matmul_custom.py
"""

import asc
import numpy as np
from asc import PipeStage, Tensor, matmul


class MatMulCustom:
    """Multiply an m x k by a k x n matrix; both lie in global memory, and so does the result."""

    def __init__(self, m, n, k):
        self.m, self.n, self.k = m, n, k

    def process(self, a: Tensor, b: Tensor, c: Tensor):
        PipeStage.start(PipeStage.CUBE)
        matmul(a, b, c, self.m, self.n, self.k)
        PipeStage.end(PipeStage.CUBE)
        PipeStage.sync()


def main():
    rng = np.random.default_rng(7)
    for name, (m, n, k) in (("float16", (64, 128, 96)), ("float16", (33, 47, 65)), ("float32", (48, 32, 80))):
        a = rng.uniform(-1, 1, (m, k)).astype(name)
        b = rng.uniform(-1, 1, (k, n)).astype(name)
        c = np.zeros((m, n), np.float32)
        asc.launch(MatMulCustom(m, n, k), a, b, c)
        np.testing.assert_allclose(c, a.astype(np.float64) @ b.astype(np.float64), rtol=1e-3, atol=1e-4)
        print(f"matmul_custom {name} {m}x{k} @ {k}x{n}: correct")


if __name__ == "__main__":
    main()
