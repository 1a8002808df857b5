# SPDX-License-Identifier: Apache-2.0
"""Footprints of copies: count, bursts, padding, layout changes.

Sources: CANN DataCopy and DataCopyPad pages, CCE guide copy_gm_to_ubuf(_align), nd2nz. Gaps run from
tail to head in 32-byte blocks, in bytes on the GM side of padding copies; copies into the bias table
count 64 bytes, into the fixpipe buffer 128 bytes from head to head.
"""

from __future__ import annotations

from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Memory
from asclens_compiler.opset.combs import BLOCK_BYTES, Comb, Combs, rows, run
from asclens_compiler.opset.model import FootprintRow
from asclens_compiler.opset.values import OperandValues

_NZ_WIDTH = 16


def _size(values: OperandValues, operand: str) -> int | None:
    dtype = values.dtype(operand)
    return None if dtype is None or dtype is DType.UNKNOWN else dtype.size_bytes


def fields(values: OperandValues, struct: str, names: str) -> tuple[int, ...] | None:
    """Return several fields of a struct operand, or None when one is not known."""
    found = [values.member(struct, name) for name in names.split()]
    known = tuple(item for item in found if item is not None)
    return known if len(known) == len(found) else None


def _whole(row: FootprintRow, values: OperandValues) -> Combs | None:
    size = values.size_bytes(row.operand)
    return None if size is None else run(0, size)


def _count(row: FootprintRow, values: OperandValues) -> Combs | None:
    count, size = values.integer("calCount"), _size(values, row.operand)
    if count is None or size is None:
        return None
    return run(0, count * size // BLOCK_BYTES * BLOCK_BYTES)


def _bursts(row: FootprintRow, values: OperandValues) -> Combs | None:
    struct = "repeatParams" if values.present("repeatParams") else "intriParams"
    found = fields(values, struct, "block_count block_len src_stride dst_stride")
    memory = values.memory("dst")
    if found is None or memory is None:
        return None
    count, length, source_gap, target_gap = found
    if memory is Memory.FB:
        stride = source_gap if row.which == "src" else target_gap
        return rows(0, length * 128, count, stride * 128)
    if memory is Memory.BT and row.which == "dst":
        return rows(0, length * 64, count, (length + target_gap) * 64)
    gap = source_gap if row.which == "src" else target_gap
    if memory is Memory.BT:
        return _bias_source(values, count, length, gap)
    return rows(0, length * BLOCK_BYTES, count, (length + gap) * BLOCK_BYTES)


def _bias_source(values: OperandValues, count: int, length: int, gap: int) -> Combs | None:
    source, target = _size(values, "src"), _size(values, "dst")
    if source is None or target is None:
        return None
    size = length * 64 // target * source
    return rows(0, size, count, size + gap * BLOCK_BYTES)


def _pad(row: FootprintRow, values: OperandValues) -> Combs | None:
    if values.present("nd2nzParams"):
        return _whole(row, values)
    found = fields(values, "dataCopyParams", "block_count block_len src_stride dst_stride")
    memory, size = values.memory(row.operand), _size(values, row.operand)
    if found is None or memory is None or size is None:
        return None
    count, length, source_gap, target_gap = found
    gap = source_gap if row.which == "src" else target_gap
    if memory is Memory.GM:
        return rows(0, length, count, length + gap)
    if row.which == "dst" and values.present("padParams"):
        pads = fields(values, "padParams", "left_padding right_padding")
        if pads is None:
            return None
        length += sum(pads) * size
    blocks = -(-length // BLOCK_BYTES)
    touched = blocks * BLOCK_BYTES if row.which == "dst" else length
    return rows(0, touched, count if length else 0, (blocks + gap) * BLOCK_BYTES)


def _nd2nz(row: FootprintRow, values: OperandValues) -> Combs | None:
    names = "nd_num n_value d_value src_nd_matrix_stride src_d_value dst_nz_c0_stride dst_nz_n_stride"
    found = fields(values, "intriParams", names + " dst_nz_matrix_stride")
    size = _size(values, row.operand)
    if found is None or size is None:
        return None
    matrices, n, d, source_matrix, source_d, c0_stride, n_stride, target_matrix = found
    if not (n and d):
        return ()
    if row.which == "src":
        return tuple(
            comb for item in range(matrices) for comb in rows(item * source_matrix * size, d * size, n, source_d * size)
        )
    chunks = -(-d * size // BLOCK_BYTES)
    return tuple(
        Comb(item * target_matrix * size, BLOCK_BYTES, n, n_stride * BLOCK_BYTES, chunks, c0_stride * BLOCK_BYTES)
        for item in range(matrices)
    )


def _nz2nd(row: FootprintRow, values: OperandValues) -> Combs | None:
    names = "nd_num n_value d_value src_nd_matrix_stride src_n_stride dst_d_stride dst_nd_matrix_stride"
    found = fields(values, "intriParams", names)
    size = _size(values, row.operand)
    if found is None or size is None:
        return None
    matrices, n, d, source_matrix, source_n, target_d, target_matrix = found
    if not (n and d):
        return ()
    if row.which == "dst":
        return tuple(
            comb for item in range(matrices) for comb in rows(item * target_matrix * size, d * size, n, target_d * size)
        )
    width = _NZ_WIDTH * size
    step = source_matrix * _NZ_WIDTH * _NZ_WIDTH * size
    return tuple(
        comb for item in range(matrices) for comb in rows(item * step, n * width, -(-d // _NZ_WIDTH), source_n * width)
    )


def _masked(row: FootprintRow, values: OperandValues) -> Combs | None:
    """Return whole repeats of `copy`: an upper bound for any mask."""
    prefix = row.which
    found = fields(values, "repeatParams", f"{prefix}_stride {prefix}_repeat_size")
    repeats = values.integer("repeatTime")
    if found is None or repeats is None:
        return None
    block, repeat = found
    if repeats <= 0:
        return ()
    return (Comb(0, BLOCK_BYTES, 8, block * BLOCK_BYTES, repeats, repeat * BLOCK_BYTES),)


FUNCTIONS = {
    "data_copy_count": _count,
    "data_copy_bursts": _bursts,
    "data_copy_enhanced": _bursts,
    "data_copy_slice": _whole,
    "data_copy_nd2nz": _nd2nz,
    "data_copy_nz2nd": _nz2nd,
    "data_copy_co12dst": _whole,
    "data_copy_pad": _pad,
    "masked_copy": _masked,
}
