# SPDX-License-Identifier: Apache-2.0
"""Methods of staged tensors: `to_local`, `copy_from`, `to`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from asclens_compiler.frontend.dtypes import DTypeValue
from asclens_compiler.frontend.rules import staged_operator
from asclens_compiler.frontend.staged.comparisons import mask_to
from asclens_compiler.frontend.staged.copies import copy_out, to_local
from asclens_compiler.frontend.staged.emit import allocate, cast_path, convert
from asclens_compiler.frontend.staged.operands import agree, require_local
from asclens_compiler.frontend.staged.tensors import GlobalTensor, LocalTensor, MaskTensor, StagedTensor
from asclens_compiler.frontend.static import NONE
from asclens_compiler.frontend.values import POISON, KernelValue
from asclens_compiler.hardware.dtypes import DType

if TYPE_CHECKING:
    from asclens_compiler.frontend.context import Context
    from asclens_compiler.source.span import Span

Method = Callable[["Context", StagedTensor, Sequence[KernelValue], Mapping[str, KernelValue], "Span"], KernelValue]


def _to_local(
    ctx: Context, owner: StagedTensor, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
) -> KernelValue:
    if args or kwargs:
        return ctx.not_supported("`to_local` takes no arguments", span, "Slice first: `x[a:b].to_local()`.")
    if not isinstance(owner, GlobalTensor):
        return ctx.not_supported(f"`to_local` copies a GLOBAL tensor, not {owner.describe()}", span)
    return to_local(ctx, owner, span)


def _copy_from(
    ctx: Context, owner: StagedTensor, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
) -> KernelValue:
    values = [*args, *kwargs.values()]
    if len(values) != 1:
        return ctx.not_supported("`copy_from` takes the LOCAL tensor to copy", span)
    if values[0] is POISON:
        return POISON
    if not isinstance(owner, GlobalTensor):
        return ctx.not_supported(
            f"`copy_from` writes a GLOBAL tensor, not {owner.describe()}", span, "Assign LOCAL tensors with `=`."
        )
    source = require_local(ctx, "copy_from", values[0], span)
    common = agree(ctx, "copy_from", owner, source, span) if source is not None else None
    if source is None or common is None:
        return POISON
    copy_out(ctx, owner, source, source.shape if source.shape is not None else common[1], span)
    return NONE


def _to(
    ctx: Context, owner: StagedTensor, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
) -> KernelValue:
    values = [*args, *kwargs.values()]
    if len(values) == 1 and values[0] is POISON:
        return _unknown_copy(ctx, owner, span)
    if len(values) != 1 or not isinstance(values[0], DTypeValue):
        return ctx.not_supported("`to` takes a dtype", span, "Write `x.to(dtype=DataType.FLOAT32)`.")
    return convert_to(ctx, owner, values[0].dtype, span)


def _unknown_copy(ctx: Context, owner: StagedTensor, span: Span) -> KernelValue:
    handle = allocate(ctx, DType.UNKNOWN, owner.shape, span)
    return LocalTensor(handle, DType.UNKNOWN, owner.shape, depth=ctx.blocks)


def convert_to(ctx: Context, owner: StagedTensor, dtype: DType, span: Span) -> KernelValue:
    """Return the elements converted to `dtype`; a mask gives 0 and 1."""
    if isinstance(owner, MaskTensor):
        return mask_to(ctx, owner, dtype, span)
    tensor = require_local(ctx, "to", owner, span)
    if tensor is None:
        return POISON
    if DType.UNKNOWN in (tensor.dtype, dtype):
        return LocalTensor(allocate(ctx, dtype, tensor.shape, span), dtype, tensor.shape, depth=ctx.blocks)
    if cast_path(tensor.dtype, dtype) is None:
        instead = "The chip has no conversion between these types."
        operands = f"{tensor.dtype.value} to {dtype.value}"
        return ctx.fail(staged_operator.RULE.report(span, operation="to", operands=operands, instead=instead))
    handle = convert(ctx, tensor.handle, tensor.shape, tensor.dtype, dtype, span)
    return LocalTensor(handle, dtype, tensor.shape, depth=ctx.blocks)


CALLS: dict[str, Method] = {"to_local": _to_local, "copy_from": _copy_from, "to": _to}
