# SPDX-License-Identifier: Apache-2.0
"""Kernels that the real frontend and ours must understand alike; launched with typical arguments."""

import asc
import asc.lib.runtime as rt
import numpy as np
from asc.runtime import config

TILE = 64


@asc.jit
def scalar_flow(x: asc.GlobalAddress, n: int, limit: int, scale: float):
    gm = asc.GlobalTensor()
    gm.set_global_buffer(x + asc.get_block_idx() * n, n)
    total = n - 1
    step = n // 4 + n % 3
    for i in range(0, limit, 2):
        total = total + i * step
        if total > limit:
            total = total - limit
        else:
            total = total + 1
        for j in range(3):
            total = total + j
    flag = total == 3 or n < 5
    if flag:
        asc.set_flag(asc.HardEvent.MTE2_V, total)
    ratio = scale * 2.0 - 0.5
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, TILE)
    asc.muls(local, local, ratio, TILE)
    asc.adds(local, local, scale, n)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)


@asc.jit
def while_flow(n: int):
    total = n - 1
    while total > 10:
        total = total - 7
    asc.set_flag(asc.HardEvent.MTE2_V, total)


@asc.jit
def copy_tile(dst: asc.LocalTensor, src: asc.GlobalTensor, offset: int, count: int):
    asc.data_copy(dst, src[offset:], count)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)


@asc.jit
def helper_calls(x: asc.GlobalAddress, y: asc.GlobalAddress, tiles: asc.ConstExpr[int], rows: int):
    source = asc.GlobalTensor()
    source.set_global_buffer(x)
    target = asc.GlobalTensor()
    target.set_global_buffer(y, rows * TILE)
    one = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, TILE)
    two = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, TILE * 4, TILE)
    for tile in range(tiles):
        copy_tile(one, source, tile * TILE, TILE)
        copy_tile(one, source, (tile + 1) * TILE, rows)
        asc.exp(two, one, TILE)
        asc.relu(two, two, TILE)
        asc.max(two, two, one, TILE)
        asc.data_copy(target[tile * TILE :], two, TILE)
    for tile in asc.static_range(3):
        asc.duplicate(one, 1.5, TILE)
        asc.abs(one[tile * 8 :], two[tile * 8 :], 8)


@asc.jit
def queues(x: asc.GlobalAddress, y: asc.GlobalAddress, length: int, tile: asc.ConstExpr[int]):
    pipe = asc.TPipe()
    incoming = asc.TQue(asc.TPosition.VECIN, 2)
    outgoing = asc.TQue(asc.TPosition.VECOUT, 2)
    scratch = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(que=incoming, num=2, len=tile * x.dtype.sizeof())
    pipe.init_buffer(que=outgoing, num=2, len=tile * x.dtype.sizeof())
    pipe.init_buffer(buf=scratch, num=tile * 4)
    source = asc.GlobalTensor()
    source.set_global_buffer(x + asc.get_block_idx() * length, length)
    target = asc.GlobalTensor()
    target.set_global_buffer(y + asc.get_block_idx() * length, length)
    for i in asc.range(length // tile):
        fresh = incoming.alloc_tensor(x.dtype)
        asc.data_copy(fresh, source[i * tile :], tile)
        incoming.enque(fresh)
        ready = incoming.deque(x.dtype)
        result = outgoing.alloc_tensor(x.dtype)
        asc.add(result, ready, ready, tile)
        asc.mul(result, result, ready, tile)
        outgoing.enque(result)
        incoming.free_tensor(ready)
        done = outgoing.deque(x.dtype)
        asc.data_copy(target[i * tile :], done, tile)
        outgoing.free_tensor(done)


@asc.jit
def masks_and_params(x: asc.GlobalAddress):
    one = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 512)
    two = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 2048, 512)
    out = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, 4096, 512)
    params = asc.BinaryRepeatParams(1, 1, 1, 8, 8, 8)
    asc.add(out, one, two, mask=64, repeat_times=4, repeat_params=params)
    asc.sub(out, one, two, mask=[255, 255], repeat_times=2, repeat_params=params)
    asc.muls(out, one, 2.0, mask=32, repeat_times=1, repeat_params=asc.UnaryRepeatParams(1, 1, 8, 8))
    asc.sqrt(out, one, 128)
    asc.set_mask_norm()
    asc.reset_mask()
    value = one.get_value(3)
    out.set_value(0, value)
    asc.printf("value %f\\n", value)
    asc.sync_all()


def main():
    config.set_platform(config.Backend.Model)
    stream = rt.current_stream()
    for name in ("float32", "float16"):
        x = np.zeros(4096, name)
        y = np.zeros(4096, name)
        scalar_flow[4, stream](x, 1024, 100, 0.25)
        queues[4, stream](x, y, 1024, 256)
        masks_and_params[1, stream](x)
    while_flow[1, stream](4)
    helper_calls[1, stream](np.zeros(4096, "float32"), np.zeros(4096, "float32"), 4, 32)


if __name__ == "__main__":
    main()
