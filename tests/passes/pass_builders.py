# SPDX-License-Identifier: Apache-2.0
"""Small programs on hand-placed tensors, to be synchronised by the pass under test."""

from __future__ import annotations

from dataclasses import dataclass, field

from asclens_compiler.ascir.builder import Builder
from asclens_compiler.ascir.types import GlobalType, LocalType, PointerType
from asclens_compiler.ascir.unit import Unit
from asclens_compiler.ascir.values import IRValue
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Position
from asclens_compiler.source.span import Span

F32 = DType.FLOAT32
TILE = 64  # elements of one tile: 256 bytes
TILES = 8  # tiles of each array in global memory


@dataclass
class Kernel:
    """A kernel under construction: arrays `x` and `y` in global memory, tiles by number in UB."""

    unit: Unit = field(default_factory=lambda: Unit.new("k.py"))
    line: int = 1

    def __post_init__(self) -> None:
        self.builder = Builder(self.unit)
        params = [(name, PointerType(F32), self.span) for name in "xy"]
        attrs = {"staged": True, "auto_sync": False}
        pointers = self.builder.begin_kernel("k", params, self.span, attrs=attrs)
        self.arrays = dict(zip("xy", [self._array(pointer) for pointer in pointers], strict=True))
        self.tiles: dict[int, IRValue] = {}
        for number in range(TILES):
            operands = [self.builder.constant(item, DType.UINT32, self.span) for item in (number * TILE * 4, TILE)]
            kind = LocalType(F32, Position.VECCALC, (TILE,))
            self.tiles[number] = self._op("local_tensor_v2", operands, [kind], pos="VECCALC")

    @property
    def span(self) -> Span:
        return Span("k.py", self.line, 1, self.line, 9)

    def _array(self, pointer: IRValue) -> IRValue:
        array = self._op("global_tensor", [], [GlobalType(F32)])
        size = self.builder.constant(TILE * TILES, DType.INT32, self.span)
        self.builder.op("global_tensor_set_global_buffer", [array, pointer, size], span=self.span)
        return array

    def _op(self, name: str, operands, results, **attrs) -> IRValue:
        return self.builder.op(name, operands, attrs=attrs, results=results, span=self.span)[0]

    def number(self, value: int) -> IRValue:
        return self.builder.constant(value, DType.INT32, self.span)

    def part(self, array: str, tile: int | IRValue) -> IRValue:
        index = self.number(tile) if isinstance(tile, int) else tile
        offset = self.builder.arith("muli", [index, self.number(TILE)], DType.INT32, self.span)
        wide = self.builder.cast(offset, DType.INT64, self.span)
        return self._op("global_tensor_subindex", [self.arrays[array], wide], [GlobalType(F32)])

    def load(self, tile: int, source: int | IRValue, array: str = "x") -> None:
        self.line += 1
        self.builder.op("data_copy_l2", [self.tiles[tile], self.part(array, source), self.number(TILE)], span=self.span)

    def store(self, target: int | IRValue, tile: int, array: str = "y") -> None:
        self.line += 1
        self.builder.op("data_copy_l2", [self.part(array, target), self.tiles[tile], self.number(TILE)], span=self.span)

    def add(self, target: int, left: int, right: int) -> None:
        self.line += 1
        operands = [self.tiles[item] for item in (target, left, right)]
        self.builder.op("add_l2", [*operands, self.number(TILE)], span=self.span)

    def loop(self, trips: int, name: str = "i"):
        self.line += 1
        return self.builder.loop(self.number(0), self.number(trips), self.number(1), [], self.span, name=name)

    def finish(self) -> Unit:
        self.builder.op("pipe_barrier", attrs={"pipe": "PIPE_ALL"}, span=self.span)
        self.builder.end_kernel(self.span)
        return self.unit
