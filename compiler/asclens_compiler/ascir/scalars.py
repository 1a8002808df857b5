# SPDX-License-Identifier: Apache-2.0
"""Names and rules of scalar ops: predicates and casts between element types."""

from __future__ import annotations

from asclens_compiler.ascir.typemap import signless
from asclens_compiler.hardware.dtypes import DType

INT_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
FLOAT_PREDICATES = (
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true",
)  # fmt: skip
PREDICATES = {"cmpi": INT_PREDICATES, "cmpf": FLOAT_PREDICATES}
# A change of signedness of an integer: no `arith` op takes unsigned types.
SIGN_CAST = "builtin.unrealized_conversion_cast"
SIGN_CAST_NAME = "arith.bitcast"


def cast_op(source: DType, target: DType) -> str | None:
    """Return the `arith` cast between two scalar types (signless twins), or None when none is needed.

    A float becomes an integer by truncation towards zero; an integer becomes INT1 by comparison
    with zero, which is the caller's business.
    """
    if signless(source) == signless(target):
        return None
    if source.is_float and target.is_float:
        wider = target.bits > source.bits
        return "extf" if wider else "truncf"
    if source.is_float:
        return "fptosi" if target.is_signed else "fptoui"
    unsigned = not source.is_signed or source in (DType.INT1, DType.BOOL)
    if target.is_float:
        return "uitofp" if unsigned else "sitofp"
    if target.bits < source.bits or target in (DType.INT1, DType.BOOL):
        return "trunci"
    return "extui" if unsigned else "extsi"
