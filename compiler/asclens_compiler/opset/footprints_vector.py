# SPDX-License-Identifier: Apache-2.0
"""Footprints of vector calls that are not a plain mask / repeat / stride form.

Sources: CANN pages of the calls and the CCE guide; results of reductions, sorts and packed
comparisons have units of their own.
"""

from __future__ import annotations

from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.opset.combs import BLOCK_BYTES, REPEAT_BYTES, Comb, Combs, bounding, rows, run
from asclens_compiler.opset.model import FootprintRow
from asclens_compiler.opset.values import OperandValues

_RECORD_BYTES = 8
_SORT_GROUP = 32
_PROPOSALS = 16
_PROPOSAL_ELEMS = 8
_PAIR_RESULT_BYTES = 128


def _size(values: OperandValues, operand: str) -> int | None:
    dtype = values.dtype(operand)
    return None if dtype is None or dtype is DType.UNKNOWN else dtype.size_bytes


def _whole(row: FootprintRow, values: OperandValues) -> Combs | None:
    size = values.size_bytes(row.operand)
    return None if size is None else run(0, size)


def _fixed(row: FootprintRow, values: OperandValues) -> Combs | None:
    del values
    return run(0, int(row.count))


def _packed_repeats(row: FootprintRow, values: OperandValues) -> Combs | None:
    """One bit per element of whole repeats, side by side."""
    repeats, size = values.integer(row.repeat), _size(values, row.widest[0])
    if repeats is None or size is None:
        return None
    return run(0, max(repeats, 0) * (REPEAT_BYTES // size) // 8)


def _select_mask(row: FootprintRow, values: OperandValues) -> Combs | None:
    """The mask bits of a select: one repeat's in register mode, else one per element."""
    size = _size(values, row.widest[0])
    if size is None:
        return None
    if values.attr("selMode") == "VSEL_CMPMASK_SPR":
        return run(0, REPEAT_BYTES // size // 8)
    if not row.repeat:
        count = values.integer(row.count)
        return None if count is None else run(0, (count + 7) // 8)
    return _packed_repeats(row, values)


def _brcb(row: FootprintRow, values: OperandValues) -> Combs | None:
    repeats, size = values.integer("repeatTimes"), _size(values, row.operand)
    if repeats is None or size is None:
        return None
    if row.which == "src0":
        return run(0, max(repeats, 0) * 8 * size)
    return _eight_blocks(values, repeats, "repeatParams")


def _eight_blocks(values: OperandValues, repeats: int, struct: str) -> Combs | None:
    block, repeat = values.member(struct, "dst_blk_stride"), values.member(struct, "dst_rep_stride")
    if block is None or repeat is None:
        return None
    if repeats <= 0:
        return ()
    return (Comb(0, BLOCK_BYTES, 8, (block or 1) * BLOCK_BYTES, repeats, repeat * BLOCK_BYTES),)


def _gatherb_dst(row: FootprintRow, values: OperandValues) -> Combs | None:
    repeats = values.integer(row.repeat)
    return None if repeats is None else _eight_blocks(values, repeats, row.params)


def _gatherb_offsets(row: FootprintRow, values: OperandValues) -> Combs | None:
    repeats = values.integer(row.repeat)
    return None if repeats is None else run(0, max(repeats, 0) * 8 * 4)


def _gather_offsets(row: FootprintRow, values: OperandValues) -> Combs | None:
    """One 32-bit offset per element of whole repeats: an upper bound for any mask."""
    repeats = values.integer(row.repeat)
    size = _size(values, "dst" if row.operand != "dst" else "src")
    if repeats is None or size is None:
        return None
    return run(0, max(repeats, 0) * (REPEAT_BYTES // size) * 4)


def _gather_mask_elems(values: OperandValues) -> tuple[int, int, int] | None:
    """Return (repeats, elements per repeat, element size) of a gather_mask."""
    repeats, size = values.member("params", "repeat_times"), _size(values, "src0")
    reduce_mode, mask = values.integer("reduceMode"), values.integer("mask")
    if repeats is None or size is None or reduce_mode is None or mask is None:
        return None
    return max(repeats, 0), mask if reduce_mode else REPEAT_BYTES // size, size


def _gather_mask_src(row: FootprintRow, values: OperandValues) -> Combs | None:
    del row
    found = _gather_mask_elems(values)
    block, repeat = values.member("params", "src0_block_stride"), values.member("params", "src0_repeat_stride")
    if found is None or block is None or repeat is None:
        return None
    repeats, elems, size = found
    if not repeats:
        return ()
    whole, rest = divmod(elems * size, BLOCK_BYTES)
    step = repeat * BLOCK_BYTES
    combs = (Comb(0, BLOCK_BYTES, whole, block * BLOCK_BYTES, repeats, step),) if whole else ()
    tail = (Comb(whole * block * BLOCK_BYTES, rest, 1, 0, repeats, step),) if rest else ()
    return (*combs, *tail)


def _gather_mask_dst(row: FootprintRow, values: OperandValues) -> Combs | None:
    """At most every element, side by side."""
    del row
    found = _gather_mask_elems(values)
    return None if found is None else run(0, found[0] * found[1] * found[2])


def _gather_mask_pattern(row: FootprintRow, values: OperandValues) -> Combs | None:
    del row
    found = _gather_mask_elems(values)
    stride = values.member("params", "src1_repeat_stride")
    if found is None or stride is None:
        return None
    return rows(0, -(-found[1] // 8), found[0], stride * BLOCK_BYTES)


def _reduce_results(row: FootprintRow, values: OperandValues, unit_bytes: int, written: int) -> Combs | None:
    repeats, stride = values.integer(row.repeat), values.integer(row.rep_stride)
    if repeats is None or stride is None:
        return None
    return rows(0, written, repeats, stride * unit_bytes)


def _whole_reduce(row: FootprintRow, values: OperandValues) -> Combs | None:
    """One value, one index, or both per repeat; the stride counts such results."""
    size = _size(values, row.widest[0])
    if size is None:
        return None
    order = values.attr("order")
    unit = 4 if order == "ORDER_ONLY_INDEX" else size
    if order in ("ORDER_VALUE_INDEX", "ORDER_INDEX_VALUE"):
        unit = 2 * size
    return _reduce_results(row, values, unit, unit)


def _block_reduce(row: FootprintRow, values: OperandValues) -> Combs | None:
    """Eight results per repeat."""
    size = _size(values, row.widest[0])
    return None if size is None else _reduce_results(row, values, 8 * size, 8 * size)


def _pair_reduce(row: FootprintRow, values: OperandValues) -> Combs | None:
    """Half as many results as elements, 128 bytes per repeat."""
    return _reduce_results(row, values, _PAIR_RESULT_BYTES, _PAIR_RESULT_BYTES)


def _reduce(row: FootprintRow, values: OperandValues) -> Combs | None:
    size = _size(values, row.operand)
    if size is None:
        return None
    return run(0, size * (2 if values.present(row.count) and values.integer(row.count) else 1))


def _sort32(row: FootprintRow, values: OperandValues) -> Combs | None:
    repeats, size = values.integer(row.repeat), _size(values, row.operand)
    if repeats is None or size is None:
        return None
    unit = _RECORD_BYTES if row.operand == "dst" else size
    return run(0, max(repeats, 0) * _SORT_GROUP * unit)


def _scores(row: FootprintRow, values: OperandValues) -> Combs | None:
    repeats, size = values.integer(row.repeat), _size(values, row.operand)
    return None if repeats is None or size is None else run(0, max(repeats, 0) * _SORT_GROUP * size)


def _records(row: FootprintRow, values: OperandValues) -> Combs | None:
    repeats = values.integer(row.repeat)
    return None if repeats is None else run(0, max(repeats, 0) * _SORT_GROUP * _RECORD_BYTES)


def _proposals(row: FootprintRow, values: OperandValues) -> Combs | None:
    """Sixteen proposals of eight elements, or sixteen plain elements, per repeat."""
    repeats, size = values.integer(row.repeat), _size(values, row.operand)
    if repeats is None or size is None:
        return None
    plain = (row.function, row.operand) in (("proposal_concat", "src"), ("proposal_extract", "dst"))
    if (row.function, row.operand) == ("proposal_concat", "dst"):
        return _whole(row, values)
    elems = _PROPOSALS if plain else _PROPOSALS * _PROPOSAL_ELEMS
    return run(0, max(repeats, 0) * elems * size)


def _five_hd(row: FootprintRow, values: OperandValues) -> Combs | None:
    """One 32-byte block per repeat of one list item."""
    repeats = values.member("params", "repeat_times")
    stride = values.member("params", "dst_rep_stride" if row.operand == "dstList" else "src_rep_stride")
    if repeats is None or stride is None:
        return None
    return rows(0, BLOCK_BYTES, repeats, stride * BLOCK_BYTES)


def _transpose_ext(row: FootprintRow, values: OperandValues) -> Combs | None:
    found = [values.member("params", name) for name in ("n_size", "c_size", "h_size", "w_size")]
    size = _size(values, row.operand)
    if size is None or any(item is None for item in found):
        return None
    elems = 1
    for item in found:
        elems *= item or 1
    return run(0, max(elems, 256) * size)


def _dump_window(row: FootprintRow, values: OperandValues) -> Combs | None:
    offset, count, size = values.integer("countOff"), values.integer(row.count), _size(values, row.operand)
    if offset is None or count is None or size is None:
        return None
    return run(offset * size, count * size)


def _deq_table(row: FootprintRow, values: OperandValues) -> Combs | None:
    del row, values
    return run(0, 128)


def _bilinear(row: FootprintRow, values: OperandValues) -> Combs | None:
    """Upper bounds: v_repeat results of a repeat each, h_repeat rows of eight offsets and weights."""
    horizontal, vertical = values.integer("hRepeat"), values.integer("vRepeat")
    offset, block = values.integer("vROffset"), values.integer("dstBlkStride")
    if horizontal is None or vertical is None or offset is None or block is None:
        return None
    if row.function == "bilinear_dst":
        combs = (Comb(0, BLOCK_BYTES, 8, block * BLOCK_BYTES, vertical, offset * 2),) if vertical > 0 else ()
        return run(*bounding(combs))
    if row.function == "bilinear_offsets":
        return run(0, horizontal * vertical * 8 * 4)
    weights = 8 if values.integer("repeatMode") else 1
    return run(0, horizontal * vertical * weights * 2)


FUNCTIONS = {
    "fixed_bytes": _fixed,
    "packed_repeats": _packed_repeats,
    "select_mask": _select_mask,
    "brcb": _brcb,
    "gatherb_dst": _gatherb_dst,
    "gatherb_offsets": _gatherb_offsets,
    "gather_offsets": _gather_offsets,
    "gather_mask_dst": _gather_mask_dst,
    "gather_mask_src": _gather_mask_src,
    "gather_mask_pattern": _gather_mask_pattern,
    "whole_reduce_dst": _whole_reduce,
    "block_reduce_dst": _block_reduce,
    "pair_reduce_dst": _pair_reduce,
    "reduce_dst": _reduce,
    "sort32": _sort32,
    "scores32": _scores,
    "records32": _records,
    "proposal_concat": _proposals,
    "proposal_extract": _proposals,
    "rp_sort16": _proposals,
    "five_hd_item": _five_hd,
    "transpose_ext": _transpose_ext,
    "dump_window": _dump_window,
    "deq_table": _deq_table,
    "bilinear_dst": _bilinear,
    "bilinear_offsets": _bilinear,
    "bilinear_weights": _bilinear,
}
