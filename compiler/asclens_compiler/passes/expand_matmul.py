# SPDX-License-Identifier: Apache-2.0
"""Pass `expand-matmul`: the `matmul` macro becomes tiles that fit the memories of a cube core.

Per tile of the result: strips of a and b go from global memory to L1 as NZ fractals (MTE2), from
there to L0A and L0B in the layouts the cube wants (MTE1), products add up in L0C (M), and fixpipe
writes rows back (FIX). Flags and addresses come from the passes that follow.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from asclens_compiler.ascir.builder import Builder
from asclens_compiler.ascir.rewrite import IROp, Rewriter
from asclens_compiler.ascir.structs import make_struct
from asclens_compiler.ascir.types import GlobalType, LocalType
from asclens_compiler.ascir.values import IRValue
from asclens_compiler.errors import InternalError
from asclens_compiler.hardware.chips import DATA_BLOCK_BYTES, Target
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Memory, Position
from asclens_compiler.opset.registry import opset
from asclens_compiler.passes.integers import Integer, Integers
from asclens_compiler.source.span import Span

FRACTAL_ROWS = 16
FRACTAL_BYTES = 512
_ACCUMULATOR_BYTES = 4
# How the accumulator becomes the result (QuantModes of fixpipe).
_CONVERSIONS = {DType.FLOAT32: "NoQuant", DType.FLOAT16: "F322F16", DType.BFLOAT16: "F322BF16"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiles:
    """Rows of a (m), columns of b (n) and common elements (k) of one tile."""

    m: int
    n: int
    k: int


def tile_sizes(target: Target, element_bytes: int) -> Tiles:
    """Return tiles of which two of each kind fit L0A, L0B and L0C at once."""
    side = FRACTAL_ROWS
    while (2 * side) ** 2 * _ACCUMULATOR_BYTES * 2 <= target.memory_bytes(Memory.L0C):
        side *= 2
    smaller = min(target.memory_bytes(Memory.L0A), target.memory_bytes(Memory.L0B))
    depth = smaller // (2 * side * element_bytes) // FRACTAL_ROWS * FRACTAL_ROWS
    return Tiles(m=side, n=side, k=depth)


def expand_matmul(rewriter: Rewriter, *, target: Target) -> None:
    """Expand all `matmul` ops whose element types are known."""
    for op in rewriter.walk():
        if op.name != "matmul" or any(_is_untyped(tensor) for tensor in op.flat_operands[:3]):
            continue
        with rewriter.before(op) as builder:
            _Expansion(rewriter, builder, op, target).emit()
        rewriter.erase(op)


def _is_untyped(tensor: IRValue) -> bool:
    """Tell whether only a launch knows the element type of a tensor."""
    return isinstance(tensor.type, GlobalType) and tensor.type.dtype is DType.UNKNOWN


class _Expansion:
    """Write the tiles of one product in front of its macro."""

    def __init__(self, rewriter: Rewriter, builder: Builder, op: IROp, target: Target) -> None:
        self._builder = builder
        self._span: Span = op.span
        self._a, self._b, self._c, *sizes = op.flat_operands
        kind, result = self._a.type, self._c.type
        if not isinstance(kind, GlobalType) or not isinstance(result, GlobalType):
            raise InternalError("matmul works on global tensors", op="matmul", span=op.span)
        self._dtype, self._result = kind.dtype, result.dtype
        self._math = Integers(builder, op.span)
        self._m, self._n, self._k = (self._math.wrap(rewriter.literal(size), size) for size in sizes)
        element_bytes = self._dtype.size_bytes or 4
        self._c0 = DATA_BLOCK_BYTES // element_bytes
        self._fractal_elems = FRACTAL_BYTES // element_bytes
        self._tiles = self._fitted(tile_sizes(target, element_bytes))
        tiles = self._tiles
        self._l1_a = self._local(Position.A1, self._dtype, tiles.m * tiles.k)
        self._l1_b = self._local(Position.B1, self._dtype, tiles.k * tiles.n)
        self._l0_a = self._local(Position.A2, self._dtype, tiles.m * tiles.k)
        self._l0_b = self._local(Position.B2, self._dtype, tiles.k * tiles.n)
        self._l0_c = self._local(Position.CO1, DType.FLOAT32, tiles.m * tiles.n)

    def emit(self) -> None:
        """Write the loops over tiles."""
        tiles = self._tiles
        if any(size.known is None or size.known % FRACTAL_ROWS for size in (self._m, self._n, self._k)):
            self._clear(self._l1_a, tiles.m * tiles.k)
            self._clear(self._l1_b, tiles.k * tiles.n)
        with self._steps(self._m, tiles.m, "m_tile") as (row, rows), self._steps(self._n, tiles.n, "n_tile") as (
            column, columns):  # fmt: skip
            with self._steps(self._k, tiles.k, "k_tile") as (inner, depth):
                self._load_a(row, rows, inner, depth)
                self._load_b(column, columns, inner, depth)
                self._multiply(rows, columns, depth, inner)
            self._store(row, rows, column, columns)

    def _fitted(self, tiles: Tiles) -> Tiles:
        """Cut tiles to the product's own sizes, in whole fractals."""
        sizes = [
            tile if size.known is None else min(tile, -(-size.known // FRACTAL_ROWS) * FRACTAL_ROWS)
            for tile, size in zip((tiles.m, tiles.n, tiles.k), (self._m, self._n, self._k), strict=True)
        ]
        rows = sizes[0]
        if self._m.known is not None and self._m.known > rows and self._m.known % rows == 1:
            rows -= FRACTAL_ROWS  # a last tile of one row would be read in the layout of a vector
        return Tiles(m=rows, n=sizes[1], k=sizes[2])

    def _local(self, position: Position, dtype: DType, elems: int) -> IRValue:
        kind = LocalType(dtype, position, (elems,))
        return self._builder.op("local_tensor_auto", [[]], results=[kind], span=self._span)[0]

    @contextmanager
    def _steps(self, size: Integer, tile: int, name: str) -> Generator[tuple[Integer, Integer]]:
        """Loop over the tiles of one dimension: give the first element and the length of each."""
        math = self._math
        if size.known is not None and size.known <= tile:
            yield math.number(0), size
            return
        lower, upper, step = (math.value(item) for item in (math.number(0), size, math.number(tile)))
        with self._builder.loop(lower, upper, step, [], self._span, name=name) as loop:
            first = Integer(None, loop.induction)
            yield first, math.minimum(math.minus(size, first), tile)

    def _clear(self, tensor: IRValue, elems: int) -> None:
        """Fill L1 once: loads move whole fractals, also where no element of the matrix lies."""
        blocks = elems * (self._dtype.size_bytes or 4) // DATA_BLOCK_BYTES
        params = self._struct("InitConstValueParams", repeat_times=1, block_num=blocks, dst_gap=0, init_value=0)
        self._op("init_const_value", tensor, params)

    def _part(self, tensor: IRValue, row: Integer, width: Integer, column: Integer) -> IRValue:
        math = self._math
        offset = math.plus(math.times(row, width), column)
        wide = self._builder.cast(math.value(offset), DType.INT64, self._span)
        kind = tensor.type
        assert isinstance(kind, GlobalType)
        result = GlobalType(kind.dtype)
        return self._builder.op("global_tensor_subindex", [tensor, wide], results=[result], span=self._span)[0]

    def _from(self, tensor: IRValue, elems: Integer) -> IRValue:
        """Return a local tensor from an element on."""
        if elems.known == 0:
            return tensor
        kind = tensor.type
        assert isinstance(kind, LocalType)
        wide = self._builder.cast(self._math.value(elems), DType.INT64, self._span)
        result = LocalType(kind.dtype, kind.position)
        return self._builder.op("local_tensor_subindex", [tensor, wide], results=[result], span=self._span)[0]

    def _struct(self, name: str, **fields: Integer | int | bool) -> IRValue:
        values = {key: self._math.value(item) if isinstance(item, Integer) else item for key, item in fields.items()}
        return make_struct(self._builder, name, self._span, values)

    def _op(self, name: str, *operands: IRValue) -> None:
        self._builder.op(name, list(operands), span=self._span)

    def _nd_to_nz(
        self,
        target: IRValue,
        source: IRValue,
        rows: Integer,
        columns: Integer,
        width: Integer,
        column_step: Integer | int,
    ) -> None:
        """Copy rows of a row-major matrix into L1; `column_step` blocks lie between its 32-byte columns."""
        params = self._struct(
            "Nd2NzParams", nd_num=1, n_value=rows, d_value=columns, src_nd_matrix_stride=0, src_d_value=width,
            dst_nz_c0_stride=column_step, dst_nz_n_stride=1, dst_nz_matrix_stride=1,
        )  # fmt: skip
        self._op("data_copy_nd2nz", target, source, params)

    def _load_a(self, row: Integer, rows: Integer, inner: Integer, depth: Integer) -> None:
        """Bring a tile of a to L0A: fractals row by row."""
        math = self._math
        blocks, chunks = math.ceil(rows, FRACTAL_ROWS), math.ceil(depth, self._c0)
        source = self._part(self._a, row, self._k, inner)
        if self._m.known == 1:
            self._load_vector(source, depth)
            return
        self._nd_to_nz(self._l1_a, source, rows, depth, self._k, math.times(blocks, FRACTAL_ROWS))
        with self._count(blocks, "row_block") as block:
            target = self._from(self._l0_a, math.times(math.times(block, chunks), self._fractal_elems))
            params = self._struct(
                "LoadData2DParams", start_index=block, repeat_times=chunks, src_stride=blocks, dst_gap=0
            )
            self._op("load_data_l0", target, self._l1_a, params)

    def _load_vector(self, source: IRValue, depth: Integer) -> None:
        """Bring the only row of a to L0A: with one row the cube reads plain elements, side by side."""
        self._nd_to_nz(self._l1_a, source, self._math.number(1), depth, self._k, 1)
        fractals = self._math.ceil(depth, self._fractal_elems)
        params = self._struct("LoadData2DParams", start_index=0, repeat_times=fractals, src_stride=1, dst_gap=0)
        self._op("load_data_l0", self._l0_a, self._l1_a, params)

    def _load_b(self, column: Integer, columns: Integer, inner: Integer, depth: Integer) -> None:
        """Bring a tile of b to L0B: fractals row by row, each one transposed."""
        source = self._part(self._b, inner, self._n, column)
        if self._dtype.size_bytes == 2:
            self._load_b16(source, columns, depth)
        else:
            self._load_b32(column, columns, inner, depth)

    def _load_b16(self, source: IRValue, columns: Integer, depth: Integer) -> None:
        math = self._math
        down, across = math.ceil(depth, FRACTAL_ROWS), math.ceil(columns, FRACTAL_ROWS)
        self._nd_to_nz(self._l1_b, source, depth, columns, self._n, math.times(down, FRACTAL_ROWS))
        with self._count(down, "k_block") as block:
            target = self._from(self._l0_b, math.times(math.times(block, across), self._fractal_elems))
            params = self._struct(
                "LoadData2DParams", start_index=block, repeat_times=across, src_stride=down, dst_gap=0,
                if_transpose=True,
            )  # fmt: skip
            self._op("load_data_l0", target, self._l1_b, params)

    def _load_b32(self, column: Integer, columns: Integer, inner: Integer, depth: Integer) -> None:
        """Transpose squares of two fractals; they must lie side by side in L1, so each 16 rows go there alone."""
        math = self._math
        down, across = math.ceil(depth, FRACTAL_ROWS), math.ceil(columns, FRACTAL_ROWS)
        strip = math.times(across, 2 * self._fractal_elems)
        with self._count(down, "k_block") as block:
            first = math.times(block, FRACTAL_ROWS)
            rows = math.minimum(math.minus(depth, first), FRACTAL_ROWS)
            source = self._part(self._b, math.plus(inner, first), self._n, column)
            target = self._from(self._l1_b, math.times(block, strip))
            self._nd_to_nz(target, source, rows, columns, self._n, FRACTAL_ROWS)
        with self._count(down, "k_block") as block:
            offset = math.times(block, strip)
            params = self._struct(
                "LoadData2dTransposeParams", start_index=0, repeat_times=across, src_stride=1, dst_gap=0,
                dst_frac_gap=math.minus(across, math.number(1)),
            )  # fmt: skip
            self._op("load_data_with_transpose", self._from(self._l0_b, offset), self._from(self._l1_b, offset), params)

    @contextmanager
    def _count(self, trips: Integer, name: str) -> Generator[Integer]:
        """Loop from 0; a single trip needs no loop."""
        if trips.known == 1:
            yield self._math.number(0)
            return
        math = self._math
        lower, upper, step = (math.value(item) for item in (math.number(0), trips, math.number(1)))
        with self._builder.loop(lower, upper, step, [], self._span, name=name) as loop:
            yield Integer(None, loop.induction)

    def _multiply(self, rows: Integer, columns: Integer, depth: Integer, inner: Integer) -> None:
        builder, span = self._builder, self._span
        first: Integer | bool = True
        if inner.known is None:
            zero = builder.constant(0, DType.INT32, span)
            bit = builder.arith("cmpi", [self._math.value(inner), zero], DType.INT1, span, "eq")
            first = Integer(None, builder.cast(bit, DType.INT32, span))
        params = self._struct("MmadParams", m=rows, n=columns, k=depth, cmatrix_init_val=first)
        self._op("mmad", self._l0_c, self._l0_a, self._l0_b, params)

    def _store(self, row: Integer, rows: Integer, column: Integer, columns: Integer) -> None:
        enums = {name: dict(opset().enums[name].members) for name in ("QuantModes", "CO2Layout")}
        params = self._struct(
            "FixpipeParamsV220", n_size=columns, m_size=rows, dst_stride=self._n,
            src_stride=self._math.times(self._math.ceil(rows, FRACTAL_ROWS), FRACTAL_ROWS),
            quant_pre=enums["QuantModes"][_CONVERSIONS[self._result]],
        )  # fmt: skip
        config = self._struct("FixpipeConfig", layout=enums["CO2Layout"]["ROW_MAJOR"])
        self._op("fixpipe", self._part(self._c, row, self._n, column), self._l0_c, params, config)
