# SPDX-License-Identifier: Apache-2.0
"""Global memory read again while it is still being written.

Expects: ASC206 from check, where marked.
"""

import asc
import numpy as np
from asc import PipeStage, Tensor


def double_twice(x: Tensor, y: Tensor):
    x_local = x.to_local()
    PipeStage.start(PipeStage.VECTOR)
    doubled = x_local + x_local
    PipeStage.end(PipeStage.VECTOR)
    y.copy_from(doubled)
    again = y.to_local()  # defect
    PipeStage.start(PipeStage.VECTOR)
    result = again + again
    PipeStage.end(PipeStage.VECTOR)
    PipeStage.sync()
    y.copy_from(result)
    PipeStage.sync()


if __name__ == "__main__":
    x = np.ones(256, np.float32)
    y = np.zeros_like(x)
    asc.launch(double_twice, x, y)
