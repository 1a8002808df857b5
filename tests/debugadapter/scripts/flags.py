# SPDX-License-Identifier: Apache-2.0
"""Adds two vectors tile by tile; flags keep the pipes in order."""

import asc
import numpy as np

CORES, TILES, TILE = 4, 4, 64


@asc.jit
def add(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, length: int):
    first = asc.get_block_idx() * length  # @k.first
    x_gm, y_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x + first, length)
    y_gm.set_global_buffer(y + first, length)
    z_gm.set_global_buffer(z + first, length)
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, TILE)
    y_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, TILE * 4, TILE)
    z_local = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, TILE * 8, TILE)
    for tile in range(TILES):
        asc.data_copy(x_local, x_gm[tile * TILE :], TILE)  # @k.copy
        asc.data_copy(y_local, y_gm[tile * TILE :], TILE)
        asc.set_flag(asc.HardEvent.MTE2_V, 0)  # @k.flag
        asc.wait_flag(asc.HardEvent.MTE2_V, 0)
        asc.add(z_local, x_local, y_local, TILE)  # @k.add
        asc.printf("tile %d\n", tile)  # @k.print
        asc.set_flag(asc.HardEvent.V_MTE3, 0)
        asc.wait_flag(asc.HardEvent.V_MTE3, 0)
        asc.data_copy(z_gm[tile * TILE :], z_local, TILE)  # @k.out
        asc.set_flag(asc.HardEvent.MTE3_MTE2, 0)
        asc.wait_flag(asc.HardEvent.MTE3_MTE2, 0)


def main():
    x = np.arange(CORES * TILES * TILE, dtype=np.float32)
    y = np.full_like(x, 0.5)
    z = np.zeros_like(x)
    add[CORES](x, y, z, TILES * TILE)  # @launch
    print("right", bool((z == x + y).all()))  # @after


main()
