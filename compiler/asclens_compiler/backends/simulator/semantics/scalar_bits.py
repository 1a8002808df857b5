# SPDX-License-Identifier: Apache-2.0
"""Scalar unit: bit counts, searches and casts of one number, and sizes of sort structures.

Sources: vendor pages under "scalar computation"; GetSortLen and GetSortOffset for float records.
"""

from __future__ import annotations

from asclens_compiler.backends.simulator.semantics.api import OpContext, full
from asclens_compiler.backends.simulator.semantics.convert import RoundMode, round_float
from asclens_compiler.hardware.dtypes import DType

_MASK = (1 << 64) - 1
_FLOATS_PER_RECORD = 2


@full("scalar_count_leading_zero")
def count_leading_zero(ctx: OpContext) -> int:
    """Return the zero bits above the highest 1 of a 64-bit number (64 for 0)."""
    return 64 - (int(ctx.scalar("valueIn")) & _MASK).bit_length()


@full("count_bits_cnt_same_as_sign_bit")
def count_bits_same_as_sign_bit(ctx: OpContext) -> int:
    """Return the bits below the sign bit that equal it, counted from the top; -1 for 0 and -1."""
    value = int(ctx.scalar("valueIn")) & _MASK
    if value in (0, _MASK):
        return -1
    magnitude = ~value & _MASK if value >> 63 else value
    return 63 - magnitude.bit_length()


@full("scalar_get_count_of_value")
def get_count_of_value(ctx: OpContext) -> int:
    """Return how many bits of a 64-bit number equal `countValue`."""
    ones = (int(ctx.scalar("valueIn")) & _MASK).bit_count()
    return ones if int(ctx.scalar("countValue")) else 64 - ones


@full("scalar_get_sff_value")
def get_sff_value(ctx: OpContext) -> int:
    """Return the position of the lowest bit that equals `countValue`, or -1."""
    value = int(ctx.scalar("valueIn")) & _MASK
    if not int(ctx.scalar("countValue")):
        value = ~value & _MASK
    return (value & -value).bit_length() - 1


@full("scalar_cast")
def scalar_cast(ctx: OpContext) -> float | int:
    """Convert a float32 number to half or int32 by the rules of `cast`."""
    target = DType(ctx.attr("dtype"))
    result = round_float(float(ctx.scalar("valueIn")), target, RoundMode(ctx.attr("roundMode")))
    return float(result) if target.is_float else int(result)


@full("get_sort_len")
def get_sort_len(ctx: OpContext) -> int:
    """Return the float elements that `elemCount` sort records take."""
    return int(ctx.scalar("elemCount")) * _FLOATS_PER_RECORD


@full("get_sort_offset")
def get_sort_offset(ctx: OpContext) -> int:
    """Return the float elements before sort record `elemOffset`."""
    return int(ctx.scalar("elemOffset")) * _FLOATS_PER_RECORD
