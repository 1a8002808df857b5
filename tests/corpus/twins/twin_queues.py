# SPDX-License-Identifier: Apache-2.0
"""Kernels with queues over whole tiles; some sizes leave their arrays on purpose."""

import asc
import asc.lib.runtime as rt
import numpy as np
import pytest
from asc.language.core.struct import Field, Struct, StructField
from asc.runtime import config

CORES, TILE = 4, 256


class Sizes(Struct):
    tiles = Field(dtype=asc.int32)
    tile = Field(dtype=asc.int32)


class Plan(Struct):
    block = Field(dtype=asc.int32)
    sizes = StructField(Sizes)


@asc.jit
def fetch(queue: asc.TQue, source: asc.GlobalTensor, offset: int, tile: int):
    part = queue.alloc_tensor(source.dtype)
    asc.data_copy(part, source[offset:], count=tile)
    queue.enque(part)


@asc.jit
def store(queue: asc.TQue, target: asc.GlobalTensor, offset: int, tile: int):
    part = queue.deque(target.dtype)
    asc.data_copy(target[offset:], part, count=tile)
    queue.free_tensor(part)


@asc.jit
def scaled_sum(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, plan: Plan):
    x_gm, y_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    start = asc.get_block_idx() * plan.block
    x_gm.set_global_buffer(x + start)
    y_gm.set_global_buffer(y + start)
    z_gm.set_global_buffer(z + start)
    pipe = asc.TPipe()
    x_queue = asc.TQue(asc.TPosition.VECIN, 2)
    y_queue = asc.TQue(asc.TPosition.VECIN, 2)
    z_queue = asc.TQue(asc.TPosition.VECOUT, 2)
    bytes_of_tile = TILE * x.dtype.sizeof()
    pipe.init_buffer(que=x_queue, num=2, len=bytes_of_tile)
    pipe.init_buffer(que=y_queue, num=2, len=bytes_of_tile)
    pipe.init_buffer(que=z_queue, num=2, len=bytes_of_tile)
    for number in asc.range(plan.sizes.tiles):
        offset = number * plan.sizes.tile
        fetch(x_queue, x_gm, offset, plan.sizes.tile)
        fetch(y_queue, y_gm, offset, plan.sizes.tile)
        x_part = x_queue.deque(x.dtype)
        y_part = y_queue.deque(x.dtype)
        z_part = z_queue.alloc_tensor(x.dtype)
        asc.add(z_part, x_part, y_part, plan.sizes.tile)
        z_queue.enque(z_part)
        x_queue.free_tensor(x_part)
        y_queue.free_tensor(y_part)
        store(z_queue, z_gm, offset, plan.sizes.tile)


@pytest.mark.parametrize("size", [2048, 1000])
@pytest.mark.parametrize("name", ["float32", "int16"])
def test_scaled_sum(name, size):
    config.set_platform(config.Backend.NPU)
    rng = np.random.default_rng(3)
    x, y = (rng.integers(-99, 99, size).astype(name) for _ in range(2))
    z = np.zeros_like(x)
    block = -(-size // CORES)
    plan = Plan(block=block, sizes=Sizes(tiles=-(-block // TILE), tile=TILE))
    scaled_sum[CORES, rt.current_stream()](x, y, z, plan)
    np.testing.assert_array_equal(z, x + y)
