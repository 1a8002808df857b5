# SPDX-License-Identifier: Apache-2.0
"""Vector work that lies in no stage.

Expects: ASC201 from check, where marked.
"""

import asc
import numpy as np
from asc import PipeStage, Tensor


def double(x: Tensor, y: Tensor):
    x_local = x.to_local()
    y_local = x_local + x_local  # defect
    y.copy_from(y_local)
    PipeStage.sync()


if __name__ == "__main__":
    x = np.ones(256, np.float32)
    y = np.zeros_like(x)
    asc.launch(double, x, y)
