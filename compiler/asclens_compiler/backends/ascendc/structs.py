# SPDX-License-Identifier: Apache-2.0
"""Initialisers of parameter structs: C++ types of the members, arrays beside the struct."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from asclens_compiler.ascir.program import Const, Op, Operand
from asclens_compiler.ascir.real_structs import CPP_ORDER
from asclens_compiler.ascir.types import ScalarType
from asclens_compiler.backends.ascendc import cpp_types
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.opset.model import StructRow
from asclens_compiler.opset.registry import opset

# Member types in order, as the constructors of CANN 8.5 take them; `T` is the struct's own element type.
_MEMBERS = {
    "BinaryRepeatParams": "u8 u8 u8 u8 u8 u8",
    "UnaryRepeatParams": "u16 u16 u8 u8",
    "BrcbRepeatParams": "u16 u16",
    "GatherRepeatParams": "u16 u16",
    "CopyRepeatParams": "u16 u16 u16 u16",
    "GatherMaskParams": "u8 u16 u16 u8",
    "DataCopyParams": "u16 u16 u16 u16",
    "DataCopyEnhancedParams": "AscendC::BlockMode AscendC::DeqScale u64 u8 b pad_t u64",
    "DataCopyExtParams": "u16 u32 u32 u32 u32",
    "DataCopyPadParams": "b u16 u16 u64",
    "DataCopyPadExtParams": "b u16 u16 T",
    "DataCopyCO12DstParams": "u64 u64 u64 u64 QuantMode_t u8 b b",
    "Nd2NzParams": "u16 u16 u16 u16 u16 u16 u16 u16",
    "Nz2NdParamsFull": "u16 u16 u16 u16 u16 u16 u16",
    "SliceInfo": "u32 u32 u32 u32 u32",
    "TransDataTo5HDParams": "b b u8 u16 u16",
    "TransposeParamsExt": "u16 u16 u16 u16 AscendC::TransposeType",
    "CheckLocalMemoryIAParam": "u8 u32 u32 b b b b b b b",
    "InitConstValueParams": "u16 u16 u16 T",
    "LoadData2DParams": "u16 u8 u16 u16 u16 b u8",
    "LoadData2DParamsV2": "u32 u32 u16 u16 i32 u16 b u8",
    "LoadData2dTransposeParams": "u16 u8 u16 u16 u16 u8",
    "LoadData2dTransposeParamsV2": "u16 u8 u16 u16 u16 u16 u8",
    "LoadDataRepeatParam": "u8 u16 u8",
    "MmadParams": "u16 u16 u16 b i32 b b b",
    "FixpipeParamsV220": "u16 u16 u16 u32 b QuantMode_t u64 u16 u16 u16 u8 b",
    "FixpipeConfig": "AscendC::CO2Layout",
    "MrgSort4Info": "u16[] b u16 u16",
    "VdeqInfo": "f32[] i16[] b[]",
    "QuantConfig": "u32 u32 u32 u32",
}
_SHORT = {
    "b": "bool", "u8": "uint8_t", "u16": "uint16_t", "u32": "uint32_t", "u64": "uint64_t", "i16": "int16_t",
    "i32": "int32_t", "f32": "float",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class StructText:
    """What a struct needs: statements before it, and its declaration."""

    before: tuple[str, ...]
    declaration: str


def construct(op: Op, name: str, text: Callable[[Operand], str], fresh: Callable[[str], str]) -> StructText:
    """Return the declaration of the struct that a `construct` op makes in the variable `name`."""
    kind = str(op.attr("type"))
    element = op.attr("dtype") or None
    spelled = cpp_types.struct(kind, element)
    operands = op.operands[0] if op.operands and isinstance(op.operands[0], tuple) else ()
    if kind == "ShapeInfo":
        return _shape_info(operands, name, text, fresh)
    if not operands:
        return StructText(before=(), declaration=f"{spelled} {name};")
    row = opset().structs.get(kind)
    if kind.startswith("Aipp"):
        return _by_member(spelled, name, row, [text(item) for item in operands], [], 0)
    operands = tuple(operands[index] for index in _cpp_positions(kind, len(operands)))
    members = _MEMBERS.get(kind, "").split()
    before: list[str] = []
    fields: list[str] = []
    lengths = _lengths(row, len(operands))
    start = 0
    for index, length in enumerate(lengths):
        part = operands[start : start + length]
        start += length
        member = members[index] if index < len(members) else ""
        if length == 1:
            fields.append(_field(part[0], member, element, text))
            continue
        array = fresh(f"{name}_{row.fields[index].name}" if row is not None else f"{name}_list")
        base = _SHORT.get(member.removesuffix("[]"), "uint8_t")
        before.append(f"{base} {array}[] = {{{', '.join(_bare(item, text) for item in part)}}};")
        fields.append(array)
    if members and len(members) < len(fields):
        return _by_member(spelled, name, row, fields, before, len(members))
    return StructText(before=tuple(before), declaration=f"{spelled} {name}{{{', '.join(fields)}}};")


def _cpp_positions(kind: str, count: int) -> Iterator[int]:
    """Yield which field of the row each argument of the C++ constructor is."""
    order = CPP_ORDER.get(kind)
    if order is None or len(order) != count:
        yield from range(count)
        return
    yield from (order.index(position) for position in range(count))


# How a member's default is written; members that hold it need no assignment.
_DEFAULTS = {"0": ("0",), "False": ("0", "false"), "True": ("1", "true")}


def _by_member(
    spelled: str, name: str, row: StructRow | None, fields: list[str], before: list[str], count: int
) -> StructText:
    """Initialise what the constructor takes and assign the members that it does not take."""
    members = [item for item in row.fields if item.name != "dtype"] if row is not None else []
    rest = [
        f" {name}.{_camel(members[index].ir_name or members[index].name)} = {fields[index]};"
        for index in range(count, len(fields))
        if members and fields[index] not in _DEFAULTS.get(members[index].default, ())
    ]
    head = f"{spelled} {name}{{{', '.join(fields[:count])}}};"
    return StructText(before=tuple(before), declaration=head + "".join(rest))


def _lengths(row: StructRow | None, count: int) -> Iterator[int]:
    """Yield how many operands each field takes."""
    numeric = [item.length for item in row.fields if item.name != "dtype"] if row is not None else []
    if sum(numeric) != count:  # an imported struct holds arrays as one operand each and may leave fields out
        yield from [1] * count
        return
    yield from numeric


def _field(operand: Operand, member: str, element: object, text: Callable[[Operand], str]) -> str:
    if isinstance(operand, Const):
        if not member or member in _SHORT:
            return _literal(operand, member)
        if member == "T":
            dtype = DType(str(element)) if element else DType.FLOAT32
            return cpp_types.literal(Const(operand.value, ScalarType(dtype)))
    spelled = cpp_types.dtype(DType(str(element))) if member == "T" and element else _SHORT.get(member, member)
    return f"static_cast<{spelled}>({text(operand)})" if spelled and not spelled.endswith("[]") else text(operand)


def _literal(operand: Const, member: str) -> str:
    if member == "b":
        return "true" if operand.value else "false"
    return str(int(operand.value)) if member else cpp_types.literal(operand)


def _bare(operand: Operand, text: Callable[[Operand], str]) -> str:
    return str(operand.value).lower() if isinstance(operand, Const) else text(operand)


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


def _shape_info(
    operands: tuple[Operand, ...], name: str, text: Callable[[Operand], str], fresh: Callable[[str], str]
) -> StructText:
    """Return a shape: number of dimensions, dimensions, and the same of the original shape."""
    if len(operands) < 17 or all(isinstance(item, Const) and not item.value for item in operands):
        if len(operands) in (3, 5):  # imported: dimensions already lie in an array
            casts = ("uint8_t", "uint32_t*", "uint8_t", "uint32_t*", "AscendC::DataFormat")
            kinds = casts if len(operands) == 5 else (casts[0], casts[1], casts[4])
            fields = [f"static_cast<{kind}>({text(item)})" for kind, item in zip(kinds, operands, strict=True)]
            return StructText(before=(), declaration=f"AscendC::ShapeInfo {name}{{{', '.join(fields)}}};")
        return StructText(before=(), declaration=f"AscendC::ShapeInfo {name};")
    before: list[str] = []
    fields: list[str] = []
    for label, part in (("shape", operands[:8]), ("original", operands[8:16])):
        used = [item for item in part if not (isinstance(item, Const) and item.value == 0)]
        if used:
            array = fresh(f"{name}_{label}")
            before.append(f"uint32_t {array}[] = {{{', '.join(_bare(item, text) for item in used)}}};")
            fields += [str(len(used)), array]
    fields.append(f"static_cast<AscendC::DataFormat>({text(operands[16])})")
    return StructText(before=tuple(before), declaration=f"AscendC::ShapeInfo {name}{{{', '.join(fields)}}};")
