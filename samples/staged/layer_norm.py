# SPDX-License-Identifier: Apache-2.0
"""Layer normalisation of every row, staged surface: y = (x - mean) / sqrt(variance + epsilon) * gamma + beta.

gamma and beta stay in UB for all rows of a core. Run: asclens run samples/staged/layer_norm.py
"""

import asc
import numpy as np
from asc import PipeStage, Tensor, reduce_sum, sqrt


class LayerNorm:
    """Each core normalises a run of rows."""

    def __init__(self, rows, width, cores, epsilon=1e-5):
        self.width = width
        self.rows_per_core = rows // cores
        self.share = 1.0 / width
        self.epsilon = epsilon

    def process(self, x: Tensor, gamma: Tensor, beta: Tensor, y: Tensor):
        gamma_local = gamma.to_local()
        beta_local = beta.to_local()
        first = asc.get_block_idx() * self.rows_per_core
        for number in range(self.rows_per_core):
            begin = (first + number) * self.width
            row = x[begin : begin + self.width].to_local()
            PipeStage.start(PipeStage.VECTOR)
            mean = reduce_sum(row) * self.share
            PipeStage.end(PipeStage.VECTOR)
            PipeStage.start(PipeStage.SCALAR)
            middle = mean[0]
            PipeStage.end(PipeStage.SCALAR)
            PipeStage.start(PipeStage.VECTOR)
            centred = row - middle
            deviation = sqrt(reduce_sum(centred * centred) * self.share + self.epsilon)
            PipeStage.end(PipeStage.VECTOR)
            PipeStage.start(PipeStage.SCALAR)
            scale = 1.0 / deviation[0]
            PipeStage.end(PipeStage.SCALAR)
            PipeStage.start(PipeStage.VECTOR)
            result = centred * scale * gamma_local + beta_local
            PipeStage.end(PipeStage.VECTOR)
            y[begin : begin + self.width].copy_from(result)
        PipeStage.sync()


def reference(x, gamma, beta, epsilon=1e-5):
    """Return what the kernel must compute, with NumPy."""
    wide = x.astype(np.float64)
    mean, variance = wide.mean(axis=1, keepdims=True), wide.var(axis=1, keepdims=True)
    return (wide - mean) / np.sqrt(variance + epsilon) * gamma + beta


def main():
    rng = np.random.default_rng(7)
    for rows, width, cores in ((32, 768, 8), (6, 500, 2)):
        x = rng.standard_normal((rows, width)).astype(np.float32) * 3 + 1
        gamma, beta = rng.standard_normal((2, width)).astype(np.float32)
        y = np.zeros_like(x)
        asc.launch(LayerNorm(rows, width, cores), x.ravel(), gamma, beta, y.ravel(), core_num=cores)
        np.testing.assert_allclose(y, reference(x, gamma, beta), rtol=1e-5, atol=2e-5)
        print(f"layer_norm {rows} x {width} on {cores} cores: correct")


if __name__ == "__main__":
    main()
