# SPDX-License-Identifier: Apache-2.0
"""Turns the IR text of real pyasc into a unit: same ops, same order, calls inlined.

What the text leaves out is filled in from the opset and from operands: positions of tensors, names
of enum members, result types. Ops that the opset has not raise `UnknownForm`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from asclens_compiler.ascir import real_types
from asclens_compiler.ascir.builder import Builder
from asclens_compiler.ascir.program import CoreKind
from asclens_compiler.ascir.real_rows import attributes, grouped, result_type
from asclens_compiler.ascir.real_structs import row_fields
from asclens_compiler.ascir.real_text import RealBlock, RealFunction, RealOp, UnknownForm, parse
from asclens_compiler.ascir.types import (
    HandleType,
    ScalarType,
    StructType,
)
from asclens_compiler.ascir.unit import Unit
from asclens_compiler.ascir.values import IRValue
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.opset.registry import opset

_CASTS = frozenset({"emitc.cast", "arith.extsi", "arith.extui", "arith.trunci", "arith.sitofp", "arith.uitofp",
                    "arith.fptosi", "arith.fptoui", "arith.extf", "arith.truncf"})  # fmt: skip
# Constants that the real package leaves to the C++ compiler: CANN `kernel_common.h` for architecture 2201.
_OPAQUE = {"TOTAL_L1_SIZE": 512 * 1024, "DEFAULT_C0_SIZE": 32, "TOTAL_UB_SIZE": 192 * 1024}
# What the real passes add for the toolchain: every emitter adds it again.
_HIDDEN = frozenset({"ascendc.set_ffts_base_addr"})
_DTYPES = {dtype.value: dtype for dtype in DType}


def import_text(text: str, file: str = "<real>") -> Unit:
    """Return the unit of a printed module of real pyasc; raise UnknownForm for what is not known."""
    functions = {item.name: item for item in parse(text)}
    unit = Unit.new(file)
    for function in functions.values():
        if "ascendc.global" in function.attributes:
            _Importer(unit, functions).kernel(function)
    return unit


@dataclass(slots=True)
class _Array:
    """A stack array that is being filled."""

    dtype: DType
    values: list[IRValue | None] = field(default_factory=list["IRValue | None"])


class _Importer:
    """Build one kernel."""

    def __init__(self, unit: Unit, functions: dict[str, RealFunction]) -> None:
        self._builder = Builder(unit)
        self._functions = functions
        self._values: dict[str, IRValue] = {}
        self._arrays: dict[str, _Array] = {}

    def kernel(self, function: RealFunction) -> None:
        hidden = {name for op in function.block.ops if op.name in _HIDDEN for name in op.operands}
        function.params = [item for item in function.params if item[0] not in hidden]
        params = [
            (python or name.lstrip("%"), real_types.from_text(type_), span)
            for name, type_, python, span in function.params
        ]
        cube = any(op.name.startswith("ascendc.mmad") for op in _all_ops(function.block, self._functions))
        kind = CoreKind.AIC if cube else CoreKind.AIV
        values = self._builder.begin_kernel(function.name, params, function.span, attrs={"core_kind": kind.value})
        self._bind([item[0] for item in function.params], values)
        self._block(function.block)
        self._builder.end_kernel(function.span)

    def _bind(self, names: Sequence[str], values: Sequence[IRValue]) -> None:
        self._values.update(zip(names, values, strict=True))

    def _of(self, name: str, op: RealOp) -> IRValue:
        if name in self._arrays:
            array = self._arrays.pop(name)
            filled = [item for item in array.values if item is not None]
            attrs = {"dtype": array.dtype}
            made = self._builder.op("array", [filled], attrs=attrs, results=[HandleType("Array")], span=op.span)
            self._values[name] = made[0]
        if name not in self._values:
            raise UnknownForm(op.span.line, f"{op.name} uses {name}, which nothing defines")
        return self._values[name]

    def _operands(self, op: RealOp) -> list[IRValue]:
        return [self._of(name, op) for name in op.operands]

    def _block(self, block: RealBlock) -> tuple[IRValue, ...]:
        """Build the ops of a block; return what its terminator passes on."""
        for index, op in enumerate(block.ops):
            if op.name == "ascendc.que_bind" and block.ops[index + 1].name == "ascendc.tbuf":
                continue  # the base object of the buffer, which nothing uses
            if op.name in _HIDDEN:
                continue
            if op.name in ("return", "func.return", "scf.yield", "scf.condition"):
                return tuple(self._operands(op))
            handler = _HANDLERS.get(op.name)
            if handler is not None:
                handler(self, op)
            elif op.name.startswith(("ascendc.", "emitasc.")):
                self._asc_op(op)
            elif op.name.startswith(("arith.", "math.")):
                self._scalar(op)
            else:
                raise UnknownForm(op.span.line, op.name)
        return ()

    # Scalars

    def _constant(self, op: RealOp) -> None:
        if op.name == "emitc.constant":
            value, _, type_ = op.attrs["value"].partition(" : ")
            type_ = type_ or op.types.split("->")[-1]
        else:
            value, type_ = op.words[0] if op.words else op.body, op.types
        dtype = real_types.scalar(type_ or "i1")
        if dtype is None:
            raise UnknownForm(op.span.line, f"{op.name} of type {type_}")
        self._bind(op.results, [self._builder.constant(_number(value, dtype, op), dtype, op.span)])

    def _cast(self, op: RealOp) -> None:
        source, _, target = op.types.partition(" to ")
        value = self._operands(op)[0]
        dtype = real_types.scalar(target)
        if "index" in (source.strip(), target.strip()) or dtype is None:
            self._bind(op.results, [value])  # an index is whatever integer it was made from
        else:
            self._bind(op.results, [self._builder.cast(value, dtype, op.span)])

    def _scalar(self, op: RealOp) -> None:
        name = op.name.removeprefix("arith.")
        values = self._operands(op)
        if name == "select":
            self._bind(op.results, [self._builder.select(values[0], values[1], values[2], op.span)])
            return
        compare = name.startswith("cmp")
        dtype = DType.INT1 if compare else real_types.scalar(op.types)
        if dtype is None:
            raise UnknownForm(op.span.line, f"{op.name} : {op.types}")
        if op.name.startswith("math."):
            made = self._builder.math(op.name.removeprefix("math."), values, dtype, op.span)
        else:
            made = self._builder.arith(name, values, dtype, op.span, op.words[0] if compare else None)
        self._bind(op.results, [made])

    def _alloca(self, op: RealOp) -> None:
        shape = real_types.shape(op.types) or (0,)
        dtype = real_types.element(op.types)
        if "ascendc.emit_as_unsigned" in op.attrs:
            dtype = _DTYPES.get(f"u{dtype.value}", dtype)
        self._arrays[op.results[0]] = _Array(dtype, [None] * shape[0])

    def _store(self, op: RealOp) -> None:
        value, array, index = op.operands
        held = self._arrays.get(array)
        position = index.removeprefix("%c").split("_")[0] or "0"
        if held is None or not position.isdigit() or int(position) >= len(held.values):
            raise UnknownForm(op.span.line, "a store into a stack array that is in use")
        held.values[int(position)] = self._of(value, op)

    # Control flow

    def _call(self, op: RealOp) -> None:
        callee = self._functions[op.words[0].lstrip("@")]
        arguments = self._operands(op)
        outer = self._values
        self._values = dict(zip((item[0] for item in callee.params), arguments, strict=True))
        with self._builder.call(op.span):
            results = self._block(callee.block)
        self._values = outer
        if op.results:
            self._bind(op.results, results)

    def _for(self, op: RealOp) -> None:
        # %induction = %lower to %upper step %step [iter_args(%arg = %init, ...)]
        induction, lower, upper, step, *pairs = op.operands
        inits = [self._of(name, op) for name in pairs[1::2]]
        start, stop, by = (self._of(name, op) for name in (lower, upper, step))
        handle = self._builder.loop(start, stop, by, inits, op.span)
        with handle:
            self._bind([induction, *pairs[0::2]], [handle.induction, *handle.carried])
            handle.yield_(self._block(op.blocks[0]))
        self._bind(op.results, handle.results)

    def _if(self, op: RealOp) -> None:
        handle = self._builder.branch(self._of(op.operands[0], op), None, op.span)
        with handle.then():
            handle.yield_(self._block(op.blocks[0]))
        if len(op.blocks) > 1:
            with handle.orelse():
                handle.yield_(self._block(op.blocks[1]))
        self._bind(op.results, handle.results)

    def _while(self, op: RealOp) -> None:
        handle = self._builder.while_loop([self._of(name, op) for name in op.operands[1::2]], op.span)
        with handle.before():
            self._bind(op.operands[0::2], handle.carried)
            flag, *passed = self._block(op.blocks[0])
            handle.condition(flag, passed)
        with handle.body():
            self._bind([name for name, _ in op.blocks[1].arguments], handle.body_args)
            handle.yield_(self._block(op.blocks[1]))
        self._bind(op.results, handle.results)

    # Opset ops

    def _construct(self, op: RealOp) -> None:
        head = op.body.split("(")[0].strip()
        type_ = real_types.from_text(head)
        name = type_.name if isinstance(type_, (StructType, HandleType)) else head
        if name == "MrgSortSrcList":
            made = self._builder.op("mrg_sort_src_list", [self._operands(op)], results=[HandleType(name)], span=op.span)
            self._bind(op.results, made)
            return
        type_ = StructType(name)
        dtype = real_types.scalar(head.partition("<")[2].rstrip(">")) if "<" in head else None
        attrs: dict[str, object] = {"type": name, "dtype": dtype if dtype is not None else ""}
        self._bind(
            op.results,
            self._builder.op("construct", [self._fields(name, op)], attrs=attrs, results=[type_], span=op.span),
        )

    def _fields(self, name: str, op: RealOp) -> list[IRValue]:
        """Return the operands of a struct as the opset's row has them."""
        given: list[IRValue | list[IRValue]] = []
        for operand in op.operands:
            array = self._arrays.pop(operand, None)
            given.append(
                self._of(operand, op) if array is None else [item for item in array.values if item is not None]
            )
        return [
            value if isinstance(value, IRValue) else self._builder.constant(value, _literal_type(value), op.span)
            for value in row_fields(name, given)
        ]

    def _asc_op(self, op: RealOp) -> None:
        row = opset().ops.get(op.name.split(".", 1)[1].replace(".", "_"))
        if row is None:
            raise UnknownForm(op.span.line, op.name)
        values = self._operands(op)
        if row.name == "gather_mask" and isinstance(values[2].type, ScalarType):
            row = opset().ops["gather_mask_fixed"]
        if row.name == "local_mem_allocator":  # the memory is an operand there and an attribute here
            op.words, values = (op.types.rpartition("<")[2].rstrip(">"),), []
        results = [
            result_type(row, text, op, values, index) for index, text in enumerate(row.results)
        ] if op.results else []  # fmt: skip
        made = self._builder.op(
            row.name, grouped(row, op, values), attrs=attributes(row, op), results=results, span=op.span
        )
        if row.results:
            self._bind(op.results, made)


_HANDLERS: dict[str, Callable[[_Importer, RealOp], None]] = {
    "arith.constant": _Importer._constant,  # pyright: ignore[reportPrivateUsage]
    "emitc.constant": _Importer._constant,  # pyright: ignore[reportPrivateUsage]
    "arith.index_cast": _Importer._cast,  # pyright: ignore[reportPrivateUsage]
    "arith.index_castui": _Importer._cast,  # pyright: ignore[reportPrivateUsage]
    "memref.alloca": _Importer._alloca,  # pyright: ignore[reportPrivateUsage]
    "memref.store": _Importer._store,  # pyright: ignore[reportPrivateUsage]
    "call": _Importer._call,  # pyright: ignore[reportPrivateUsage]
    "func.call": _Importer._call,  # pyright: ignore[reportPrivateUsage]
    "scf.for": _Importer._for,  # pyright: ignore[reportPrivateUsage]
    "scf.if": _Importer._if,  # pyright: ignore[reportPrivateUsage]
    "scf.while": _Importer._while,  # pyright: ignore[reportPrivateUsage]
    "ascendc.construct": _Importer._construct,  # pyright: ignore[reportPrivateUsage]
    **dict.fromkeys(_CASTS, _Importer._cast),  # pyright: ignore[reportPrivateUsage]
}


def _literal_type(value: int | float) -> DType:
    return DType.FLOAT32 if isinstance(value, float) else DType.INT32


def _all_ops(block: RealBlock, functions: dict[str, RealFunction], depth: int = 0) -> list[RealOp]:
    found: list[RealOp] = []
    for op in block.ops:
        found.append(op)
        for inner in op.blocks:
            found += _all_ops(inner, functions, depth)
        if op.name in ("call", "func.call") and depth < 20:
            found += _all_ops(functions[op.words[0].lstrip("@")].block, functions, depth + 1)
    return found


def _number(text: str, dtype: DType, op: RealOp) -> int | float | bool:
    if text in ("true", "false"):
        return text == "true"
    opaque = text.rpartition("::")[2].strip('">')
    if opaque in _OPAQUE:
        return _OPAQUE[opaque]
    try:
        if not dtype.is_float:
            return int(text, 0)
        return float(text)
    except ValueError as error:
        raise UnknownForm(op.span.line, f"the literal {text}") from error
