# SPDX-License-Identifier: Apache-2.0
"""Softmax of every row of a matrix, staged surface: reductions, scalars read from tensors, several cores.

Run: asclens run samples/staged/row_softmax.py
"""

import asc
import numpy as np
from asc import PipeStage, Tensor, exp, reduce_max, reduce_sum


class RowSoftmax:
    """y[row] = exp(x[row] - max) / sum; each core takes a run of rows."""

    def __init__(self, rows, width, cores):
        self.width = width
        self.rows_per_core = rows // cores

    def process(self, x: Tensor, y: Tensor):
        first = asc.get_block_idx() * self.rows_per_core
        for number in range(self.rows_per_core):
            begin = (first + number) * self.width
            row = x[begin : begin + self.width].to_local()
            PipeStage.start(PipeStage.VECTOR)
            largest = reduce_max(row)
            PipeStage.end(PipeStage.VECTOR)
            PipeStage.start(PipeStage.SCALAR)
            top = largest[0]
            PipeStage.end(PipeStage.SCALAR)
            PipeStage.start(PipeStage.VECTOR)
            powers = exp(row - top)
            total = reduce_sum(powers)
            PipeStage.end(PipeStage.VECTOR)
            PipeStage.start(PipeStage.SCALAR)
            scale = 1.0 / total[0]
            PipeStage.end(PipeStage.SCALAR)
            PipeStage.start(PipeStage.VECTOR)
            result = powers * scale
            PipeStage.end(PipeStage.VECTOR)
            y[begin : begin + self.width].copy_from(result)
        PipeStage.sync()


def reference(x):
    """Return what the kernel must compute, with NumPy."""
    powers = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def main():
    rng = np.random.default_rng(7)
    for rows, width, cores in ((64, 1024, 8), (12, 1000, 4), (3, 77, 1)):
        x = rng.standard_normal((rows, width)).astype(np.float32) * 4
        y = np.zeros_like(x)
        asc.launch(RowSoftmax(rows, width, cores), x.ravel(), y.ravel(), core_num=cores)
        np.testing.assert_allclose(y, reference(x), rtol=2e-6, atol=1e-8)
        np.testing.assert_allclose(y.sum(axis=1), 1, rtol=1e-5)
        print(f"row_softmax {rows} x {width} on {cores} cores: correct")


if __name__ == "__main__":
    main()
