# SPDX-License-Identifier: Apache-2.0
"""Footprints of cube calls: fractals of 512 bytes in L0, 16 x 16 tiles in L0C.

Sources: CANN LoadData, Mmad, Fixpipe pages. A fractal has 16 rows of 32 bytes.
"""

from __future__ import annotations

from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Memory
from asclens_compiler.opset.combs import Combs, rows, run
from asclens_compiler.opset.footprints_copy import fields
from asclens_compiler.opset.model import FootprintRow
from asclens_compiler.opset.values import OperandValues

_FRACTAL_BYTES = 512
_TILE = 16


def _bits(values: OperandValues, operand: str) -> int | None:
    dtype = values.dtype(operand)
    return None if dtype is None or dtype is DType.UNKNOWN else dtype.bits


def _ceil(value: int, unit: int) -> int:
    return -(-value // unit)


def _load_2d(row: FootprintRow, values: OperandValues) -> Combs | None:
    """Fractals at a stride in the source, and with gaps in the destination."""
    found = fields(values, row.params, "start_index repeat_times src_stride dst_gap")
    if found is None:
        return None
    start, repeats, stride, gap = found
    if row.which == "src":
        return rows(start * _FRACTAL_BYTES, _FRACTAL_BYTES, repeats, stride * _FRACTAL_BYTES)
    return rows(0, _FRACTAL_BYTES, repeats, (1 + gap) * _FRACTAL_BYTES)


def _init_const(row: FootprintRow, values: OperandValues) -> Combs | None:
    found = fields(values, row.params, "repeat_times block_num dst_gap")
    memory = values.memory("dst")
    if found is None or memory is None:
        return None
    repeats, blocks, gap = found
    unit = 32 if memory is Memory.L1 else _FRACTAL_BYTES
    return rows(0, blocks * unit, repeats, (blocks + gap) * unit)


def _mmad(row: FootprintRow, values: OperandValues) -> Combs | None:
    """Whole fractals of the operands; a single row of A is plain (GEMV)."""
    found = fields(values, "mmadParams", "m n k")
    bits, source = _bits(values, row.operand), _bits(values, "fm")
    if found is None or bits is None or source is None:
        return None
    m, n, k = found
    if not (m and n and k):
        return ()
    across = 256 // source
    match row.which:
        case "dst":
            return run(0, _ceil(m, _TILE) * _ceil(n, _TILE) * _TILE * _TILE * bits // 8)
        case "fm":
            if m == 1:
                return run(0, _ceil(k, across) * 32)
            return run(0, _ceil(m, _TILE) * _ceil(k, across) * _FRACTAL_BYTES)
        case "filter":
            return run(0, _ceil(n, _TILE) * _ceil(k, across) * _FRACTAL_BYTES)
        case _:
            return run(0, n * bits // 8)


def _fixpipe_src(row: FootprintRow, values: OperandValues) -> Combs | None:
    """Columns of 16 elements, `src_stride` rows apart, once per matrix."""
    names = "n_size m_size src_stride nd_num src_nd_stride"
    found, bits = fields(values, "intriParams", names), _bits(values, row.operand)
    if found is None or bits is None:
        return None
    n, m, stride, matrices, matrix_stride = found
    unit = _TILE * bits // 8
    step = matrix_stride * 1024
    return tuple(
        comb for item in range(max(matrices, 1)) for comb in rows(item * step, m * unit, _ceil(n, _TILE), stride * unit)
    )


def _fixpipe_dst(row: FootprintRow, values: OperandValues) -> Combs | None:
    """Rows of n elements in row-major form, else columns of 16 elements (32-byte stride units)."""
    names = "n_size m_size dst_stride nd_num dst_nd_stride"
    found, bits = fields(values, "intriParams", names), _bits(values, row.operand)
    layout = values.member("fixpipeConfig", "layout")
    if found is None or bits is None or layout is None:
        return None
    n, m, stride, matrices, matrix_stride = found
    if not (n and m):
        return ()
    if layout == 1:
        return tuple(
            comb
            for item in range(max(matrices, 1))
            for comb in rows(item * matrix_stride * bits // 8, n * bits // 8, m, stride * bits // 8)
        )
    return rows(0, m * _TILE * bits // 8, _ceil(n, _TILE), stride * 32)


FUNCTIONS = {
    "load_data_2d": _load_2d,
    "init_const": _init_const,
    "mmad": _mmad,
    "fixpipe_src": _fixpipe_src,
    "fixpipe_dst": _fixpipe_dst,
}
