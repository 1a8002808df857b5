# SPDX-License-Identifier: Apache-2.0
"""Adds two vectors tile by tile; queues and helpers carry the tiles."""

import asc
import numpy as np

CORES, TILES, TILE = 4, 4, 64


@asc.jit
def add(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, length: int, tile: asc.ConstExpr[int]):
    first = asc.get_block_idx() * length  # @k.first
    x_gm, y_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x + first)
    y_gm.set_global_buffer(y + first)
    z_gm.set_global_buffer(z + first)
    pipe = asc.TPipe()
    lefts = asc.TQue(asc.TPosition.VECIN, 2)
    rights = asc.TQue(asc.TPosition.VECIN, 2)
    sums = asc.TQue(asc.TPosition.VECOUT, 2)
    pipe.init_buffer(lefts, 2, tile * x.dtype.sizeof())
    pipe.init_buffer(rights, 2, tile * y.dtype.sizeof())
    pipe.init_buffer(sums, 2, tile * z.dtype.sizeof())
    for number in range(TILES):
        load(number, x_gm, lefts, tile)  # @k.load
        load(number, y_gm, rights, tile)
        compute(z_gm, lefts, rights, sums, tile)  # @k.compute
        store(number, z_gm, sums, tile)  # @k.store


@asc.jit
def load(number: int, source: asc.GlobalTensor, queue: asc.TQue, tile: asc.ConstExpr[int]):
    room = queue.alloc_tensor(source.dtype)  # @load.first
    asc.data_copy(room, source[number * tile :], tile)
    queue.enque(room)


@asc.jit
def compute(target: asc.GlobalTensor, lefts: asc.TQue, rights: asc.TQue, sums: asc.TQue, tile: asc.ConstExpr[int]):
    left = lefts.deque(target.dtype)  # @compute.first
    right = rights.deque(target.dtype)
    total = sums.alloc_tensor(target.dtype)
    asc.add(total, left, right, tile)  # @compute.add
    sums.enque(total)  # @compute.enque
    lefts.free_tensor(left)
    rights.free_tensor(right)


@asc.jit
def store(number: int, target: asc.GlobalTensor, sums: asc.TQue, tile: asc.ConstExpr[int]):
    total = sums.deque(target.dtype)
    asc.data_copy(target[number * tile :], total, tile)
    sums.free_tensor(total)


def main():
    x = np.arange(CORES * TILES * TILE, dtype=np.float32)
    y = np.full_like(x, 0.5)
    z = np.zeros_like(x)
    add[CORES](x, y, z, TILES * TILE, TILE)  # @launch
    print("right", bool((z == x + y).all()))  # @after


main()
