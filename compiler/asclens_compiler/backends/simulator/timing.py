# SPDX-License-Identifier: Apache-2.0
"""Cycles of instructions, from the cost rows of the opset, the copy paths and the chip's bandwidth."""

from __future__ import annotations

from asclens_compiler.hardware.chips import Target
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.paths import CopyPath, copy_path
from asclens_compiler.hardware.pipes import Memory, Pipe
from asclens_compiler.opset.model import OpRow

ISSUE_CYCLES = 1  # one scalar instruction or one issue slot (camodel samples)
FLOOR_CYCLES = 3  # shortest vector instruction in a busy pipe (measured tables of Ascend/mskpp for 910B1)
# Shortest copy from or to global memory in a busy pipe: 128-byte copies of 302 MB on 48 cores of a 910B
# take 548 us (asc-devkit, example data_copy), that is 20.6 cycles each.
GM_COPY_FLOOR_CYCLES = 20
# Share of the nominal bandwidth that large copies on all cores reach: 302 MB in 203 us of 1.8 TB/s (same example).
GM_EFFICIENCY = 0.83
# The default of the pto-isa cost model for an op without a row of its own.
CUBE_SIDE, CUBE_BLOCK_BYTES, CUBE_HEAD_CYCLES, CUBE_STREAM_CYCLES = 16, 32, 23, 3
DEFAULT_HEAD, DEFAULT_SLOPE, REPEAT_BYTES = 6, 2.0, 256

Times = tuple[int, int]


def gm_bytes_per_cycle(target: Target, blocks: int, array_bytes: int) -> float:
    """Return what one of `blocks` cores gets of the chip's bandwidth when all copy at once.

    Arrays that fit the L2 cache move at its rate, larger ones at that of global memory.
    """
    fits = array_bytes <= target.l2_bytes and target.l2_bytes_per_second > 0
    rate = target.l2_bytes_per_second if fits else target.gm_bytes_per_second * GM_EFFICIENCY
    return rate / (target.clock_mhz * 1e6) / max(blocks, 1)


def duration(row: OpRow, pipe: Pipe, ends: tuple[Memory, Memory] | None, nbytes: int, gm_rate: float) -> Times:
    """Return cycles of one execution in a busy pipe and in an idle one.

    The latency of a copy and the head and tail of a vector instruction show only when the pipe was
    idle. `ends` are (source, target) of a copy, `gm_rate` bytes per cycle of global memory.
    """
    path = copy_path(*ends) if ends is not None else None
    if path is not None:
        return _copy(path, nbytes, gm_rate)
    if pipe is Pipe.S:
        return ISSUE_CYCLES, ISSUE_CYCLES
    cost = row.cost
    head = cost.head if cost is not None else DEFAULT_HEAD
    slope = cost.per_unit if cost is not None else DEFAULT_SLOPE
    unit = cost.unit_bytes if cost is not None else REPEAT_BYTES
    stream = max(FLOOR_CYCLES, round(slope * -(-nbytes // unit)))
    return stream, stream + head


def _copy(path: CopyPath, nbytes: int, gm_rate: float) -> Times:
    if Memory.GM not in (path.source, path.target):
        stream = max(path.floor_cycles, round(nbytes / path.bytes_per_cycle))
        return stream, path.cycles(nbytes)
    moving = nbytes / min(path.bytes_per_cycle, gm_rate)
    stream = max(GM_COPY_FLOOR_CYCLES, round(moving))
    return stream, max(path.floor_cycles, round(path.head_cycles + moving))


def fractal_times(m: int, n: int, k: int, dtype: DType) -> Times:
    """Return cycles of a cube instruction in a busy pipe and in an idle one.

    One 16 x 32-byte x 16 fractal a cycle, float32 two. Source: Ascend/mskpp, 23 cycles plus one per
    fractal isolated on 910B3, about 3 more than the fractals streamed on 910B1; asc-devkit, hardware
    constraints of architecture 2201.
    """
    depth = CUBE_BLOCK_BYTES * 8 // max(dtype.bits, 1)
    fractals = -(-m // CUBE_SIDE) * -(-n // CUBE_SIDE) * -(-k // depth)
    cycles = fractals * (2 if dtype is DType.FLOAT32 else 1)
    return cycles + CUBE_STREAM_CYCLES, cycles + CUBE_HEAD_CYCLES
