# SPDX-License-Identifier: Apache-2.0
"""Which bytes an op touches: footprint rows evaluated on concrete values.

`evaluate` gives None when a value it needs is not known, and an upper bound when the mask comes from
the mask registers (`isSetMask` false, counter mode).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.opset import footprints_copy, footprints_cube, footprints_vector
from asclens_compiler.opset.combs import REPEAT_BYTES, Combs, bounding, run, strided
from asclens_compiler.opset.model import FootprintKind, FootprintRow
from asclens_compiler.opset.values import OperandValues

_WORD_BITS = 64

Custom = Callable[[FootprintRow, OperandValues], Combs | None]
CUSTOM: Mapping[str, Custom] = {
    **footprints_copy.FUNCTIONS,
    **footprints_vector.FUNCTIONS,
    **footprints_cube.FUNCTIONS,
}


def evaluate(row: FootprintRow, values: OperandValues) -> Combs | None:
    """Return the bytes of one operand that an op touches, from the start of its tensor."""
    if not values.present(row.operand):
        return ()
    match row.kind:
        case FootprintKind.COUNT:
            return _count(row, values)
        case FootprintKind.REPEAT:
            return _repeat(row, values)
        case FootprintKind.WHOLE:
            return _whole(row, values)
        case FootprintKind.ELEMENT:
            return _element(row, values)
        case FootprintKind.CUSTOM:
            return CUSTOM[row.function](row, values)


def byte_range(row: FootprintRow, values: OperandValues) -> tuple[int, int] | None:
    """Return the smallest range (start, end) of bytes that holds the footprint."""
    combs = evaluate(row, values)
    return None if combs is None else bounding(combs)


def _known(values: OperandValues, operand: str) -> DType | None:
    dtype = values.dtype(operand)
    return None if dtype is DType.UNKNOWN else dtype


def _whole(row: FootprintRow, values: OperandValues) -> Combs | None:
    size = values.size_bytes(row.operand)
    return None if size is None else run(0, size)


def _count(row: FootprintRow, values: OperandValues) -> Combs | None:
    if not row.count or not values.present(row.count):
        return _whole(row, values)
    count, dtype = values.integer(row.count), _known(values, row.operand)
    if count is None or (dtype is None and not row.packed_bits):
        return None
    bits = 1 if row.packed_bits or dtype is None else dtype.bits
    return run(0, (count * bits + 7) // 8)


def _element(row: FootprintRow, values: OperandValues) -> Combs | None:
    index, dtype = values.integer(row.count), _known(values, row.operand)
    if index is None or dtype is None:
        return None
    return run(index * dtype.size_bytes, dtype.size_bytes)


def _repeat(row: FootprintRow, values: OperandValues) -> Combs | None:
    dtype = _known(values, row.operand)
    sizes = [found.size_bytes for name in row.widest if (found := _known(values, name)) is not None]
    if dtype is None or len(sizes) != len(row.widest):
        return None
    elems = REPEAT_BYTES // max(sizes)
    bits = active_bits(row, values, elems)
    repeats = values.integer(row.repeat) if row.repeat else 1
    blk_stride = _stride(row, values, row.blk_stride, "blk_stride")
    rep_stride = _stride(row, values, row.rep_stride, "rep_stride")
    if bits is None or repeats is None or blk_stride is None or rep_stride is None:
        return None
    return strided(bits, elems, dtype.size_bytes, repeats=repeats, blk_stride=blk_stride, rep_stride=rep_stride)


def _stride(row: FootprintRow, values: OperandValues, name: str, field: str) -> int | None:
    if row.params:
        return values.member(row.params, f"{row.which}_{field}")
    return int(name) if name.isdecimal() else values.integer(name)


def active_bits(row: FootprintRow, values: OperandValues, elems: int) -> int | None:
    """Return the active elements of one repeat as a bit set; all of them when registers decide."""
    everything = (1 << elems) - 1
    if not row.mask or values.attr("isSetMask") is False:
        return everything
    words = values.words(row.mask)
    if words is not None:
        bits = 0
        for position, word in enumerate(words[:2]):
            bits |= (word & ((1 << _WORD_BITS) - 1)) << (position * _WORD_BITS)
        return bits & everything
    count = values.integer(row.mask)
    return None if count is None else (1 << min(max(count, 0), elems)) - 1
