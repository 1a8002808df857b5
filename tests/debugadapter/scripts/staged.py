# SPDX-License-Identifier: Apache-2.0
"""Host script that launches a staged operator on two cores."""

import asc
import numpy as np
from asc import DataType, PipeStage, Scope, Tensor

TILE = 128


class ReluScale:
    def __init__(self, tile):
        self.tile = tile

    def process(self, x: Tensor, scale: float, y: Tensor):
        start = asc.get_block_idx() * self.tile  # @k.first
        x_local = x[start : start + self.tile].to_local()  # @k.load
        y_local = Tensor(shape=(self.tile,), dtype=DataType.FLOAT32, scope=Scope.LOCAL)
        PipeStage.start(PipeStage.VECTOR)
        mask = x_local > 0  # @k.mask
        x_relu = x_local * mask.to(dtype=DataType.FLOAT32)  # @k.relu
        y_local = x_relu * scale
        PipeStage.end(PipeStage.VECTOR)
        y[start : start + self.tile].copy_from(y_local)
        PipeStage.sync()


def main():
    x = np.linspace(-1.0, 1.0, 2 * TILE, dtype=np.float32)
    y = np.zeros_like(x)
    asc.launch(ReluScale(TILE), x, 2.0, y, core_num=2)  # @launch
    print("max", float(y.max()))  # @after


main()
