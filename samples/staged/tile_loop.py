# SPDX-License-Identifier: Apache-2.0
"""A vector far larger than UB, staged surface: tiles, a tail, several cores, and a barrier across cores.

Run: asclens run samples/staged/tile_loop.py
"""

import asc
import numpy as np
from asc import PipeStage, Tensor


class ScaleTiles:
    """y = x * scale. Each core takes one contiguous part, tile by tile; the last core takes the rest too."""

    def __init__(self, total, cores, tile):
        self.tile = tile
        self.tiles_per_core = total // cores // tile
        self.per_core = self.tiles_per_core * tile
        self.rest_begin = cores * self.per_core
        self.rest = total - self.rest_begin
        self.last_core = cores - 1

    def process(self, x: Tensor, scale: float, y: Tensor):
        first = asc.get_block_idx() * self.per_core
        for number in range(self.tiles_per_core):
            begin = first + number * self.tile
            self.one_tile(x[begin : begin + self.tile], scale, y[begin : begin + self.tile])
        if self.rest > 0:
            if asc.get_block_idx() == self.last_core:
                asc.printf("core %d takes the last %d elements\\n", asc.get_block_idx(), self.rest)
                rest_end = self.rest_begin + self.rest
                self.one_tile(x[self.rest_begin : rest_end], scale, y[self.rest_begin : rest_end])
        PipeStage.sync()

    def one_tile(self, source, scale, target):
        source_local = source.to_local()
        PipeStage.start(PipeStage.VECTOR)
        target_local = source_local * scale
        PipeStage.end(PipeStage.VECTOR)
        target.copy_from(target_local)


class AddFromNextCore:
    """y = 2 x, then z[core] = y[core] + y[next core]: the second half needs what another core wrote."""

    def __init__(self, cores, part):
        self.cores = cores
        self.part = part

    def process(self, x: Tensor, y: Tensor, z: Tensor):
        core = asc.get_block_idx()
        begin = core * self.part
        x_local = x[begin : begin + self.part].to_local()
        PipeStage.start(PipeStage.VECTOR)
        doubled = x_local + x_local
        PipeStage.end(PipeStage.VECTOR)
        y[begin : begin + self.part].copy_from(doubled)
        PipeStage.sync_all()
        other = (core + 1) % self.cores * self.part
        next_local = y[other : other + self.part].to_local()
        PipeStage.start(PipeStage.VECTOR)
        total = doubled + next_local
        PipeStage.end(PipeStage.VECTOR)
        z[begin : begin + self.part].copy_from(total)
        PipeStage.sync()


def main():
    rng = np.random.default_rng(7)
    cores = 4
    x = rng.standard_normal(100_003).astype(np.float32)
    y = np.zeros_like(x)
    asc.launch(ScaleTiles(x.size, cores, tile=4096), x, 3.0, y, core_num=cores)
    np.testing.assert_array_equal(y, x * np.float32(3.0))
    print(f"tile_loop {x.size} elements on {cores} cores: correct")

    part = 512
    x = rng.standard_normal(cores * part).astype(np.float32)
    y, z = np.zeros_like(x), np.zeros_like(x)
    asc.launch(AddFromNextCore(cores, part), x, y, z, core_num=cores)
    np.testing.assert_array_equal(z, 2 * x + np.roll(2 * x, -part))
    print(f"add_from_next_core on {cores} cores: correct")


if __name__ == "__main__":
    main()
