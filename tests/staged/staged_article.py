# SPDX-License-Identifier: Apache-2.0
"""The three kernels that define the staged surface, as text with fixed line numbers."""

RELU_SCALE = """\
from asc import Tensor, DataType, Scope, PipeStage

class ReluScale:
    def __init__(self, num_elements):
        self.num_elements = num_elements            # compile-time configuration

    def process(self, x: Tensor, scale: float, y: Tensor):
        x_local = x.to_local()                      # allocates UB, starts an asynchronous GM->UB copy
        y_local = Tensor(shape=(self.num_elements,), dtype=DataType.FLOAT32, scope=Scope.LOCAL)
        PipeStage.start(PipeStage.VECTOR)
        mask = x_local > 0
        x_relu = x_local * mask.to(dtype=DataType.FLOAT32)
        y_local = x_relu * scale
        PipeStage.end(PipeStage.VECTOR)
        y.copy_from(y_local)                        # asynchronous UB->GM copy
        PipeStage.sync()
"""

MATMUL_CUSTOM = """\
from asc import Tensor, DataType, PipeStage         # first file; note: matmul is not imported in the article

class MatMulCustom:
    def __init__(self, m, n, k):
        self.m, self.n, self.k = m, n, k             # rows of a, columns of b, common dimension

    def process(self, a: Tensor, b: Tensor, c: Tensor):
        PipeStage.start(PipeStage.CUBE)
        matmul(a, b, c, self.m, self.n, self.k)      # global tensors in, global tensor out
        PipeStage.end(PipeStage.CUBE)                # no final sync in the article
"""

ELEMENTWISE_ADD = """\
from asc import Tensor, DataType, Scope, PipeStage  # second file

def elementwise_add():                               # a function is a kernel too; it declares its own tensors
    a = Tensor(shape=(1024,), dtype=DataType.FLOAT32, scope=Scope.GLOBAL)
    b = Tensor(shape=(1024,), dtype=DataType.FLOAT32, scope=Scope.GLOBAL)
    c = Tensor(shape=(1024,), dtype=DataType.FLOAT32, scope=Scope.GLOBAL)
    a_local = a.to_local()
    b_local = b.to_local()
    PipeStage.start(PipeStage.VECTOR)
    c_local = a_local + b_local
    PipeStage.end(PipeStage.VECTOR)
    c.copy_from(c_local)                             # no final sync in the article
"""


def without_line(text: str, number: int) -> str:
    """Return the text with one line made empty, so that the others keep their numbers."""
    lines = text.split("\n")
    lines[number - 1] = ""
    return "\n".join(lines)


def apply_edits(text: str, edits) -> str:
    """Return the text after the edits of a fix."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    for edit in sorted(edits, key=lambda item: (item.span.line, item.span.column), reverse=True):
        span = edit.span
        first, last = starts[span.line - 1] + span.column - 1, starts[span.end_line - 1] + span.end_column - 1
        text = text[:first] + edit.new_text + text[last:]
    return text
