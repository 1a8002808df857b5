# SPDX-License-Identifier: Apache-2.0
"""Staged functions on whole tensors: value form `y = relu(x)`, destination form `relu(y, x)`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from asclens_compiler.frontend.dtypes import DTypeValue
from asclens_compiler.frontend.enums import EnumValue
from asclens_compiler.frontend.scalars import Scalar
from asclens_compiler.frontend.staged import contents
from asclens_compiler.frontend.staged import matmul as cube
from asclens_compiler.frontend.staged.comparisons import select
from asclens_compiler.frontend.staged.copies import copy_in, copy_out, copy_over
from asclens_compiler.frontend.staged.emit import allocate, vector
from asclens_compiler.frontend.staged.extents import Extent, Shape, count_value, fixed
from asclens_compiler.frontend.staged.methods import convert_to
from asclens_compiler.frontend.staged.operands import agree, check_dtype, require_local, scalar_operand
from asclens_compiler.frontend.staged.operations import ARITHMETIC, apply, arithmetic
from asclens_compiler.frontend.staged.reductions import REDUCTIONS, reduce
from asclens_compiler.frontend.staged.tensors import GlobalTensor, LocalTensor, StagedTensor, note_call
from asclens_compiler.frontend.static import NONE, StaticValue
from asclens_compiler.frontend.values import POISON, KernelValue
from asclens_compiler.opset.casts import legal_modes
from asclens_compiler.opset.model import ApiRow, Overload
from asclens_compiler.opset.registry import opset

if TYPE_CHECKING:
    from asclens_compiler.frontend.context import Context
    from asclens_compiler.source.span import Span

Values = Mapping[str, KernelValue]
Function = Callable[["Context", Values, "Span"], KernelValue]


def call(
    ctx: Context, name: str, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
) -> KernelValue | None:
    """Call the staged function `name`; None when there is none."""
    row = opset().apis.get(f"staged.{name}")
    compute = _FUNCTIONS.get(name)
    if row is None or compute is None:
        return None
    note_call(ctx, name, span)
    form = _form(row, args, kwargs)
    if form is None:
        forms = " or ".join(f"`{_signature(name, overload)}`" for overload in row.overloads)
        return ctx.not_supported(f"`{name}` is called with arguments it does not take", span, f"Write {forms}.")
    overload, values = form
    if any(value is POISON for value in values.values()):
        stand_ins = _beside_unknown(ctx, name, values)
        if stand_ins is None:
            return POISON
        values = stand_ins
    if overload.lower.endswith("_into"):
        return _store(ctx, name, values, compute, span)
    return compute(ctx, values, span)


def _beside_unknown(ctx: Context, name: str, values: Values) -> dict[str, KernelValue] | None:
    """Return arguments with which the rules see the operation, whatever the unknown ones are; None without any."""
    known = next((values[key] for key in ("a", "b") if isinstance(values.get(key), LocalTensor)), None)
    if name in ARITHMETIC:
        stand_in = known
    elif name == "duplicate":
        stand_in = StaticValue(0)
    else:
        stand_in = None
    open_names = {"a", "b", "value"}
    if stand_in is None or any(value is POISON and key not in open_names for key, value in values.items()):
        return None
    ctx.incomplete = True
    return {key: stand_in if value is POISON else value for key, value in values.items()}


def _form(
    row: ApiRow, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue]
) -> tuple[Overload, dict[str, KernelValue]] | None:
    """Choose the form by the tensors among the arguments; the values go by parameter name."""
    found: list[tuple[Overload, dict[str, KernelValue]]] = []
    for overload in row.overloads:
        names = [param.name for param in overload.params]
        values = dict(zip(names, args, strict=False))
        if len(args) > len(names) or any(name not in names or name in values for name in kwargs):
            continue
        values |= kwargs
        needed = [param.name for param in overload.params if param.default == "<required>"]
        if all(name in values for name in needed):
            found.append((overload, values))
    if len(found) > 1:
        # Both forms fit by number: `relu(y, x)` names a tensor where `reduce_sum(x, axis)` names a number.
        second = args[1] if len(args) > 1 else None
        into = isinstance(second, StagedTensor)
        found = [item for item in found if item[0].lower.endswith("_into") == into]
    return found[0] if found else None


def _signature(name: str, overload: Overload) -> str:
    texts = [param.name if param.default == "<required>" else f"{param.name}=..." for param in overload.params]
    return f"{name}({', '.join(texts)})"


def _store(ctx: Context, name: str, values: Values, compute: Function, span: Span) -> KernelValue:
    given = {key: value for key, value in values.items() if key != "dst"}
    if name == "cast" and isinstance(values["dst"], LocalTensor):
        given["dtype"] = DTypeValue(values["dst"].dtype)
    value = compute(ctx, given, span)
    target = require_local(ctx, name, values["dst"], span, target=True)
    if not isinstance(value, LocalTensor) or target is None:
        return POISON
    if agree(ctx, name, target, value, span) is None:
        return POISON
    copy_over(ctx, target, value, value.shape if value.shape is not None else target.shape, span)
    return NONE


def _unary(name: str, ctx: Context, values: Values, span: Span) -> KernelValue:
    return apply(ctx, name, opset().apis[f"staged.{name}"].overloads[0].op, values["x"], span)


def _binary(name: str, ctx: Context, values: Values, span: Span) -> KernelValue:
    return arithmetic(ctx, name, values["a"], values["b"], span)


def _reduce(name: str, ctx: Context, values: Values, span: Span) -> KernelValue:
    return reduce(ctx, name, values["x"], values.get("axis"), span)


def _select(ctx: Context, values: Values, span: Span) -> KernelValue:
    return select(ctx, values["mask"], values["a"], values["b"], span)


def _cast(ctx: Context, values: Values, span: Span) -> KernelValue:
    tensor, dtype, mode = values["x"], values["dtype"], values.get("round_mode", NONE)
    if not isinstance(tensor, StagedTensor) or not isinstance(dtype, DTypeValue):
        return ctx.not_supported("`cast` takes a tensor and a dtype", span, "Write `cast(x, DataType.FLOAT16)`.")
    if not isinstance(mode, EnumValue):
        return convert_to(ctx, tensor, dtype.dtype, span)
    local = require_local(ctx, "cast", tensor, span)
    if local is None:
        return POISON
    legal = legal_modes(local.dtype, dtype.dtype)
    if mode.member not in legal:
        text = ", ".join(sorted(legal)) or "none"
        return ctx.not_supported(
            f"{mode.describe()} is no round mode of {local.dtype.value} to {dtype.dtype.value}", span,
            f"Round modes of this conversion: {text}.",
        )  # fmt: skip
    out = allocate(ctx, dtype.dtype, local.shape, span)
    vector(ctx, "cast_l2", [out, local.handle, count_value(ctx, local.shape, span)], span, roundMode=mode.member)
    return LocalTensor(out, dtype.dtype, local.shape, depth=ctx.blocks)


def _duplicate(ctx: Context, values: Values, span: Span) -> KernelValue:
    target = require_local(ctx, "duplicate", values["dst"], span, target=True)
    if target is None or not check_dtype(ctx, "duplicate", "duplicate_l2", "dst", target.dtype, span):
        return POISON
    number = scalar_operand(ctx, values["value"], target.dtype, span)
    if number is None:
        return POISON
    vector(ctx, "duplicate_l2", [target.handle, number, count_value(ctx, target.shape, span)], span)
    return NONE


def _data_copy(ctx: Context, values: Values, span: Span) -> KernelValue:
    target, source = values["dst"], values["src"]
    ends = (target, source)
    if not isinstance(target, GlobalTensor | LocalTensor) or not isinstance(source, GlobalTensor | LocalTensor):
        wrong = next(item for item in ends if not isinstance(item, GlobalTensor | LocalTensor))
        return ctx.not_supported(f"`data_copy` copies tensors, not {wrong.describe()}", span)
    if isinstance(target, GlobalTensor) and isinstance(source, GlobalTensor):
        return ctx.not_supported(
            "there is no copy from global memory to global memory", span,
            "Go through UB: `t = src.to_local()`, then `dst.copy_from(t)`.",
        )  # fmt: skip
    if isinstance(source, LocalTensor) and require_local(ctx, "data_copy", source, span) is None:
        return POISON
    contents.stored(ctx, target.handle)
    shape = _copied(ctx, values.get("count", NONE), target, source, span)
    if shape is None:
        return POISON
    if isinstance(source, GlobalTensor):
        copy_in(ctx, target.handle, source, shape[0], span)
    elif isinstance(target, GlobalTensor):
        copy_out(ctx, target, source, shape[0], span)
    else:
        copy_over(ctx, target, source, shape[0], span)
    return NONE


def _copied(
    ctx: Context, count: KernelValue, target: StagedTensor, source: StagedTensor, span: Span
) -> tuple[Shape | None] | None:
    """Return the shape to copy, in a tuple; None after a report."""
    if isinstance(count, StaticValue) and count.value is None:
        common = agree(ctx, "data_copy", target, source, span)
        return None if common is None else (common[1],)
    flat_target, flat_source = (_flat(item) for item in (target, source))
    if agree(ctx, "data_copy", flat_target, flat_source, span) is None:
        return None
    if isinstance(count, StaticValue) and isinstance(count.value, int):
        return (fixed((count.value,)),)
    if isinstance(count, Scalar):
        bound = target.shape[0].capacity if target.shape is not None and len(target.shape) == 1 else None
        return ((Extent(value=ctx.builder.cast(count.value, count.dtype, span), bound=bound),),)
    ctx.not_supported(f"`count` is a number, not {count.describe()}", span)
    return None


def _flat(tensor: StagedTensor) -> StagedTensor:
    return StagedTensor(tensor.handle, tensor.dtype, None)


def _matmul(ctx: Context, values: Values, span: Span) -> KernelValue:
    return cube.matmul(ctx, values, span)


_FUNCTIONS: dict[str, Function] = {
    **{name: partial(_unary, name) for name in ("relu", "exp", "sqrt", "abs", "ln", "rsqrt", "reciprocal")},
    **{name: partial(_binary, name) for name in ARITHMETIC},
    **{name: partial(_reduce, name) for name in REDUCTIONS},
    "select": _select,
    "cast": _cast,
    "duplicate": _duplicate,
    "data_copy": _data_copy,
    "matmul": _matmul,
}
