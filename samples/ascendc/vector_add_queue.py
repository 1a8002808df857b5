# SPDX-License-Identifier: Apache-2.0
"""Vector addition with TPipe and TQue: double buffering, any length, Ascend C-level surface.

The queues carry the flags. Every core adds the same number of full tiles; the rest, whose bytes need
not be a multiple of 32, is copied by the padding form. Run: asclens run samples/ascendc/vector_add_queue.py
"""

import asc
import asc.lib.runtime as rt
import numpy as np
from asc.runtime import config

CORES = 4
BUFFERS = 2
TILE = 1024


@asc.jit
def vector_add_queue(
    x: asc.GlobalAddress,
    y: asc.GlobalAddress,
    z: asc.GlobalAddress,
    tiles: asc.ConstExpr[int],
    tile: asc.ConstExpr[int],
    rest: asc.ConstExpr[int],
):
    x_gm = asc.GlobalTensor()
    y_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    y_gm.set_global_buffer(y)
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    x_queue = asc.TQue(asc.TPosition.VECIN, BUFFERS)
    y_queue = asc.TQue(asc.TPosition.VECIN, BUFFERS)
    z_queue = asc.TQue(asc.TPosition.VECOUT, BUFFERS)
    pipe.init_buffer(x_queue, BUFFERS, tile * x.dtype.sizeof())
    pipe.init_buffer(y_queue, BUFFERS, tile * x.dtype.sizeof())
    pipe.init_buffer(z_queue, BUFFERS, tile * x.dtype.sizeof())

    core = asc.get_block_idx()
    for number in range(tiles):
        begin = (core * tiles + number) * tile
        x_in = x_queue.alloc_tensor(x.dtype)
        y_in = y_queue.alloc_tensor(x.dtype)
        asc.data_copy(x_in, x_gm[begin:], tile)
        asc.data_copy(y_in, y_gm[begin:], tile)
        x_queue.enque(x_in)
        y_queue.enque(y_in)
        add_tile(x_queue, y_queue, z_queue, x_gm, tile)
        z_out = z_queue.deque(x.dtype)
        asc.data_copy(z_gm[begin:], z_out, tile)
        z_queue.free_tensor(z_out)

    if rest > 0:
        if core == CORES - 1:
            begin = CORES * tiles * tile
            copy = asc.DataCopyParams(1, rest * x.dtype.sizeof(), 0, 0)
            no_padding = asc.DataCopyPadParams(False, 0, 0, 0)
            x_in = x_queue.alloc_tensor(x.dtype)
            y_in = y_queue.alloc_tensor(x.dtype)
            asc.data_copy_pad(x_in, x_gm[begin:], copy, no_padding)
            asc.data_copy_pad(y_in, y_gm[begin:], copy, no_padding)
            x_queue.enque(x_in)
            y_queue.enque(y_in)
            add_tile(x_queue, y_queue, z_queue, x_gm, rest)
            z_out = z_queue.deque(x.dtype)
            asc.data_copy_pad(z_gm[begin:], z_out, copy)
            z_queue.free_tensor(z_out)
            asc.printf("core %d added the last %d elements\\n", core, rest)


@asc.jit
def add_tile(x_queue: asc.TQue, y_queue: asc.TQue, z_queue: asc.TQue, like: asc.GlobalTensor, count: int):
    x_local = x_queue.deque(like.dtype)
    y_local = y_queue.deque(like.dtype)
    z_local = z_queue.alloc_tensor(like.dtype)
    asc.add(z_local, x_local, y_local, count)
    z_queue.enque(z_local)
    x_queue.free_tensor(x_local)
    y_queue.free_tensor(y_local)


def add(x, y):
    """Add two arrays of any size."""
    z = np.zeros_like(x)
    tiles = x.size // (CORES * TILE)
    vector_add_queue[CORES, rt.current_stream()](x, y, z, tiles, TILE, x.size - CORES * tiles * TILE)
    return z


def main():
    config.set_platform(config.Backend.Model)
    rng = np.random.default_rng(7)
    for name, size in (("float32", 16384), ("float32", 8192 + 333), ("float16", 8192 + 5)):
        x = rng.standard_normal(size).astype(name)
        y = rng.standard_normal(size).astype(name)
        np.testing.assert_array_equal(add(x, y), x + y)
        print(f"vector_add_queue {name} x {size}: correct")


if __name__ == "__main__":
    main()
