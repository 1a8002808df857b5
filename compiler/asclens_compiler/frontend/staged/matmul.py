# SPDX-License-Identifier: Apache-2.0
"""The `matmul` macro: checks of its arguments, and its op."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from asclens_compiler.frontend.rules import staged_dtypes, staged_operator
from asclens_compiler.frontend.scalars import Scalar
from asclens_compiler.frontend.staged.extents import elems_of, shape_text, sizes_of
from asclens_compiler.frontend.staged.tensors import GlobalTensor
from asclens_compiler.frontend.static import NONE, StaticValue
from asclens_compiler.frontend.values import POISON, KernelValue
from asclens_compiler.hardware.dtypes import DType

if TYPE_CHECKING:
    from asclens_compiler.ascir.values import IRValue
    from asclens_compiler.frontend.context import Context
    from asclens_compiler.source.span import Span

# Inputs -> results: the accumulator is float32, fixpipe narrows it on the way out.
RESULTS = {
    DType.FLOAT16: (DType.FLOAT32, DType.FLOAT16),
    DType.BFLOAT16: (DType.FLOAT32, DType.BFLOAT16),
    DType.FLOAT32: (DType.FLOAT32,),
}


def matmul(ctx: Context, values: Mapping[str, KernelValue], span: Span) -> KernelValue:
    """Multiply global tensors: m rows of a, n columns of b, k common, into c."""
    tensors: list[GlobalTensor] = []
    for name in ("a", "b", "c"):
        value = values[name]
        if not isinstance(value, GlobalTensor):
            instead = f"`{name}` stays in global memory; `matmul` tiles it through L1 and L0 by itself."
            return ctx.fail(
                staged_operator.RULE.report(span, operation="matmul", operands=value.describe(), instead=instead)
            )
        tensors.append(value)
    if not _types_fit(ctx, tensors, span) or not _shapes_fit(ctx, tensors, values, span):
        return POISON
    numbers = [_number(ctx, name, values[name], span) for name in ("m", "n", "k")]
    if any(number is None for number in numbers):
        return POISON
    operands = [tensor.handle for tensor in tensors] + [number for number in numbers if number is not None]
    ctx.builder.op("matmul", operands, span=span)
    return NONE


def _number(ctx: Context, name: str, value: KernelValue, span: Span) -> IRValue | None:
    if isinstance(value, StaticValue) and isinstance(value.value, int) and value.value > 0:
        return ctx.builder.constant(value.value, DType.INT32, span)
    if isinstance(value, Scalar) and not value.dtype.is_float:
        return ctx.builder.cast(value.value, DType.INT32, span)
    ctx.not_supported(f"`{name}` of `matmul` is a positive integer, not {value.describe()}", span)
    return None


def _types_fit(ctx: Context, tensors: list[GlobalTensor], span: Span) -> bool:
    a, b, c = (tensor.dtype for tensor in tensors)
    if DType.UNKNOWN in (a, b, c):
        return True
    if a is not b:
        ctx.fail(staged_dtypes.RULE.report(span, operation="matmul", left=a.value, right=b.value, wanted=a.name))
        return False
    results = RESULTS.get(a)
    if results is None or c not in results:
        allowed = "; ".join(
            f"{source.value} gives {' or '.join(target.value for target in targets)}"
            for source, targets in RESULTS.items()
        )
        ctx.fail(
            staged_operator.RULE.report(
                span, operation="matmul", operands=f"{a.value} inputs and a {c.value} result",
                instead=f"Combinations that exist: {allowed}.",
            )
        )  # fmt: skip
        return False
    return True


def _shapes_fit(ctx: Context, tensors: list[GlobalTensor], values: Mapping[str, KernelValue], span: Span) -> bool:
    numbers = {
        name: value.value if isinstance(value, StaticValue) and isinstance(value.value, int) else None
        for name, value in values.items()
    }
    for tensor, (rows, columns) in zip(tensors, (("m", "k"), ("k", "n"), ("m", "n")), strict=True):
        first, second = numbers[rows], numbers[columns]
        sizes, count = sizes_of(tensor.shape), elems_of(tensor.shape)
        if first is None or second is None or sizes is None or count is None:
            continue
        if sizes == (first, second) or (len(sizes) == 1 and count >= first * second):
            continue
        ctx.not_supported(
            f"`{tensor.name}` has the shape {shape_text(tensor.shape)} but {rows} x {columns} is {first} x {second}",
            span,
            "`matmul(a, b, c, m, n, k)` takes a of m x k, b of k x n and c of m x n.",
        )
        return False
    return True
