# SPDX-License-Identifier: Apache-2.0
"""Arithmetic on whole tensors: operators, and the one- and two-source functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from asclens_compiler.frontend.rules import staged_operator
from asclens_compiler.frontend.scalars import Scalar
from asclens_compiler.frontend.staged.emit import allocate, halves, reinterpret, vector
from asclens_compiler.frontend.staged.extents import Shape, count_value
from asclens_compiler.frontend.staged.operands import agree, check_dtype, is_scalar, require_local, scalar_operand
from asclens_compiler.frontend.staged.tensors import LocalTensor, MaskTensor, StagedTensor
from asclens_compiler.frontend.static import StaticValue
from asclens_compiler.frontend.values import POISON, KernelValue, Operator
from asclens_compiler.hardware.dtypes import DType

if TYPE_CHECKING:
    from asclens_compiler.ascir.values import IRValue
    from asclens_compiler.frontend.context import Context
    from asclens_compiler.source.span import Span


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """A two-source operation: its vector call, and the one with a scalar (empty when there is none)."""

    symbol: str
    op: str
    scalar_op: str
    commutes: bool = True


ARITHMETIC = {
    "add": Arithmetic("+", "add_l2", "adds_l2"),
    "sub": Arithmetic("-", "sub_l2", "", commutes=False),
    "mul": Arithmetic("*", "mul_l2", "muls_l2"),
    "div": Arithmetic("/", "div_l2", "", commutes=False),
    "maximum": Arithmetic("maximum", "max_l2", "maxs_l2"),
    "minimum": Arithmetic("minimum", "min_l2", "mins_l2"),
}
_OPERATORS = {Operator.ADD: "add", Operator.SUB: "sub", Operator.MUL: "mul", Operator.DIV: "div"}
_BITS = {Operator.AND: "and_l2", Operator.OR: "or_l2"}
_INSTEAD = {
    Operator.FLOORDIV: "Divide with `/` on float tensors, then convert with `.to(dtype=DataType.INT32)`.",
    Operator.MOD: "Write `x - y * q` with `q = (x / y).to(dtype=DataType.INT32)` converted back to float.",
    Operator.POW: "Multiply (`x * x`), or use `exp(ln(x) * p)` for positive x.",
    Operator.MATMUL: "Use `matmul(a, b, c, m, n, k)` on GLOBAL tensors in a CUBE stage.",
    Operator.SHL: "Multiply by a power of two.",
    Operator.SHR: "Divide by a power of two.",
    Operator.XOR: "Combine `&`, `|` and `~`.",
}


def binary(
    ctx: Context, op: Operator, tensor: StagedTensor, other: KernelValue, reflected: bool, span: Span
) -> KernelValue | None:
    """Return `tensor op other`, or `other op tensor` when `reflected`; None when `other` is no operand."""
    if op in _INSTEAD:
        return _refused(ctx, op, span)
    if not isinstance(other, StagedTensor) and not is_scalar(other):
        return None
    if op in _BITS:
        return _bits(ctx, op, tensor, other, span)
    name = _OPERATORS.get(op)
    if name is None:
        return None
    left, right = (other, tensor) if reflected else (tensor, other)
    return arithmetic(ctx, name, left, right, span)


def _refused(ctx: Context, op: Operator, span: Span) -> KernelValue:
    return ctx.fail(staged_operator.RULE.report(span, operation=op.value, operands="tensors", instead=_INSTEAD[op]))


def beside_unknown(ctx: Context, op: Operator, tensor: LocalTensor, span: Span) -> KernelValue:
    """Return a tensor for `tensor op unknown`: the rules see its operation, and nothing can run it."""
    if op in _INSTEAD:
        return _refused(ctx, op, span)
    name = _OPERATORS.get(op)
    if name is None:
        return POISON
    ctx.incomplete = True
    out = allocate(ctx, tensor.dtype, tensor.shape, span)
    operands = [out, tensor.handle, tensor.handle, count_value(ctx, tensor.shape, span)]
    vector(ctx, ARITHMETIC[name].op, operands, span)
    return LocalTensor(out, tensor.dtype, tensor.shape, depth=ctx.blocks)


def arithmetic(ctx: Context, name: str, left: KernelValue, right: KernelValue, span: Span) -> KernelValue:
    """Return the result of a two-source operation in a new tensor; one side may be a number."""
    row = ARITHMETIC[name]
    if is_scalar(left) and is_scalar(right):
        return ctx.not_supported(f"`{name}` needs a tensor", span)
    if is_scalar(left) or is_scalar(right):
        number, other = (left, right) if is_scalar(left) else (right, left)
        tensor = require_local(ctx, row.symbol, other, span)
        if tensor is None or not check_dtype(ctx, row.symbol, row.op, "dst", tensor.dtype, span):
            return POISON
        return _with_scalar(ctx, row, tensor, number, is_scalar(left), span)
    first = require_local(ctx, row.symbol, left, span)
    second = require_local(ctx, row.symbol, right, span)
    if first is None or second is None:
        return POISON
    common = agree(ctx, row.symbol, first, second, span)
    if common is None or not check_dtype(ctx, row.symbol, row.op, "dst", common[0], span):
        return POISON
    dtype, shape = common
    return _emit(ctx, row.op, dtype, shape, [first.handle, second.handle], span)


def _with_scalar(
    ctx: Context, row: Arithmetic, tensor: LocalTensor, number: KernelValue, scalar_first: bool, span: Span
) -> KernelValue:
    dtype, shape = tensor.dtype, tensor.shape
    if row.scalar_op:
        scalar = scalar_operand(ctx, number, dtype, span)
        return POISON if scalar is None else _emit(ctx, row.scalar_op, dtype, shape, [tensor.handle, scalar], span)
    if row.op == "sub_l2" and not scalar_first:
        scalar = _negated(ctx, number, dtype, span)
        return POISON if scalar is None else _emit(ctx, "adds_l2", dtype, shape, [tensor.handle, scalar], span)
    scalar = scalar_operand(ctx, number, dtype, span)
    if scalar is None:
        return POISON
    filled = allocate(ctx, dtype, shape, span)
    vector(ctx, "duplicate_l2", [filled, scalar, count_value(ctx, shape, span)], span)
    sources = [filled, tensor.handle] if scalar_first else [tensor.handle, filled]
    return _emit(ctx, row.op, dtype, shape, sources, span)


def _negated(ctx: Context, number: KernelValue, dtype: DType, span: Span) -> IRValue | None:
    """Return the negative of a number in a tensor's element type: `x - s` is `x + -s` bit for bit."""
    if isinstance(number, StaticValue) and isinstance(number.value, int | float):
        return scalar_operand(ctx, StaticValue(-number.value), dtype, span)
    value = scalar_operand(ctx, number, dtype, span)
    if value is None:
        return None
    negative = Scalar(value, dtype).unary(ctx, Operator.NEG, span)
    return negative.value if isinstance(negative, Scalar) else None


def _emit(ctx: Context, op: str, dtype: DType, shape: Shape | None, sources: list[IRValue], span: Span) -> LocalTensor:
    out = allocate(ctx, dtype, shape, span)
    vector(ctx, op, [out, *sources, count_value(ctx, shape, span)], span)
    return LocalTensor(out, dtype, shape, depth=ctx.blocks)


def unary(ctx: Context, op: Operator, tensor: StagedTensor, span: Span) -> KernelValue | None:
    """Return `-x`, `+x` or `~x`."""
    if op is Operator.POS:
        return tensor
    if op is Operator.INVERT:
        return _invert(ctx, tensor, span)
    if op is not Operator.NEG:
        return None
    local = require_local(ctx, "-", tensor, span)
    if local is None or not check_dtype(ctx, "-", "muls_l2", "dst", local.dtype, span):
        return POISON
    return arithmetic(ctx, "mul", local, StaticValue(-1), span)


def apply(ctx: Context, name: str, op: str, value: KernelValue, span: Span) -> KernelValue:
    """Return the result of a one-source function (`relu`, `exp` ...) in a new tensor."""
    tensor = require_local(ctx, name, value, span)
    if tensor is None or not check_dtype(ctx, name, op, "dst", tensor.dtype, span):
        return POISON
    return _emit(ctx, op, tensor.dtype, tensor.shape, [tensor.handle], span)


def _bits(ctx: Context, op: Operator, tensor: StagedTensor, other: KernelValue, span: Span) -> KernelValue:
    if not isinstance(other, StagedTensor) or isinstance(other, MaskTensor) != isinstance(tensor, MaskTensor):
        return ctx.fail(
            staged_operator.RULE.report(
                span, operation=op.value, operands=f"{tensor.describe()} and {other.describe()}",
                instead="Combine two masks, or two integer tensors.",
            )
        )  # fmt: skip
    if isinstance(tensor, MaskTensor) and isinstance(other, MaskTensor):
        shape = _mask_shape(ctx, op, tensor, other, span)
        return POISON if shape is None else _mask_op(ctx, _BITS[op], tensor, [tensor, other], span)
    first, second = require_local(ctx, op.value, tensor, span), require_local(ctx, op.value, other, span)
    if first is None or second is None:
        return POISON
    common = agree(ctx, op.value, first, second, span)
    if common is None or not _is_integer(ctx, op.value, common[0], span):
        return POISON
    return _integer_op(ctx, _BITS[op], LocalTensor(first.handle, *common), [first.handle, second.handle], span)


def _mask_shape(ctx: Context, op: Operator, left: MaskTensor, right: MaskTensor, span: Span) -> MaskTensor | None:
    same = MaskTensor(right.handle, left.dtype, right.shape)
    return left if agree(ctx, op.value, left, same, span) is not None else None


def _invert(ctx: Context, tensor: StagedTensor, span: Span) -> KernelValue:
    if isinstance(tensor, MaskTensor):
        return _mask_op(ctx, "not_l2", tensor, [tensor], span)
    local = require_local(ctx, "~", tensor, span)
    if local is None or not _is_integer(ctx, "~", local.dtype, span):
        return POISON
    return _integer_op(ctx, "not_l2", local, [local.handle], span)


def _is_integer(ctx: Context, symbol: str, dtype: DType, span: Span) -> bool:
    if dtype.is_int or dtype is DType.UNKNOWN:
        return True
    instead = "Compare first (`x > 0` gives a mask), or convert with `.to(dtype=DataType.INT32)`."
    ctx.fail(staged_operator.RULE.report(span, operation=symbol, operands=f"{dtype.value} tensors", instead=instead))
    return False


def _integer_op(ctx: Context, op: str, like: LocalTensor, sources: list[IRValue], span: Span) -> LocalTensor:
    out = allocate(ctx, like.dtype, like.shape, span)
    target, count = halves(ctx, out, like.shape, like.dtype, span)
    views = [reinterpret(ctx, source, DType.UINT16, span) for source in sources]
    vector(ctx, op, [target, *views, count], span)
    return LocalTensor(out, like.dtype, like.shape, depth=ctx.blocks)


def _mask_op(ctx: Context, op: str, like: MaskTensor, sources: list[MaskTensor], span: Span) -> MaskTensor:
    from asclens_compiler.frontend.staged.comparisons import allocate_mask, mask_words  # noqa: PLC0415  a cycle

    out = allocate_mask(ctx, like.shape, span)
    views = [reinterpret(ctx, item, DType.UINT16, span) for item in (out, *(source.handle for source in sources))]
    vector(ctx, op, [*views, mask_words(ctx, like.shape, span)], span)
    return MaskTensor(out, like.dtype, like.shape)
