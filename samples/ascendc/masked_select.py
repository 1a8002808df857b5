# SPDX-License-Identifier: Apache-2.0
"""Masked select: the elements above a threshold, packed, and how many they are; Ascend C-level surface.

`compare_scalar` gives one bit per element, `gather_mask` packs the elements whose bit is set.
Run: asclens run samples/ascendc/masked_select.py
"""

import asc
import asc.lib.runtime as rt
import numpy as np
from asc.runtime import config

COUNT = 1024
BYTES = COUNT * 4


@asc.jit
def masked_select(
    x: asc.GlobalAddress, threshold: float, y: asc.GlobalAddress, kept: asc.GlobalAddress, count: asc.ConstExpr[int]
):
    x_gm = asc.GlobalTensor()
    y_gm = asc.GlobalTensor()
    kept_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    y_gm.set_global_buffer(y)
    kept_gm.set_global_buffer(kept)
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, count)
    bits = asc.LocalTensor(asc.uint8, asc.TPosition.VECCALC, BYTES, count // 8)
    words = asc.LocalTensor(asc.uint32, asc.TPosition.VECCALC, BYTES, count // 32)
    y_local = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, BYTES + 256, count)
    number = asc.LocalTensor(asc.int32, asc.TPosition.VECOUT, 2 * BYTES + 256, 8)

    asc.data_copy(x_local, x_gm, count)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.duplicate(y_local, 0.0, count)
    asc.compare_scalar(bits, x_local, threshold, asc.CMPMODE.GT, count)
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    asc.gather_mask(y_local, x_local, words, True, count, asc.GatherMaskParams(1, 1, 8, 8))
    asc.set_flag(asc.HardEvent.V_S, 0)
    asc.wait_flag(asc.HardEvent.V_S, 0)
    number.set_value(0, asc.get_gather_mask_remain_count())
    asc.set_flag(asc.HardEvent.S_MTE3, 0)
    asc.wait_flag(asc.HardEvent.S_MTE3, 0)
    asc.data_copy(y_gm, y_local, count)
    asc.data_copy_pad(kept_gm, number, asc.DataCopyParams(1, 4, 0, 0))


def select(x, threshold):
    """Return the elements above the threshold."""
    y, kept = np.zeros_like(x), np.zeros(1, np.int32)
    masked_select[1, rt.current_stream()](x, threshold, y, kept, x.size)
    assert not y[kept[0] :].any()
    return y[: kept[0]]


def main():
    config.set_platform(config.Backend.Model)
    rng = np.random.default_rng(7)
    x = rng.standard_normal(COUNT).astype(np.float32)
    for threshold in (0.0, 1.5, -9.0, 9.0):
        np.testing.assert_array_equal(select(x, threshold), x[x > threshold])
        print(f"masked_select above {threshold}: {int((x > threshold).sum())} of {COUNT}, correct")


if __name__ == "__main__":
    main()
