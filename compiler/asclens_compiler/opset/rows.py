# SPDX-License-Identifier: Apache-2.0
"""Short words to write op rows and API rows with; families are tables made of these."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Memory, Pipe
from asclens_compiler.opset.model import (
    NO_DEFAULT,
    ApiRow,
    AttrRow,
    FieldRow,
    OperandRow,
    OpRow,
    Overload,
    ParamKind,
    ParamRow,
    Role,
    StructRow,
)

UB = frozenset({Memory.UB})
ANY_MEMORY: frozenset[Memory] = frozenset()
_SHORT = {"half": "float16", "float": "float32", "bf16": "bfloat16", "double": "float64"}
_KINDS = {kind.value: kind for kind in ParamKind}
_ENUM_TEXT = """
    AippInputFormat AtomicDtype AtomicOp BatchMode BatchOutMode BlockMode CMPMODE CO2Layout CacheLine CacheMode
    CacheRwMode CubeFormat DataFormat DcciDst DeqScale GatherMaskMode HardEvent Hardware IterateMode IterateOrder
    LayoutMode MaskMode MatmulConfigMode MatmulPolicy MemDsbT PipeID Property QuantModes ReduceOrder RoundMode
    ScheduleType SelMode TPosition TransposeType pad_t PipeStage Scope
"""
_ENUM_NAMES = frozenset(_ENUM_TEXT.split())
_ALIASES = {"calCount": "count", "loadDataParam": "load_data_params"}
_PART = re.compile(r"\s*(\w+)\s*:\s*([\w.]+)\s*(?:=\s*(.+?)\s*)?$")


def types(names: str) -> frozenset[DType]:
    """Return element types by name; `half`, `float`, `bf16`, `double` are short forms."""
    return frozenset(DType(_SHORT.get(name, name)) for name in names.split())


def type_pairs(text: str) -> frozenset[tuple[DType, ...]]:
    """Return tuples of element types written like `half,float int32,half`."""
    return frozenset(tuple(DType(_SHORT.get(name, name)) for name in item.split(",")) for item in text.split())


def dst(dtypes: str = "", name: str = "dst", memories: frozenset[Memory] = UB) -> OperandRow:
    """Return a tensor operand that the op writes."""
    return OperandRow(name=name, role=Role.DST, memories=memories, dtypes=types(dtypes))


def src(dtypes: str = "", name: str = "src", memories: frozenset[Memory] = UB) -> OperandRow:
    """Return a tensor operand that the op reads."""
    return OperandRow(name=name, role=Role.SRC, memories=memories, dtypes=types(dtypes))


def inout(dtypes: str = "", name: str = "dst", memories: frozenset[Memory] = UB) -> OperandRow:
    """Return a tensor operand that the op reads and writes."""
    return OperandRow(name=name, role=Role.INOUT, memories=memories, dtypes=types(dtypes))


def scratch(name: str = "sharedTmpBuffer", *, optional: bool = False) -> OperandRow:
    """Return a work buffer: its contents after the op are arbitrary."""
    return OperandRow(name=name, role=Role.DST, memories=UB, optional=optional)


def tensor(name: str = "tensor", memories: frozenset[Memory] = ANY_MEMORY, *, optional: bool = False) -> OperandRow:
    """Return a tensor handle whose contents the op leaves alone."""
    return OperandRow(name=name, role=Role.TENSOR, memories=memories, optional=optional)


def handle(name: str, *, optional: bool = False, variadic: bool = False) -> OperandRow:
    """Return a queue, buffer, pipe, pointer or other object."""
    return OperandRow(name=name, role=Role.HANDLE, optional=optional, variadic=variadic)


def number(
    name: str, dtype: str = "int32", *, optional: bool = False, variadic: bool = False, same_as: str = ""
) -> OperandRow:
    """Return a scalar operand; `dtype` "" means any number."""
    return OperandRow(
        name=name,
        role=Role.SCALAR,
        dtypes=frozenset() if same_as else types(dtype),
        optional=optional,
        variadic=variadic,
        same_as=same_as,
    )


def numbers(names: str, dtype: str = "int32") -> tuple[OperandRow, ...]:
    """Return several scalar operands of one type."""
    return tuple(number(name, dtype) for name in names.split())


def params(name: str, struct: str, *, optional: bool = False) -> OperandRow:
    """Return a parameter struct operand."""
    return OperandRow(name=name, role=Role.PARAMS, struct=struct, optional=optional)


MASK = number("mask", "int64")
MASK_WORDS = number("mask", "uint64", variadic=True)
COUNT = number("calCount")
REPEAT = number("repeatTimes")
SET_MASK = AttrRow(name="isSetMask", kind=bool)


def flag(name: str) -> AttrRow:
    """Return a bool attribute."""
    return AttrRow(name=name, kind=bool)


def enum(name: str, enum_name: str) -> AttrRow:
    """Return an attribute that holds an enum member's name."""
    return AttrRow(name=name, enum=enum_name)


def dtype_attr(name: str = "dtype") -> AttrRow:
    """Return an attribute that holds an element type's name."""
    return AttrRow(name=name, kind=DType)


def signature(text: str) -> tuple[ParamRow, ...]:
    """Return parameters written as a Python signature: `dst: LocalTensor, count: RuntimeInt = 1`.

    Types are the values of `ParamKind`, names of enums, or else names of structs.
    Raises ValueError for text that is not of this form.
    """
    return tuple(_param(part) for part in _split(text)) if text.strip() else ()


def _split(text: str) -> list[str]:
    parts: list[str] = [""]
    depth = 0
    for char in text:
        depth += (char in "([") - (char in ")]")
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return parts


def _param(text: str) -> ParamRow:
    match = _PART.match(text)
    if match is None:
        raise ValueError(f"not a parameter: {text!r}")
    name, type_name, default = match.groups()
    kind = _KINDS.get(type_name)
    if kind is None:
        kind = ParamKind.ENUM if type_name in _ENUM_NAMES else ParamKind.STRUCT
    else:
        type_name = ""
    return ParamRow(name=name, kind=kind, type_name=type_name, default=NO_DEFAULT if default is None else default)


def snake(name: str) -> str:
    """Return `repeat_times` for `repeatTimes`."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", lambda match: "_" + match.group(1).lower(), name)


def overload(op: OpRow | None, text: str, *, returns: str = "None", lower: str = "", **binding: str) -> Overload:
    """Return an overload of signature `text` that becomes `op`.

    Operands and attributes bind to the parameter of the same name, of its snake_case form, or to
    `count` for `calCount`; `binding` gives the rest (a value that starts with "=" is a literal).
    """
    rows = signature(text)
    if op is None:
        return Overload(params=rows, lower=lower, returns=returns)
    names = {row.name for row in rows}
    found: list[tuple[str, str]] = []
    for name in [*(operand.name for operand in op.operands), *(attr.name for attr in op.attrs)]:
        if name in binding:
            found.append((name, binding[name]))
        elif name not in names:
            other = next((item for item in (snake(name), _ALIASES.get(name, "")) if item in names), None)
            if other is not None:
                found.append((name, other))
    return Overload(params=rows, op=op.name, binding=tuple(found), lower=lower, returns=returns)


def bilingual(text: str) -> tuple[str, str]:
    """Return the English and the Chinese part of "English|Chinese"."""
    english, _, chinese = text.partition("|")
    return english, chinese


def api(name: str, *overloads: Overload, text: str) -> ApiRow:
    """Return an API row; `name` goes without the leading `asc.`, `text` is "English|Chinese"."""
    summary, summary_zh = bilingual(text)
    return ApiRow(name=f"asc.{name}", overloads=overloads, summary=summary, summary_zh=summary_zh)


def described(row: OpRow) -> str:
    """Return the texts of an op row as "English|Chinese", for the API row of the same meaning."""
    return f"{row.summary}|{row.summary_zh}"


def staged(name: str, *overloads: Overload, text: str) -> ApiRow:
    """Return an API row of the staged surface; `name` goes without the leading `staged.`."""
    return replace(api(name, *overloads, text=text), name=f"staged.{name}", staged=True)


def unsupported(name: str, reason: str, *overloads: Overload, text: str = "") -> ApiRow:
    """Return the row of a public name that is known but not implemented."""
    return replace(api(name, *overloads, text=text or reason), unsupported=reason)


def inherit(rows: Iterable[ApiRow], base: str, *classes: str) -> tuple[ApiRow, ...]:
    """Return copies of the methods of `base` for classes derived from it."""
    prefix = f"asc.{base}."
    return tuple(
        replace(row, name=f"asc.{derived}.{row.name.removeprefix(prefix)}")
        for derived in classes
        for row in rows
        if row.name.startswith(prefix)
    )


def struct(name: str, text: str, summary: str, *, host: bool = False) -> StructRow:
    """Return a struct row; fields are written like a signature, `pad_list: list[4] = (0, 0, 0, 0)` for lists."""
    return StructRow(name=name, fields=tuple(_field(part) for part in _split(text)), summary=summary, host=host)


def _field(text: str) -> FieldRow:
    length = 1
    match = re.search(r":\s*list\[(\d+)\]", text)
    if match is not None:
        length = int(match.group(1))
        text = text[: match.start()] + ": list" + text[match.end() :]
    row = _param(text)
    return FieldRow(name=row.name, kind=row.kind, default=row.default, type_name=row.type_name, length=length)


def declare(
    name: str,
    cpp: str,
    *operands: OperandRow,
    text: str,
    results: str = "",
    attrs: tuple[AttrRow, ...] = (),
    semantics: str = "",
) -> OpRow:
    """Return an op that makes or asks a handle; the machine runs it, on no pipe. `text` is "English|Chinese"."""
    summary, summary_zh = bilingual(text)
    return OpRow(
        name=name,
        cpp=cpp,
        operands=operands,
        attrs=attrs,
        results=tuple(results.split()),
        semantics=semantics or f"machine.{name}",
        summary=summary,
        summary_zh=summary_zh,
    )


def scalar_op(row: OpRow) -> OpRow:
    """Return the row as an instruction of the scalar unit."""
    return replace(row, pipe=Pipe.S)


def computes(row: OpRow) -> OpRow:
    """Return the row as scalar work that a staged kernel must put into a SCALAR stage."""
    return replace(row, pipe=Pipe.S, compute_unit="SCALAR")


def pure(row: OpRow) -> OpRow:
    """Return the row as one that may be dropped or merged when its result allows."""
    return replace(row, pure=True)
