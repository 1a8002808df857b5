# SPDX-License-Identifier: Apache-2.0
"""Launches a staged operator on two cores and checks the result."""

import sys

import asc
import numpy as np
from asc import DataType, PipeStage, Scope, Tensor

TILE = 256


class ReluScale:
    def __init__(self, tile):
        self.tile = tile

    def process(self, x: Tensor, scale: float, y: Tensor):
        start = asc.get_block_idx() * self.tile
        x_local = x[start : start + self.tile].to_local()
        y_local = Tensor(shape=(self.tile,), dtype=DataType.FLOAT32, scope=Scope.LOCAL)
        asc.printf("core %d starts at %d\n", asc.get_block_idx(), start)
        PipeStage.start(PipeStage.VECTOR)
        mask = x_local > 0
        x_relu = x_local * mask.to(dtype=DataType.FLOAT32)
        y_local = x_relu * scale
        PipeStage.end(PipeStage.VECTOR)
        y[start : start + self.tile].copy_from(y_local)
        PipeStage.sync()


x = np.linspace(-1.0, 1.0, 2 * TILE, dtype=np.float32)
y = np.zeros_like(x)
asc.launch(ReluScale(TILE), x, 2.0, y, core_num=2)
right = bool(np.array_equal(y, np.maximum(x, 0) * np.float32(2)))
print("result right:", right)
sys.exit(0 if right else 1)
