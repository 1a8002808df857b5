# SPDX-License-Identifier: Apache-2.0
"""A kernel that computes for very long, and one that waits for a flag nobody sets."""

import sys
import threading
import time

import asc
import numpy as np


@asc.jit
def spin(x: asc.GlobalAddress, rounds: int):
    total = 0
    for turn in range(rounds):
        total = total + turn  # @k.turn
    asc.printf("%d\n", total)


@asc.jit
def stuck(x: asc.GlobalAddress):
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)


def other():
    ticks = 0
    while True:
        ticks += 1  # @other.tick
        time.sleep(0.02)


if "thread" in sys.argv:
    threading.Thread(target=other, name="ticker", daemon=True).start()
x = np.zeros(8, dtype=np.float32)
print("start")
try:
    if "stuck" in sys.argv:
        stuck[1](x)
    else:
        spin[1](x, 1_000_000_000)
except RuntimeError as error:
    print("caught", str(error).splitlines()[0])
print("end")  # @end
