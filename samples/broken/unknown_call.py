# SPDX-License-Identifier: Apache-2.0
"""A call that does not exist, spelled almost like one that does.

Expects: ASC102 from check, where marked.
"""

import asc
import asc.lib.runtime as rt
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 256)
    asc.data_copi(x_local, x_gm, 256)  # defect


if __name__ == "__main__":
    kernel[1, rt.current_stream()](np.ones(256, np.float32))
