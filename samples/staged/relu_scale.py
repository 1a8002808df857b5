# SPDX-License-Identifier: Apache-2.0
"""Scaled ReLU of one tile, staged surface: y = max(x, 0) * scale.

Run: asclens run samples/staged/relu_scale.py
"""

import asc
import numpy as np
from asc import DataType, PipeStage, Scope, Tensor


class ReluScale:
    """Keep what is positive and scale it; the whole vector fits into one tile."""

    def __init__(self, num_elements, dtype=DataType.FLOAT32):
        self.num_elements = num_elements
        self.dtype = dtype

    def process(self, x: Tensor, scale: float, y: Tensor):
        x_local = x.to_local()
        y_local = Tensor(shape=(self.num_elements,), dtype=self.dtype, scope=Scope.LOCAL)
        PipeStage.start(PipeStage.VECTOR)
        positive = x_local > 0
        kept = x_local * positive.to(dtype=self.dtype)
        y_local = kept * scale
        PipeStage.end(PipeStage.VECTOR)
        y.copy_from(y_local)
        PipeStage.sync()


def reference(x, scale):
    """Return what the kernel must compute, with NumPy."""
    return np.maximum(x, 0) * x.dtype.type(scale)


def main():
    rng = np.random.default_rng(7)
    for name, size in (("float32", 1024), ("float32", 1000), ("float32", 17), ("float16", 2048), ("float16", 333)):
        x = rng.standard_normal(size).astype(name)
        y = np.zeros_like(x)
        asc.launch(ReluScale(size, DataType(name)), x, 0.5, y)
        np.testing.assert_array_equal(y, reference(x, 0.5))
        print(f"relu_scale {name} x {size}: correct")


if __name__ == "__main__":
    main()
