# SPDX-License-Identifier: Apache-2.0
"""Accesses of one executed instruction: bytes on a line of memory."""

from __future__ import annotations

from dataclasses import dataclass

from asclens_compiler.analysis.verifier.numbers import offset_of, terms_of
from asclens_compiler.analysis.verifier.objects import Base, Tensor
from asclens_compiler.analysis.verifier.operands import WalkValues
from asclens_compiler.ascir.program import Op
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Pipe
from asclens_compiler.opset.combs import Comb, Combs, bounding
from asclens_compiler.opset.footprints import evaluate
from asclens_compiler.opset.model import OperandRow, OpRow, Role

READS = frozenset({Role.SRC, Role.INOUT})
WRITES = frozenset({Role.DST, Role.INOUT})
Line = tuple[Base, tuple[tuple[int, int], ...]]
TOUCHED = READS | WRITES
MAX_PIECES = 512


@dataclass(slots=True, eq=False)
class Touch:
    """Bytes `low..high` (exclusive) of `line` that an instruction reads or writes.

    Accesses on different lines are not compared. `combs` are the pieces from `origin` on, None when
    they are not known: then only the first byte is certain. `solid` tells that every byte is touched.
    """

    op: Op
    pipe: Pipe
    number: int
    operand: str
    tensor: Tensor
    line: Line
    origin: int
    low: int
    high: int
    combs: Combs | None
    solid: bool
    read: bool
    write: bool

    def meets(self, other: Touch) -> bool:
        """Tell whether both certainly touch a common byte."""
        if self.low >= other.high or other.low >= self.high:
            return False
        if self.solid and other.solid:
            return True
        if self.combs is None or other.combs is None:
            return True
        return _pieces_meet(self, other)


def _pieces_meet(one: Touch, two: Touch) -> bool:
    """Compare piece by piece; what has too many pieces counts as apart."""
    first, second = _pieces(one), _pieces(two)
    if first is None or second is None:
        return False
    place = 0
    for start, end in first:
        while place < len(second) and second[place][1] <= start:
            place += 1
        if place < len(second) and second[place][0] < end:
            return True
    return False


def _pieces(touch: Touch) -> list[tuple[int, int]] | None:
    if touch.combs is None or sum(comb.blocks * comb.repeats for comb in touch.combs) > MAX_PIECES:
        return None
    found = [(start + touch.origin, end + touch.origin) for comb in touch.combs for start, end in comb.pieces()]
    found.sort()
    return found


def touch_of(
    op: Op, row: OpRow, operand: OperandRow, tensor: Tensor, values: WalkValues, pipe: Pipe, number: int
) -> Touch | None:
    """Return the access of one tensor operand, None for no byte or an unknown place."""
    if tensor.start is None:
        return None
    footprint = next((item for item in row.footprints if item.operand == operand.name), None)
    combs = None
    if footprint is not None and tensor.dtype is not DType.UNKNOWN:
        combs = evaluate(footprint, values)
    if combs == ():
        return None
    low, high = (0, 1) if combs is None else bounding(combs)
    origin = offset_of(tensor.start)
    return Touch(
        op=op,
        pipe=pipe,
        number=number,
        operand=operand.name,
        tensor=tensor,
        line=(tensor.base, terms_of(tensor.start)),
        origin=origin,
        low=origin + low,
        high=origin + high,
        combs=combs,
        solid=combs is not None and len(combs) == 1 and _is_solid(combs[0]),
        read=operand.role in READS,
        write=operand.role in WRITES,
    )


def _is_solid(comb: Comb) -> bool:
    inner = comb.blocks == 1 or comb.block_stride_bytes <= comb.block_bytes
    width = comb.block_bytes + (comb.blocks - 1) * comb.block_stride_bytes
    return inner and (comb.repeats == 1 or comb.repeat_stride_bytes <= width)
