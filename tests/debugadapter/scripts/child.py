# SPDX-License-Identifier: Apache-2.0
"""Runs as a child of another script."""

import sys

doubled = 21 * 2  # @child
print("child has", doubled)
if "launch" in sys.argv:
    import asc
    import numpy as np

    @asc.jit
    def kernel(x: asc.GlobalAddress):
        asc.printf("in the child's kernel\n")

    kernel[1](np.zeros(8, dtype=np.float32))
