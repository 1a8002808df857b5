# SPDX-License-Identifier: Apache-2.0
"""What two operands of a tensor operation have in common: element type, shape, scalars in that type."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from asclens_compiler.frontend.rules import (
    staged_dtypes,
    staged_operator,
    staged_scalar_range,
    staged_shapes,
    staged_unassigned,
)
from asclens_compiler.frontend.scalars import Scalar
from asclens_compiler.frontend.staged import contents
from asclens_compiler.frontend.staged.emit import allowed_dtypes, supports
from asclens_compiler.frontend.staged.extents import Shape, may_agree, merged, shape_text
from asclens_compiler.frontend.staged.tensors import LocalTensor, MaskTensor, StagedTensor
from asclens_compiler.frontend.static import StaticValue
from asclens_compiler.hardware.dtypes import DType

if TYPE_CHECKING:
    from asclens_compiler.ascir.values import IRValue
    from asclens_compiler.frontend.context import Context
    from asclens_compiler.frontend.values import KernelValue
    from asclens_compiler.source.span import Span

_FLOAT_LIMITS = {
    DType.FLOAT16: float(np.finfo(np.float16).max),
    DType.BFLOAT16: 3.3895313892515355e38,
    DType.FLOAT32: float(np.finfo(np.float32).max),
}


def require_local(
    ctx: Context, operation: str, value: KernelValue, span: Span, *, target: bool = False
) -> LocalTensor | None:
    """Return a LOCAL tensor operand; report anything else, and an empty one unless it is the `target`."""
    if isinstance(value, LocalTensor):
        if target:
            contents.stored(ctx, value.handle)
        elif contents.is_empty(ctx, value.handle):
            ctx.fail(staged_unassigned.RULE.report(span, operation=operation))
            return None
        return value
    instead = "Convert it first: `mask.to(dtype=DataType.FLOAT32)`." if isinstance(value, MaskTensor) else (
        "Copy it into UB first: `x_local = x.to_local()`." if isinstance(value, StagedTensor)
        else "Give it a LOCAL tensor."
    )  # fmt: skip
    ctx.fail(staged_operator.RULE.report(span, operation=operation, operands=value.describe(), instead=instead))
    return None


def agree(
    ctx: Context, operation: str, left: StagedTensor, right: StagedTensor, span: Span
) -> tuple[DType, Shape | None] | None:
    """Return the common element type and shape of two tensors; report what differs."""
    if DType.UNKNOWN not in (left.dtype, right.dtype) and left.dtype is not right.dtype:
        wanted = left.dtype if left.dtype.bits >= right.dtype.bits else right.dtype
        ctx.fail(
            staged_dtypes.RULE.report(
                span, operation=operation, left=left.dtype.value, right=right.dtype.value, wanted=wanted.name
            )
        )
        return None
    if not may_agree(left.shape, right.shape):
        texts = (shape_text(left.shape), shape_text(right.shape))
        ctx.fail(staged_shapes.RULE.report(span, operation=operation, left=texts[0], right=texts[1]))
        return None
    dtype = left.dtype if left.dtype is not DType.UNKNOWN else right.dtype
    return dtype, merged(left.shape, right.shape)


def check_dtype(ctx: Context, operation: str, op: str, operand: str, dtype: DType, span: Span) -> bool:
    """Report an element type that the vector call behind an operation does not take."""
    if supports(op, operand, dtype):
        return True
    allowed = allowed_dtypes(op, operand)
    instead = f"It works on {', '.join(allowed)}; convert with `.to(dtype=...)` first."
    ctx.fail(staged_operator.RULE.report(span, operation=operation, operands=f"{dtype.value} tensors", instead=instead))
    return False


def is_scalar(value: KernelValue) -> bool:
    """Tell whether a value is a number."""
    return isinstance(value, Scalar) or (isinstance(value, StaticValue) and isinstance(value.value, int | float))


def scalar_operand(ctx: Context, value: KernelValue, dtype: DType, span: Span) -> IRValue | None:
    """Return a number as a scalar of a tensor's element type; report one that does not fit."""
    if isinstance(value, StaticValue) and isinstance(value.value, int | float):
        number = value.value
        if not fits(number, dtype):
            low, high = limits(dtype)
            ctx.fail(staged_scalar_range.RULE.report(span, number=repr(number), dtype=dtype.value, low=low, high=high))
            return None
        return ctx.builder.constant(float(number) if dtype.is_float else number,
                                    DType.FLOAT32 if dtype is DType.UNKNOWN else dtype, span)  # fmt: skip
    if not isinstance(value, Scalar):
        return None
    if dtype is not DType.UNKNOWN and value.dtype.is_float and not dtype.is_float:
        ctx.fail(
            staged_scalar_range.RULE.report(
                span, number=f"A run-time {value.dtype.value}", dtype=dtype.value, low="whole numbers from "
                f"{limits(dtype)[0]}", high=limits(dtype)[1],
            )
        )  # fmt: skip
        return None
    return ctx.builder.cast(value.value, dtype, span)


def fits(number: float, dtype: DType) -> bool:
    """Tell whether a number is a value of an element type (rounding of fractions aside)."""
    if dtype is DType.UNKNOWN:
        return True
    if dtype.is_float:
        limit = _FLOAT_LIMITS.get(dtype, math.inf)
        return not math.isfinite(number) or abs(number) <= limit
    if isinstance(number, float) and (not math.isfinite(number) or not number.is_integer()):
        return False
    low, high = limits(dtype)
    return low <= number <= high


def limits(dtype: DType) -> tuple[float, float]:
    """Return the least and greatest value of an element type."""
    if dtype.is_float:
        limit = _FLOAT_LIMITS.get(dtype, math.inf)
        return -limit, limit
    bits = dtype.bits
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if dtype.is_signed else (0, (1 << bits) - 1)
