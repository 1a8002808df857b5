# SPDX-License-Identifier: Apache-2.0
"""Sum, largest and smallest element of a tensor, or along one axis of a 2-D one."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from asclens_compiler.frontend.staged.emit import allocate, copy_local, int32, part, reinterpret, repeat_elems, vector
from asclens_compiler.frontend.staged.extents import Extent, Shape, capacity_of, count_value, fixed, sizes_of
from asclens_compiler.frontend.staged.operands import check_dtype, require_local
from asclens_compiler.frontend.staged.tensors import LocalTensor
from asclens_compiler.frontend.static import StaticValue
from asclens_compiler.frontend.values import POISON, KernelValue
from asclens_compiler.hardware.chips import DATA_BLOCK_BYTES
from asclens_compiler.hardware.dtypes import DType

if TYPE_CHECKING:
    from asclens_compiler.ascir.values import IRValue
    from asclens_compiler.frontend.context import Context
    from asclens_compiler.source.span import Span


@dataclass(frozen=True, slots=True)
class Reduction:
    """A reduction call, and the element-wise one that combines two rows."""

    op: str
    combine: str


REDUCTIONS = {
    "reduce_sum": Reduction("reduce_sum_l2", "add_l2"),
    "reduce_max": Reduction("reduce_max_l2", "max_l2"),
    "reduce_min": Reduction("reduce_min_l2", "min_l2"),
}
# Bits of the positions 0..63, by which a ramp is built.
_POSITION_BITS = (
    0xAAAA_AAAA_AAAA_AAAA, 0xCCCC_CCCC_CCCC_CCCC, 0xF0F0_F0F0_F0F0_F0F0, 0xFF00_FF00_FF00_FF00,
    0xFFFF_0000_FFFF_0000, 0xFFFF_FFFF_0000_0000,
)  # fmt: skip
_RAMP_BLOCK = 64
_ONE = fixed((1,))


def reduce(ctx: Context, name: str, value: KernelValue, axis: KernelValue | None, span: Span) -> KernelValue:
    """Return the reduction of all elements (shape `(1,)`), or along `axis`."""
    row = REDUCTIONS[name]
    tensor = require_local(ctx, name, value, span)
    if tensor is None or not check_dtype(ctx, name, row.op, "src", tensor.dtype, span):
        return POISON
    none = axis is None or (isinstance(axis, StaticValue) and axis.value is None)
    if none or (tensor.shape is not None and len(tensor.shape) == 1 and _axis_of(axis) in (0, -1)):
        out = allocate(ctx, tensor.dtype, _ONE, span)
        _reduce_run(ctx, row, out, tensor.handle, tensor.shape, tensor.dtype, span)
        return LocalTensor(out, tensor.dtype, _ONE, depth=ctx.blocks)
    if axis is POISON:
        return POISON
    number = _axis_of(axis)
    if tensor.shape is None:
        return LocalTensor(allocate(ctx, tensor.dtype, None, span), tensor.dtype, None, depth=ctx.blocks)
    rank = len(tensor.shape)
    if number is None or not -rank <= number < rank:
        text = axis.describe() if axis is not None else ""
        return ctx.not_supported(f"`{name}` has no axis {text} in {tensor.describe()}", span)
    sizes = sizes_of(tensor.shape)
    if rank != 2 or sizes is None:
        return ctx.not_supported(
            f"`{name}` along an axis needs a 2-D tensor of known shape, not {tensor.describe()}", span
        )
    rows = Rows(tensor, sizes)
    if number % rank == 1:
        return _each_row(ctx, row, rows, span)
    return _across_rows(ctx, row, rows, span)


def _axis_of(axis: KernelValue | None) -> int | None:
    value = axis.value if isinstance(axis, StaticValue) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _reduce_run(
    ctx: Context, row: Reduction, out: IRValue, source: IRValue, shape: Shape | None, dtype: DType, span: Span
) -> None:
    """Reduce one run of elements into the first element of `out`."""
    capacity = capacity_of(shape)
    work_shape = None
    if capacity is not None and dtype is not DType.UNKNOWN:
        # One value (and index) per repeat of the source, in whole blocks, at least one block.
        values = 2 * -(-prod(capacity) // repeat_elems(dtype))
        block = DATA_BLOCK_BYTES // dtype.size_bytes
        work_shape = fixed((-(-max(values, 1) // block) * block,))
    work = allocate(ctx, dtype, work_shape, span)
    operands = [out, source, work, count_value(ctx, shape, span)]
    if row.op != "reduce_sum_l2":
        operands.append(ctx.builder.constant(False, DType.INT1, span))
    vector(ctx, row.op, operands, span)


class Rows:
    """Give out the rows of a 2-D tensor, aligned as vector calls need them."""

    def __init__(self, tensor: LocalTensor, sizes: tuple[int, ...]) -> None:
        self.tensor = tensor
        self.count, self.columns = sizes
        self.shape: Shape = (Extent(self.columns),)
        self._offsets: IRValue | None = None
        self.aligned = tensor.dtype is DType.UNKNOWN or self.columns * tensor.dtype.size_bytes % DATA_BLOCK_BYTES == 0

    def prepare(self, ctx: Context, span: Span) -> None:
        """Make the byte offsets 0, size, 2 size ... of one row, when rows start between blocks."""
        if self.aligned:
            return
        self._offsets = _ramp(ctx, self.columns, self.tensor.dtype.size_bytes, span)

    def row(self, ctx: Context, index: IRValue, span: Span) -> IRValue:
        """Return row `index` (int32) as a tensor that starts on a block."""
        start = ctx.builder.arith("muli", [index, int32(ctx, self.columns, span)], DType.INT32, span)
        if self._offsets is None:
            return part(ctx, self.tensor.handle, start, span)
        size = int32(ctx, self.tensor.dtype.size_bytes, span)
        base = ctx.builder.cast(ctx.builder.arith("muli", [start, size], DType.INT32, span), DType.UINT32, span)
        out = allocate(ctx, self.tensor.dtype, self.shape, span)
        count = ctx.builder.constant(self.columns, DType.UINT32, span)
        vector(ctx, "gather_l2", [out, self.tensor.handle, self._offsets, base, count], span)
        return out


def _ramp(ctx: Context, count: int, step: int, span: Span) -> IRValue:
    """Return the numbers 0, step, 2 step ... as uint32, `count` of them at least."""
    blocks = -(-count // _RAMP_BLOCK)
    ramp = allocate(ctx, DType.INT32, fixed((blocks * _RAMP_BLOCK,)), span)
    first = int32(ctx, _RAMP_BLOCK, span)
    vector(ctx, "duplicate_l2", [ramp, int32(ctx, 0, span), first], span)
    for bit, pattern in enumerate(_POSITION_BITS):
        _masked_adds(ctx, ramp, step << bit, pattern, span)
    for block in range(1, blocks):
        target = part(ctx, ramp, int32(ctx, block * _RAMP_BLOCK, span), span)
        vector(ctx, "adds_l2", [target, ramp, int32(ctx, block * _RAMP_BLOCK * step, span), first], span)
    return reinterpret(ctx, ramp, DType.UINT32, span)


def _masked_adds(ctx: Context, ramp: IRValue, number: int, pattern: int, span: Span) -> None:
    from asclens_compiler.ascir.structs import make_struct  # noqa: PLC0415  only this op needs a struct here

    builder = ctx.builder
    words = [builder.constant(word, DType.UINT64, span) for word in (pattern, 0)]
    params = make_struct(builder, "UnaryRepeatParams", span)
    operands = [ramp, ramp, int32(ctx, number, span), words, int32(ctx, 1, span), params]
    builder.op("adds_l1", operands, attrs={"isSetMask": True}, span=span)


def _each_row(ctx: Context, row: Reduction, rows: Rows, span: Span) -> KernelValue:
    """Reduce each row; the largest and smallest element need places of two elements, and are then gathered."""
    dtype, builder = rows.tensor.dtype, ctx.builder
    shape = fixed((rows.count,))
    step = 1 if row.op == "reduce_sum_l2" else 2
    places = allocate(ctx, dtype, fixed((rows.count * step,)), span)
    if step > 1:
        zero = builder.constant(0.0, DType.FLOAT32 if dtype is DType.UNKNOWN else dtype, span)
        vector(ctx, "duplicate_l2", [places, zero, int32(ctx, rows.count * step, span)], span)
    rows.prepare(ctx, span)
    first, end, one = (int32(ctx, number, span) for number in (0, rows.count, 1))
    loop = builder.loop(first, end, one, [], span, name="row")
    with loop:
        source = rows.row(ctx, loop.induction, span)
        place = builder.arith("muli", [loop.induction, int32(ctx, step, span)], DType.INT32, span)
        _reduce_run(ctx, row, part(ctx, places, place, span), source, rows.shape, dtype, span)
    if step == 1:
        return LocalTensor(places, dtype, shape, depth=ctx.blocks)
    out = allocate(ctx, dtype, shape, span)
    offsets = _ramp(ctx, rows.count, step * max(dtype.size_bytes, 1), span)
    base, count = (builder.constant(number, DType.UINT32, span) for number in (0, rows.count))
    vector(ctx, "gather_l2", [out, places, offsets, base, count], span)
    return LocalTensor(out, dtype, shape, depth=ctx.blocks)


def _across_rows(ctx: Context, row: Reduction, rows: Rows, span: Span) -> KernelValue:
    dtype = rows.tensor.dtype
    out = allocate(ctx, dtype, rows.shape, span)
    rows.prepare(ctx, span)
    first = rows.row(ctx, int32(ctx, 0, span), span)
    copy_local(ctx, out, first, rows.shape, dtype, span)
    begin, end, step = (int32(ctx, number, span) for number in (1, rows.count, 1))
    loop = ctx.builder.loop(begin, end, step, [], span, name="row")
    with loop:
        source = rows.row(ctx, loop.induction, span)
        vector(ctx, row.combine, [out, out, source, count_value(ctx, rows.shape, span)], span)
    return LocalTensor(out, dtype, rows.shape, depth=ctx.blocks)
