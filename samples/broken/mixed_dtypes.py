# SPDX-License-Identifier: Apache-2.0
"""Two tensors of different element types in one operator.

Expects: ASC140 from check, where marked.
"""

import asc
import numpy as np
from asc import PipeStage, Tensor


def add(x: Tensor, y: Tensor, z: Tensor):
    x_local = x.to_local()
    y_local = y.to_local()
    PipeStage.start(PipeStage.VECTOR)
    z_local = x_local + y_local  # defect
    PipeStage.end(PipeStage.VECTOR)
    z.copy_from(z_local)
    PipeStage.sync()


if __name__ == "__main__":
    x = np.ones(256, np.float32)
    y = np.ones(256, np.float16)
    asc.launch(add, x, y, np.zeros_like(x))
