# SPDX-License-Identifier: Apache-2.0
"""Copies between global memory and UB: the count form where bytes fill blocks, else the padding form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asclens_compiler.ascir.structs import make_struct
from asclens_compiler.frontend.rules import staged_length
from asclens_compiler.frontend.staged.emit import allocate, copy_local, int32
from asclens_compiler.frontend.staged.extents import Shape, capacity_of, count_value, elems_of
from asclens_compiler.frontend.staged.tensors import GlobalTensor, LocalTensor
from asclens_compiler.frontend.values import KernelValue
from asclens_compiler.hardware.chips import DATA_BLOCK_BYTES
from asclens_compiler.hardware.dtypes import DType

if TYPE_CHECKING:
    from asclens_compiler.ascir.values import IRValue
    from asclens_compiler.frontend.context import Context
    from asclens_compiler.source.span import Span


def to_local(ctx: Context, tensor: GlobalTensor, span: Span) -> KernelValue:
    """Allocate UB for a global tensor and start the copy into it."""
    shape = tensor.shape
    if shape is not None and any(extent.value is not None and extent.bound is None for extent in shape):
        return ctx.fail(staged_length.RULE.report(span))
    handle = allocate(ctx, tensor.dtype, shape, span)
    copy_in(ctx, handle, tensor, shape, span)
    return LocalTensor(handle, tensor.dtype, shape, depth=ctx.blocks)


def copy_in(ctx: Context, target: IRValue, source: GlobalTensor, shape: Shape | None, span: Span) -> None:
    """Copy from global memory into UB."""
    if _fills_blocks(shape, source.dtype):
        operands = [target, source.handle, count_value(ctx, shape, span)]
        ctx.builder.op("data_copy_l2", operands, span=span)
        return
    burst = _burst(ctx, shape, source.dtype, span)
    padding = make_struct(ctx.builder, "DataCopyPadExtParams", span, dtype=source.dtype)
    ctx.builder.op("data_copy_pad_l0_ext", [target, source.handle, burst, padding], span=span)


def copy_out(ctx: Context, target: GlobalTensor, source: LocalTensor, shape: Shape | None, span: Span) -> None:
    """Copy from UB to global memory."""
    if _fills_blocks(shape, source.dtype):
        operands = [target.handle, source.handle, count_value(ctx, shape, span)]
        ctx.builder.op("data_copy_l2", operands, span=span)
        return
    burst = _burst(ctx, shape, source.dtype, span)
    ctx.builder.op("data_copy_pad_l2_ext", [target.handle, source.handle, burst], span=span)


def copy_over(ctx: Context, target: LocalTensor, source: LocalTensor, shape: Shape | None, span: Span) -> None:
    """Copy inside UB."""
    copy_local(ctx, target.handle, source.handle, shape, source.dtype, span)


def _fills_blocks(shape: Shape | None, dtype: DType) -> bool:
    """Tell whether the bytes to copy are a multiple of a block; nothing known counts as yes."""
    if dtype is DType.UNKNOWN or capacity_of(shape) is None:
        return True
    count = elems_of(shape)
    return count is not None and count * dtype.size_bytes % DATA_BLOCK_BYTES == 0


def _burst(ctx: Context, shape: Shape | None, dtype: DType, span: Span) -> IRValue:
    count = elems_of(shape)
    if count is not None:
        return make_struct(ctx.builder, "DataCopyExtParams", span, {"block_len": count * dtype.size_bytes})
    size = int32(ctx, dtype.size_bytes, span)
    length = ctx.builder.arith("muli", [count_value(ctx, shape, span), size], DType.INT32, span)
    return make_struct(ctx.builder, "DataCopyExtParams", span, {"block_len": length})
