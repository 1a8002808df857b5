# SPDX-License-Identifier: Apache-2.0
"""Cycles of instructions, from the cost rows of the opset and the copy paths."""

from __future__ import annotations

from functools import cache

from asclens_compiler.hardware.paths import copy_path
from asclens_compiler.hardware.pipes import Memory, Pipe
from asclens_compiler.opset.model import OpRow

ISSUE_CYCLES = 1  # one scalar instruction or one issue slot (camodel samples)
FLOOR_CYCLES = 3  # shortest vector instruction in a busy pipe (measured tables of Ascend/mskpp for 910B1)
# The default of the pto-isa cost model for an op without a row of its own.
DEFAULT_HEAD, DEFAULT_SLOPE, REPEAT_BYTES = 6, 2.0, 256


@cache
def _path_cycles(ends: tuple[Memory, Memory], nbytes: int) -> int:
    path = copy_path(*ends)
    return path.cycles(nbytes) if path is not None else 0


def duration(row: OpRow, pipe: Pipe, path: tuple[Memory, Memory] | None, nbytes: int) -> tuple[int, int]:
    """Return cycles of one execution in a busy pipe and in an idle one.

    A copy takes what its path takes. A vector instruction pays its head (which stands
    for head and tail) only when the pipe was idle.
    """
    if path is not None:
        cycles = _path_cycles(path, nbytes)
        if cycles:
            return cycles, cycles
    if pipe is Pipe.S:
        return ISSUE_CYCLES, ISSUE_CYCLES
    cost = row.cost
    head = cost.head if cost is not None else DEFAULT_HEAD
    slope = cost.per_unit if cost is not None else DEFAULT_SLOPE
    unit = cost.unit_bytes if cost is not None else REPEAT_BYTES
    stream = max(FLOOR_CYCLES, round(slope * -(-nbytes // unit)))
    return stream, stream + head
