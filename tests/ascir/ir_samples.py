# SPDX-License-Identifier: Apache-2.0
"""Kernels that the AscIR tests build, by hand and at random."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

from asclens_compiler.ascir.builder import Builder
from asclens_compiler.ascir.program import Program
from asclens_compiler.ascir.types import AscType, GlobalType, LocalType, PointerType, ScalarType, StructType
from asclens_compiler.ascir.unit import Unit
from asclens_compiler.ascir.values import IRValue
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Position
from asclens_compiler.source.span import Span
from hypothesis import strategies as st

INT32 = ScalarType(DType.INT32)
TILE = LocalType(DType.FLOAT32, Position.VECIN, (16, 32))
PARAMS: tuple[tuple[str, AscType], ...] = (
    ("x", PointerType(DType.FLOAT16)),
    ("y", GlobalType(DType.FLOAT32, (1024,))),
    ("t", TILE),
    ("n", INT32),
)


def at(line: int, column: int = 1, width: int = 8, file: str = "kernel.py") -> Span:
    """Return a range on one line."""
    return Span(file, line, column, line, column + width)


def begin(name: str = "kern", **attrs: object) -> tuple[Unit, Builder, dict[str, IRValue]]:
    """Return a unit with an open kernel and its parameters by name."""
    unit = Unit.new("kernel.py")
    builder = Builder(unit)
    params = [(text, type_, at(1, 10 * index + 1)) for index, (text, type_) in enumerate(PARAMS)]
    values = builder.begin_kernel(name, params, at(1), attrs=attrs)
    return unit, builder, dict(zip((text for text, _ in PARAMS), values, strict=True))


def plain(value: object) -> object:
    """Return a program as nested tuples, for comparison."""
    if isinstance(value, Program) or is_dataclass(value):
        return (type(value).__name__, *(plain(getattr(value, item.name)) for item in fields(value)))
    if isinstance(value, (tuple, list)):
        return tuple(plain(item) for item in value)
    if isinstance(value, dict):
        return tuple(sorted((plain(key), plain(item)) for key, item in value.items()))
    if isinstance(value, float):
        return repr(value)
    return value


# A random kernel is a nested list of statements; every statement works on integers that exist.
_LEAVES = st.one_of(
    st.tuples(st.just("arith"), st.sampled_from(("addi", "muli", "subi", "divsi", "andi", "shli"))),
    st.tuples(st.just("literal"), st.integers(-(2**31), 2**31 - 1)),
    st.tuples(st.just("unsigned"), st.integers(0, 2**32 - 1)),
    st.tuples(st.just("float"), st.floats(width=32)),
    st.tuples(st.just("add_l2"), st.just(0)),
    st.tuples(st.just("copy"), st.tuples(st.integers(0, 3), st.booleans(), st.booleans(), st.floats(allow_nan=False))),
    st.tuples(st.just("printf"), st.text(max_size=20)),
    st.tuples(st.just("subIndex"), st.just(0)),
    st.tuples(st.just("name"), st.from_regex(r"[a-zA-Z_][a-zA-Z0-9_]{0,6}", fullmatch=True)),
)
STATEMENTS = st.recursive(
    st.lists(_LEAVES, max_size=5),
    lambda inner: st.lists(
        st.one_of(_LEAVES, st.tuples(st.sampled_from(("loop", "branch", "while", "call")), inner)), max_size=4
    ),
    max_leaves=20,
)


class RandomKernel:
    """Build a kernel from drawn statements."""

    def __init__(self, statements: list, file: str = "kernel.py") -> None:
        self.unit, self.builder, self.params = begin()
        self.file = file
        self.line = 2
        self._run(statements, [self.params["n"]])
        self.builder.end_kernel(at(self.line))

    def _span(self) -> Span:
        self.line += 1
        return at(self.line, self.line % 7 + 1, file=self.file)

    def _run(self, statements: list, ints: list[IRValue]) -> IRValue:
        ints = list(ints)
        for kind, detail in statements:
            getattr(self, f"_{kind}")(detail, ints)
        return ints[-1]

    def _arith(self, op: str, ints: list[IRValue]) -> None:
        ints.append(self.builder.arith(op, [ints[-1], ints[0]], DType.INT32, self._span()))

    def _literal(self, value: int, ints: list[IRValue]) -> None:
        ints.append(self.builder.constant(value, DType.INT32, self._span()))

    def _unsigned(self, value: int, ints: list[IRValue]) -> None:
        wide = self.builder.constant(value, DType.UINT32, self._span())
        other = self.builder.cast(ints[-1], DType.UINT32, self._span())
        total = self.builder.arith("addi", [wide, other], DType.UINT32, self._span())
        ints.append(self.builder.cast(total, DType.INT32, self._span()))

    def _float(self, value: float, ints: list[IRValue]) -> None:
        literal = self.builder.constant(value, DType.FLOAT32, self._span())
        flag = self.builder.arith("cmpf", [literal, literal], DType.INT1, self._span(), "oeq")
        ints.append(self.builder.select(flag, ints[0], ints[-1], self._span()))

    def _add_l2(self, _: int, ints: list[IRValue]) -> None:
        tile = self.params["t"]
        self.builder.op("add_l2", [tile, tile, tile, ints[-1]], span=self._span())

    def _copy(self, detail: tuple[int, bool, bool, float], ints: list[IRValue]) -> None:
        masks, with_count, with_params, scale = detail
        params = None
        if with_params:
            params = self.builder.op("construct", [ints[:2]], attrs={"type": "CopyParams"},
                                     results=[StructType("CopyParams")], span=self._span())[0]  # fmt: skip
        self.builder.op(
            "copy",
            [self.params["y"], self.params["t"], [ints[0]] * masks, ints[-1] if with_count else None, params],
            attrs={"scale": scale, "isSetMask": with_count, "ids": (1, (True, "a"), 2.5)},
            span=self._span(),
        )

    def _printf(self, text: str, ints: list[IRValue]) -> None:
        half = self.builder.constant(0.5, DType.FLOAT16, self._span())
        self.builder.op("printf", [[ints[-1], half, half, ints[0]]], attrs={"desc": text}, span=self._span())

    def _subIndex(self, _: int, ints: list[IRValue]) -> None:
        self.builder.op("subIndex", [self.params["t"], ints[-1]], results=[TILE], span=self._span(), names=["part"])

    def _name(self, text: str, ints: list[IRValue]) -> None:
        self.builder.set_name(ints[-1], text)

    def _loop(self, statements: list, ints: list[IRValue]) -> None:
        handle = self.builder.loop(ints[0], ints[-1], ints[0], [ints[-1]], self._span(), name="i", names=["acc"])
        with handle:
            handle.yield_([self._run(statements, [*ints, handle.induction, handle.carried[0]])])
        ints += handle.results

    def _branch(self, statements: list, ints: list[IRValue]) -> None:
        flag = self.builder.arith("cmpi", [ints[-1], ints[0]], DType.INT1, self._span(), "sle")
        handle = self.builder.branch(flag, None, self._span(), names=["q"])
        with handle.then():
            handle.yield_([self._run(statements, ints)])
        with handle.orelse():
            handle.yield_([self._run(statements[:1], ints)])
        ints += handle.results

    def _while(self, statements: list, ints: list[IRValue]) -> None:
        handle = self.builder.while_loop([ints[-1]], self._span(), names=["w"])
        with handle.before():
            last = self._run(statements[:1], [ints[0], handle.carried[0]])
            handle.condition(self.builder.arith("cmpi", [last, ints[0]], DType.INT1, self._span(), "ne"))
        with handle.body():
            handle.yield_([self._run(statements, [ints[0], handle.body_args[0]])])
        ints += handle.results

    def _call(self, statements: list, ints: list[IRValue]) -> None:
        with self.builder.call(self._span()):
            ints.append(self._run(statements, ints))
