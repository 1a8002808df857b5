# SPDX-License-Identifier: Apache-2.0
"""Addition of two vectors as a plain function that declares its own tensors, staged surface.

The tensors are bound by name at launch. Run: asclens run samples/staged/elementwise_add.py
"""

import asc
import numpy as np
from asc import DataType, PipeStage, Scope, Tensor


def elementwise_add():
    a = Tensor(shape=(1024,), dtype=DataType.FLOAT32, scope=Scope.GLOBAL)
    b = Tensor(shape=(1024,), dtype=DataType.FLOAT32, scope=Scope.GLOBAL)
    c = Tensor(shape=(1024,), dtype=DataType.FLOAT32, scope=Scope.GLOBAL)
    a_local = a.to_local()
    b_local = b.to_local()
    PipeStage.start(PipeStage.VECTOR)
    c_local = a_local + b_local
    PipeStage.end(PipeStage.VECTOR)
    c.copy_from(c_local)
    PipeStage.sync()


def elementwise_add_half():
    a = Tensor(shape=(777,), dtype=DataType.FLOAT16, scope=Scope.GLOBAL)
    b = Tensor(shape=(777,), dtype=DataType.FLOAT16, scope=Scope.GLOBAL)
    c = Tensor(shape=(777,), dtype=DataType.FLOAT16, scope=Scope.GLOBAL)
    a_local = a.to_local()
    b_local = b.to_local()
    PipeStage.start(PipeStage.VECTOR)
    c_local = a_local + b_local
    PipeStage.end(PipeStage.VECTOR)
    c.copy_from(c_local)
    PipeStage.sync()


def main():
    rng = np.random.default_rng(7)
    for kernel, size, name in ((elementwise_add, 1024, "float32"), (elementwise_add_half, 777, "float16")):
        a = rng.standard_normal(size).astype(name)
        b = rng.standard_normal(size).astype(name)
        c = np.zeros_like(a)
        asc.launch(kernel, a=a, b=b, c=c)
        np.testing.assert_array_equal(c, a + b)
        print(f"{kernel.__name__} {name} x {size}: correct")


if __name__ == "__main__":
    main()
