# SPDX-License-Identifier: Apache-2.0
"""Host script with two launches of one kernel; the argument chooses what else goes on."""

import sys
import threading
import time

import asc
import numpy as np

TILE = 64


@asc.jit
def scale(x: asc.GlobalAddress, y: asc.GlobalAddress, factor: float):
    offset = asc.get_block_idx() * TILE  # @k.first
    x_gm = asc.GlobalTensor()
    y_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + offset, TILE)
    y_gm.set_global_buffer(y + offset, TILE)
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, TILE)
    y_local = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, TILE * 4, TILE)
    asc.data_copy(x_local, x_gm, TILE)  # @k.copy
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.muls(y_local, x_local, factor, TILE)  # @k.muls
    asc.printf("scaled by %f\n", factor)  # @k.print
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(y_gm, y_local, TILE)  # @k.last


def other(stop):
    ticks = 0
    while not stop.is_set():
        ticks += 1  # @other.tick
        time.sleep(0.02)


def helper(value):
    doubled = value * 2  # @helper.body
    return doubled  # noqa: RET504


def main():
    mode = sys.argv[1] if len(sys.argv) > 1 else ""
    x = np.arange(2 * TILE, dtype=np.float32)
    y = np.zeros_like(x)
    stop = threading.Event()
    if mode == "thread":
        threading.Thread(target=other, args=(stop,), name="ticker", daemon=True).start()
    scale[2](x, y, 10.0)  # @launch1
    print("first", float(y.sum()))  # @after1
    scale[2](x, y, 3.0)  # @launch2
    print("second", float(y.sum()))  # @after2
    stop.set()
    print("end")  # @end
    if mode == "status":
        sys.exit(7)


main()
