# SPDX-License-Identifier: Apache-2.0
"""Python that no AI Core can run.

Expects: ASC005 from check, where marked.
"""

import asc
import asc.lib.runtime as rt
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    try:  # defect
        x_gm.set_value(0, 1.0)
    except ValueError:
        pass


if __name__ == "__main__":
    kernel[1, rt.current_stream()](np.ones(256, np.float32))
