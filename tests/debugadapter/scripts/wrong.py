# SPDX-License-Identifier: Apache-2.0
"""Host script whose kernel does not compile; the launch raises and the script goes on."""

import asc
import numpy as np


@asc.jit
def wrong(x: asc.GlobalAddress):
    asc.no_such_call(x)


y = np.zeros(8, dtype=np.float32)
try:
    wrong[1](y)
except Exception as error:
    print("caught", type(error).__name__)
print("after", y.tolist() == [0.0] * 8)
