# SPDX-License-Identifier: Apache-2.0
"""A tensor that is larger than UB, copied in one piece.

Expects: ASC301 from check, where marked.
"""

import asc
import numpy as np
from asc import PipeStage, Tensor


def double(x: Tensor, y: Tensor):
    x_local = x.to_local()  # defect
    PipeStage.start(PipeStage.VECTOR)
    y_local = x_local + x_local
    PipeStage.end(PipeStage.VECTOR)
    y.copy_from(y_local)
    PipeStage.sync()


if __name__ == "__main__":
    x = np.ones(100_000, np.float32)
    y = np.zeros_like(x)
    asc.launch(double, x, y)
