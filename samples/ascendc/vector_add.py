# SPDX-License-Identifier: Apache-2.0
"""Vector addition with hand-placed tensors and hand-written flags, Ascend C-level surface.

Two slots per tensor let the copies of one tile run while another is added. Each slot has its own
event id, and three flags per slot: data has come (MTE2 to V), sum is ready (V to MTE3), and slot is
free again (MTE3 back to MTE2). Run: asclens run samples/ascendc/vector_add.py
"""

import asc
import asc.lib.runtime as rt
import numpy as np
from asc.runtime import config

CORES = 4
SLOTS = 2


@asc.jit
def vector_add(
    x: asc.GlobalAddress,
    y: asc.GlobalAddress,
    z: asc.GlobalAddress,
    block_length: int,
    tile_length: asc.ConstExpr[int],
    tiles: asc.ConstExpr[int],
):
    offset = asc.get_block_idx() * block_length
    x_gm = asc.GlobalTensor()
    y_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + offset, block_length)
    y_gm.set_global_buffer(y + offset, block_length)
    z_gm.set_global_buffer(z + offset, block_length)

    slot_bytes = tile_length * x.dtype.sizeof()
    tensor_bytes = SLOTS * slot_bytes
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, SLOTS * tile_length)
    y_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, tensor_bytes, SLOTS * tile_length)
    z_local = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, 2 * tensor_bytes, SLOTS * tile_length)

    for slot in range(SLOTS):
        asc.set_flag(asc.HardEvent.MTE3_MTE2, slot)
    for tile in range(tiles):
        slot = tile % SLOTS
        here = slot * tile_length
        asc.wait_flag(asc.HardEvent.MTE3_MTE2, slot)
        asc.data_copy(x_local[here:], x_gm[tile * tile_length :], tile_length)
        asc.data_copy(y_local[here:], y_gm[tile * tile_length :], tile_length)
        asc.set_flag(asc.HardEvent.MTE2_V, slot)
        asc.wait_flag(asc.HardEvent.MTE2_V, slot)
        asc.add(z_local[here:], x_local[here:], y_local[here:], tile_length)
        asc.set_flag(asc.HardEvent.V_MTE3, slot)
        asc.wait_flag(asc.HardEvent.V_MTE3, slot)
        asc.data_copy(z_gm[tile * tile_length :], z_local[here:], tile_length)
        asc.set_flag(asc.HardEvent.MTE3_MTE2, slot)
    for slot in range(SLOTS):
        asc.wait_flag(asc.HardEvent.MTE3_MTE2, slot)
    asc.printf("core %d added %d tiles\\n", asc.get_block_idx(), tiles)


def add(x, y, tile_length):
    """Add two arrays whose size is a multiple of CORES * tile_length."""
    z = np.zeros_like(x)
    block_length = x.size // CORES
    vector_add[CORES, rt.current_stream()](x, y, z, block_length, tile_length, block_length // tile_length)
    return z


def main():
    config.set_platform(config.Backend.Model)
    rng = np.random.default_rng(7)
    for name, size, tile_length in (("float32", 8192, 512), ("float16", 12288, 1024), ("int32", 4096, 256)):
        x = (rng.standard_normal(size) * 100).astype(name)
        y = (rng.standard_normal(size) * 100).astype(name)
        np.testing.assert_array_equal(add(x, y, tile_length), x + y)
        print(f"vector_add {name} x {size}: correct")


if __name__ == "__main__":
    main()
