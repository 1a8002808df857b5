# SPDX-License-Identifier: Apache-2.0
"""A tensor is taken from a queue that nothing was put into.

Expects: ASC403 from check, ASC911 from run, where marked.
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
    pipe = asc.TPipe()
    x_queue = asc.TQue(asc.TPosition.VECIN, 2)
    y_queue = asc.TQue(asc.TPosition.VECOUT, 2)
    pipe.init_buffer(x_queue, 2, 1024)
    pipe.init_buffer(y_queue, 2, 1024)
    x_in = x_queue.alloc_tensor(x.dtype)
    asc.data_copy(x_in, x_gm, 256)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    x_local = x_queue.deque(x.dtype)  # defect
    y_local = y_queue.alloc_tensor(x.dtype)
    asc.adds(y_local, x_local, 1.0, 256)
    y_queue.enque(y_local)
    x_queue.free_tensor(x_local)
    y_out = y_queue.deque(x.dtype)
    asc.data_copy(y_gm, y_out, 256)
    y_queue.free_tensor(y_out)


if __name__ == "__main__":
    x = np.ones(256, np.float32)
    y = np.zeros_like(x)
    kernel[1, rt.current_stream()](x, y)
