# SPDX-License-Identifier: Apache-2.0
"""One core, one tile: repeat and bit-mask forms, fills, copies, layouts, image settings."""

import asc
import asc.lib.runtime as rt
import numpy as np
import pytest
from asc.runtime import config

SIZE = 256


@asc.jit
def vector_forms(x: asc.GlobalAddress, z: asc.GlobalAddress, form: asc.ConstExpr[int]):
    x_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    swap = asc.AippSwapParams(is_swap_rb=True)
    asc.set_aipp_functions(x_gm, asc.AippInputFormat.RGB888_U8, asc.AippParams(dtype=asc.int8, swap_params=swap))
    x_part = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, SIZE)
    z_part = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, SIZE * 4, SIZE)
    asc.data_copy(x_part, x_gm, SIZE)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.duplicate(z_part, 1.0, SIZE)
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    strides = asc.BinaryRepeatParams(1, 1, 1, 8, 8, 8)
    if form == 0:
        asc.add(z_part, x_part, x_part, 64, 4, strides)
    elif form == 1:
        asc.add(z_part, x_part, x_part, [2**64 - 1], 4, strides)
    elif form == 2:
        asc.axpy(z_part, x_part, 2.0, SIZE)
    elif form == 3:
        asc.copy(z_part, x_part, 64, 4, asc.CopyRepeatParams(1, 1, 8, 8))
    else:
        asc.sqrt(z_part, x_part, SIZE)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, z_part, SIZE)


REFERENCES = [lambda x: x + x, lambda x: x + x, lambda x: 1 + 2 * x, lambda x: x, np.sqrt]


@pytest.mark.parametrize("form", range(len(REFERENCES)))
def test_vector_forms(form):
    config.set_platform(config.Backend.NPU)
    x = np.random.default_rng(3).random(SIZE).astype(np.float32)
    z = np.zeros_like(x)
    vector_forms[1, rt.current_stream()](x, z, form)
    np.testing.assert_array_equal(z, REFERENCES[form](x))


@asc.jit
def transposed(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    x_part = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 256)
    z_part = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, 1024, 256)
    asc.data_copy(x_part, x_gm, 256)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.transpose(z_part, x_part)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, z_part, 256)


def test_transposed():
    x = np.arange(256, dtype=np.int16).reshape(16, 16)
    z = np.zeros_like(x)
    transposed[1, rt.current_stream()](x, z)
    np.testing.assert_array_equal(z, x.T)
