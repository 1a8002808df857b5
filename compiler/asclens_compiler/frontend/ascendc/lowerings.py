# SPDX-License-Identifier: Apache-2.0
"""Calls whose mapping to ops is not one to one; named by `Overload.lower` in the opset."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from asclens_compiler.ascir.types import BufferType, GlobalType, HandleType, LocalType, QueueType, StructType
from asclens_compiler.ascir.values import IRValue
from asclens_compiler.frontend.ascendc import arrays, image
from asclens_compiler.frontend.ascendc.calls import FREE_FORM, LOWERINGS, Call, build, lower, number, wrap
from asclens_compiler.frontend.ascendc.objects import (
    BufferOwner,
    DeviceObject,
    GlobalTensorValue,
    LocalTensorValue,
    PointerValue,
)
from asclens_compiler.frontend.context import Context
from asclens_compiler.frontend.dtypes import DTypeValue
from asclens_compiler.frontend.enums import EnumValue
from asclens_compiler.frontend.rules import (
    assertion_failed,
    assertion_runtime,
    constexpr_argument,
    slice_form,
    tpipe_missing,
    tpipe_twice,
)
from asclens_compiler.frontend.scalars import Scalar, ceildiv, literal_type, materialize
from asclens_compiler.frontend.static import NONE, SliceValue, StaticValue
from asclens_compiler.frontend.values import POISON, KernelValue
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Position
from asclens_compiler.hardware.queues import buffer_position, queue_ends
from asclens_compiler.opset.model import FieldRow, ParamKind
from asclens_compiler.opset.registry import opset
from asclens_compiler.source.span import Span

_TPIPE = "TPipe"


def _position(value: KernelValue, fallback: Position = Position.VECIN) -> Position:
    if isinstance(value, EnumValue) and value.member in Position.__members__:
        return Position[value.member]
    return fallback


def tpipe(call: Call) -> KernelValue:
    """`TPipe()`: one per kernel."""
    first = call.ctx.singletons.get(_TPIPE)
    if first is not None:
        value, place = first
        call.ctx.report(tpipe_twice.report(place, call.span))
        return value
    value = lower(call, [HandleType(_TPIPE)])
    call.ctx.singletons[_TPIPE] = (value, call.span)
    return value


def get_tpipe_ptr(call: Call) -> KernelValue:
    """`get_tpipe_ptr()`: the kernel's TPipe."""
    first = call.ctx.singletons.get(_TPIPE)
    return first[0] if first is not None else call.ctx.fail(tpipe_missing.report(call.span))


def init_buffer_needs_pipe(call: Call) -> bool:
    """Report buffers made before any TPipe exists."""
    if _TPIPE in call.ctx.singletons:
        return True
    call.ctx.fail(tpipe_missing.report(call.span))
    return False


def queue(call: Call) -> KernelValue:
    """`TQue(pos, depth)`."""
    position = _position(call.value("pos"))
    try:
        source, target = queue_ends(position)
    except KeyError:
        return call.ctx.not_supported(f"a TQue cannot be at {position.value}", call.span, "Use VECIN or VECOUT.")
    return _queue(call, source, target)


def que_bind(call: Call) -> KernelValue:
    """`TQueBind(src, dst, depth)`."""
    source, target = _position(call.value("src")), _position(call.value("dst"))
    return _queue(call, source, target)


def _queue(call: Call, source: Position, target: Position) -> KernelValue:
    depth = call.constant("depth")
    if depth is None:
        value = call.value("depth")
        if not isinstance(value, Scalar) or not value.unknown_const:
            return call.ctx.fail(constexpr_argument.report("depth", value.describe(), call.span))
        depth = 1
    row = opset().ops[call.match.overload.op]
    built = build(call)
    if built is None:
        return POISON
    kind = QueueType(source, target, depth)
    (handle,) = call.ctx.builder.op(row.name, built[0], attrs=built[1], results=[kind], span=call.span)
    return BufferOwner(call.row.name.removeprefix("asc."), handle, buffer_position(source, target))


def tbuf(call: Call) -> KernelValue:
    """`TBuf(pos)`."""
    position = _position(call.value("pos"), Position.VECCALC)
    row = opset().ops[call.match.overload.op]
    built = build(call)
    if built is None:
        return POISON
    kind = BufferType(position)
    (handle,) = call.ctx.builder.op(row.name, built[0], attrs=built[1], results=[kind], span=call.span)
    return BufferOwner("TBuf", handle, position)


def tbuf_pool(call: Call) -> KernelValue:
    """`TBufPool(pos)`."""
    return lower(call, [HandleType("TBufPool")])


def tbuf_get(call: Call) -> KernelValue:
    """`TBuf.get(dtype, len, shape)`; a length of 0 or None means the whole buffer."""
    length = call.value("len")
    if isinstance(length, StaticValue) and not length.value:
        call.match.values["len"] = NONE
    value = lower(call)
    if isinstance(value, LocalTensorValue):
        value.elems = call.constant("len")
        value.shape = _shape(call.value("shape"))
    return value


def _shape(value: KernelValue) -> tuple[int, ...] | None:
    items = value.items()
    if items is None:
        return (value.value,) if isinstance(value, StaticValue) and isinstance(value.value, int) else None
    dims = [item.value for item in items if isinstance(item, StaticValue) and isinstance(item.value, int)]
    return tuple(dims) if len(dims) == len(items) else None


def global_tensor(call: Call) -> KernelValue:
    """`GlobalTensor()`: the op is made when the buffer is set, because the element type comes with it."""
    del call
    return GlobalTensorValue("GlobalTensor", None)


def set_global_buffer(call: Call) -> KernelValue:
    """`GlobalTensor.set_global_buffer(buffer, buffer_size)`."""
    ctx, tensor, buffer = call.ctx, call.owner, call.value("buffer")
    if not isinstance(tensor, GlobalTensorValue) or not isinstance(buffer, PointerValue) or buffer.handle is None:
        return POISON
    ctx.remember(tensor, replace(tensor))
    size = call.value("buffer_size")
    if isinstance(size, StaticValue) and not size.value:
        size = NONE
    (handle,) = ctx.builder.op("global_tensor", [], results=[GlobalType(buffer.dtype)], span=call.span)
    tensor.handle, tensor.dtype = handle, buffer.dtype
    tensor.size_elems = size.value if isinstance(size, StaticValue) and isinstance(size.value, int) else None
    elems = None if size is NONE else number(ctx, size, DType.INT32, call.span, exact=False)
    ctx.builder.op("global_tensor_set_global_buffer", [handle, buffer.handle, elems], span=call.span)
    return NONE


def local_tensor(call: Call) -> KernelValue:
    """`LocalTensor(dtype, pos, addr, tile_size)` or `LocalTensor(dtype)`."""
    dtype = call.value("dtype")
    position = _position(call.value("pos"), Position.VECCALC)
    kind = LocalType(dtype.dtype if isinstance(dtype, DTypeValue) else DType.UNKNOWN, position)
    value = lower(call, [kind])
    if isinstance(value, LocalTensorValue):
        value.elems, value.address = call.constant("tile_size"), call.constant("addr")
    return value


def local_tensor_auto(call: Call) -> KernelValue:
    """`LocalTensorAuto(dtype, shape)`: dimensions known while compiling stand in the type."""
    ctx, dtype, shape = call.ctx, call.value("dtype"), call.value("shape")
    element = dtype.dtype if isinstance(dtype, DTypeValue) else DType.UNKNOWN
    known = _shape(shape)
    dims: list[IRValue] = []
    if known is None:
        items = shape.items() or (shape,)
        made = [number(ctx, item, DType.INT64, call.span, exact=False) for item in items]
        dims = [item for item in made if item is not None]
        if len(dims) != len(made):
            return ctx.not_supported(f"a shape is made of integers, not {shape.describe()}", call.span)
    kind = LocalType(element, Position.VECCALC, known)
    (handle,) = ctx.builder.op("local_tensor_auto", [dims], results=[kind], span=call.span)
    return LocalTensorValue("LocalTensorAuto", handle, element, Position.VECCALC, known)


def subindex(call: Call) -> KernelValue:
    """`tensor[i]` and `tensor[i:]`: the same tensor from element i on."""
    ctx, index, owner = call.ctx, call.value("slices"), call.owner
    if isinstance(index, SliceValue):
        if index.stop is not None or index.step is not None:
            return ctx.fail(slice_form.report(call.span))
        index = index.start if index.start is not None else StaticValue(0)
    if isinstance(owner, GlobalTensorValue) and owner.handle is None:
        call.match.values["slices"] = StaticValue(0)
        return lower(call)
    if materializable(index):
        call.match.values["slices"] = index
    else:
        return ctx.not_supported(f"a tensor is indexed by an integer, not {index.describe()}", call.span)
    if isinstance(owner, LocalTensorValue):
        assert owner.handle is not None
        value = lower(call, [owner.local_type()])
        if isinstance(value, LocalTensorValue):
            value.shape = None
            value.cls = "LocalTensor"
        return value
    return lower(call)


def materializable(value: KernelValue) -> bool:
    """Tell whether a value is an integer, at compile time or run time."""
    if isinstance(value, Scalar):
        return not value.dtype.is_float
    return isinstance(value, StaticValue) and isinstance(value.value, int)


def printf(call: Call) -> KernelValue:
    """`printf(format, *values)`: text arguments are put into the format while compiling."""
    ctx = call.ctx
    given = [*call.kwargs.values(), *call.args]
    if set(call.kwargs) - {"desc"} or not given or not isinstance(given[0], StaticValue):
        return ctx.not_supported("`printf` takes a format text and values", call.span)
    text = str(given[0].value)
    values: list[IRValue] = []
    for value in given[1:]:
        if isinstance(value, StaticValue) and isinstance(value.value, str):
            text = text.replace("%s", value.value, 1)
            continue
        scalar = materialize(ctx, value, None, call.span)
        held = value.held() if scalar is None else None
        if held is not None:
            values.append(held)
            continue
        if scalar is None:
            return ctx.not_supported(f"`printf` prints numbers and text, not {value.describe()}", call.span)
        values.append(scalar.value)
    ctx.builder.op("printf", [values], attrs={"desc": text}, span=call.span)
    return NONE


def static_assert(call: Call) -> KernelValue:
    """`static_assert(test, message)`."""
    test, message = call.value("test"), call.value("message")
    if test.held() is not None:
        return call.ctx.fail(assertion_runtime.report(call.span))
    if test.truth(call.ctx, call.span) is False:
        text = str(message.value) if isinstance(message, StaticValue) and message.value else ""
        call.ctx.fail(assertion_failed.report("static_assert", text, call.span))
    return NONE


def construct(call: Call) -> KernelValue:
    """Make a parameter struct: every numeric field in order, lists flattened to their length."""
    ctx = call.ctx
    overload = call.match.overload
    binding = dict(overload.binding)
    name = binding["type"].removeprefix("=").strip("'\"")
    operands: list[IRValue] = []
    dtype = ""
    for field in opset().structs[name].fields:
        value = call.value(field.name)
        if overload.lower == "construct_default" and field.type_name:
            value = _member(field.type_name, call.row.name.rsplit(".cfg_", 1)[-1].upper())
        if isinstance(value, DTypeValue):
            dtype = value.dtype.value
            continue
        items = arrays.listed(ctx, value, call.span) if field.length > 1 else [value]
        items += [StaticValue(0)] * (field.length - len(items))
        for item in items:
            plain = _unboxed(item)
            made = number(ctx, plain, _field_type(field, plain, dtype), call.span, exact=False)
            if made is None:
                return ctx.not_supported(f"`{name}.{field.name}` takes a number, not {item.describe()}", call.span)
            operands.append(made)
    (handle,) = ctx.builder.op(
        "construct", [operands], attrs={"type": name, "dtype": dtype}, results=[StructType(name)], span=call.span
    )
    return wrap(call, name, handle)


def _field_type(field: FieldRow, value: KernelValue, dtype: str) -> DType | None:
    """Return the type of a literal in a struct: its element type, or int64 for one that needs it; else None."""
    if field.kind is ParamKind.NUMERIC and dtype:
        return DType(dtype)
    kind = literal_type(value) if isinstance(value, StaticValue) else None
    return DType.INT64 if kind is not None and kind.dtype is DType.INT64 else None


def _unboxed(value: KernelValue) -> KernelValue:
    """Return a bool as a number: fields of a struct are numbers."""
    if isinstance(value, StaticValue) and isinstance(value.value, bool):
        return StaticValue(int(value.value))
    return value


def _member(enum: str, member: str) -> KernelValue:
    return EnumValue(enum, member, dict(opset().enums[enum].members)[member])


def mrg_sort_src_list(call: Call) -> KernelValue:
    """`MrgSortSrcList(dtype, src1, src2, src3, src4)`."""
    sources: list[IRValue] = []
    for name in ("src1", "src2", "src3", "src4"):
        held = call.value(name).held()
        if held is not None:
            sources.append(held)
    kind = HandleType("MrgSortSrcList")
    (handle,) = call.ctx.builder.op("mrg_sort_src_list", [sources], results=[kind], span=call.span)
    return DeviceObject("MrgSortSrcList", handle)


def property_(call: Call) -> KernelValue:
    """`property(asc.TOTAL_L1_SIZE)`: a named constant of the chip."""
    value = call.value("prop")
    if not isinstance(value, EnumValue):
        return call.ctx.not_supported(f"`property` takes a chip constant, not {value.describe()}", call.span)
    dtype = DType.INT16 if value.member == "ONE_BLK_SIZE" else DType.INT32
    return Scalar(call.ctx.builder.constant(value.number, dtype, call.span), dtype)


def number_of(ctx: Context, values: Sequence[KernelValue], span: Span) -> KernelValue:
    """`number(value, dtype)`: a run-time scalar of a given type."""
    if POISON in values:
        return POISON
    if len(values) != 2 or not isinstance(values[1], DTypeValue):
        return ctx.not_supported("`number` takes a value and a dtype", span)
    dtype = values[1].dtype
    if dtype is DType.UNKNOWN:
        return POISON
    scalar = materialize(ctx, values[0], dtype, span)
    return scalar if scalar is not None else ctx.not_supported("`number` takes a number", span)


def ceildiv_of(ctx: Context, values: Sequence[KernelValue], span: Span) -> KernelValue:
    """`ceildiv(a, b)`."""
    if POISON in values:
        return POISON
    value = ceildiv(ctx, values[0], values[1], span) if len(values) == 2 else None
    return value if value is not None else ctx.not_supported("`ceildiv` takes two numbers", span)


_SPECIAL: dict[str, Callable[[Call], KernelValue]] = {
    "tpipe": tpipe, "get_tpipe_ptr": get_tpipe_ptr, "queue": queue, "que_bind": que_bind, "tbuf": tbuf,
    "tbuf_pool": tbuf_pool, "tbuf_get": tbuf_get, "global_tensor": global_tensor,
    "set_global_buffer": set_global_buffer, "local_tensor": local_tensor, "local_tensor_auto": local_tensor_auto,
    "subindex": subindex, "static_assert": static_assert, "construct": construct, "construct_default": construct,
    **arrays.LOWERINGS, **image.LOWERINGS, "mrg_sort_src_list": mrg_sort_src_list, "property": property_,
}  # fmt: skip
LOWERINGS.update(_SPECIAL)
FREE_FORM["asc.printf"] = printf  # any number of arguments
