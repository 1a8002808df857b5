# SPDX-License-Identifier: Apache-2.0
"""Two hand-placed tensors share bytes of UB, and one overwrites the other.

Expects: ASC310 from check, ASC904 from run, where marked.
"""

import asc
import asc.lib.runtime as rt
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, y: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    y_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 256)
    y_gm.set_global_buffer(y, 256)
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 256)
    other = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 512, 256)  # defect: ASC310
    y_local = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, 2048, 256)
    asc.data_copy(x_local, x_gm, 256)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.duplicate(other, 2.0, 256)
    asc.adds(y_local, x_local, 1.0, 256)  # defect: ASC904
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(y_gm, y_local, 256)


if __name__ == "__main__":
    x = np.ones(256, np.float32)
    y = np.zeros_like(x)
    kernel[1, rt.current_stream()](x, y)
