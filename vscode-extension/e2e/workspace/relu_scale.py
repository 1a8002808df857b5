# SPDX-License-Identifier: Apache-2.0
"""A staged operator; the test takes a stage marker away and puts it back."""

from asc import DataType, PipeStage, Scope, Tensor

# asclens: run ReluScale(num_elements=1024) x=rand(1024) scale=2.0 y=zeros(1024)


class ReluScale:
    def __init__(self, num_elements):
        self.num_elements = num_elements

    def process(self, x: Tensor, scale: float, y: Tensor):
        x_local = x.to_local()
        y_local = Tensor(shape=(self.num_elements,), dtype=DataType.FLOAT32, scope=Scope.LOCAL)
        mask = x_local > 0
        x_relu = x_local * mask.to(dtype=DataType.FLOAT32)
        y_local = x_relu * scale
        PipeStage.end(PipeStage.VECTOR)
        y.copy_from(y_local)
        PipeStage.sync()
