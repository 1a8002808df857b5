# SPDX-License-Identifier: Apache-2.0
"""Automatically placed tensors, no flag written by hand: sums, scalars from global memory, softmax, quantisation."""

import asc
import asc.lib.runtime as rt
import numpy as np
from asc.runtime import config

ROWS, WIDTH = 8, 128


@asc.jit(insert_sync=True)
def soft_rows(x: asc.GlobalAddress, bias: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm, bias_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    bias_gm.set_global_buffer(bias)
    z_gm.set_global_buffer(z)
    x_part = asc.LocalTensorAuto(x.dtype, ROWS * WIDTH)
    offset = asc.LocalTensorAuto(x.dtype, ROWS * WIDTH)
    total = asc.LocalTensorAuto(x.dtype, ROWS * 8)
    largest = asc.LocalTensorAuto(x.dtype, ROWS * 8)
    asc.data_copy(x_part, x_gm, count=ROWS * WIDTH)
    asc.duplicate(offset, bias_gm.get_value(0), ROWS * WIDTH)
    asc.add(x_part, x_part, offset, ROWS * WIDTH)
    x_part.set_shape_info(asc.ShapeInfo(asc.array(asc.int32, (ROWS, WIDTH))))
    asc.adv.softmax(x_part, total, largest, x_part, asc.adv.SoftmaxTiling())
    asc.data_copy(z_gm, x_part, count=ROWS * WIDTH)


def test_soft_rows():
    config.set_platform(config.Backend.Model)
    x = np.random.default_rng(3).random((ROWS, WIDTH)).astype(np.float32)
    z = np.zeros_like(x)
    soft_rows[1, rt.current_stream()](x, np.array([0.5] * 8, np.float32), z)
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    np.testing.assert_allclose(z, powers / powers.sum(axis=1, keepdims=True), rtol=1e-5)
