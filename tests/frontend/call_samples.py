# SPDX-License-Identifier: Apache-2.0
"""One kernel text per overload of every public call, written from the opset's rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from asclens_compiler.opset.model import NO_DEFAULT, ApiRow, FieldRow, Overload, ParamKind, ParamRow
from asclens_compiler.opset.registry import opset

HEAD = """import asc


@asc.jit
def kernel(x: asc.GlobalAddress, n: int, f: float):
    g = asc.GlobalTensor()
    g.set_global_buffer(x, 1024)
    t = asc.LocalTensor(asc.float16, asc.TPosition.VECIN, 0, 1024)
    pipe = asc.TPipe()
    q = asc.TQue(asc.TPosition.VECIN, 1)
    b = asc.TBuf(asc.TPosition.VECCALC)
    pool = asc.TBufPool(asc.TPosition.VECCALC)
    alloc = asc.LocalMemAllocator()
"""
OWNERS = {
    "LocalTensor": "t",
    "LocalTensorAuto": "asc.LocalTensorAuto(asc.float16, 64)",
    "GlobalTensor": "g",
    "TPipe": "pipe",
    "TQue": "q",
    "TQueBind": "asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)",
    "TBuf": "b",
    "TBufPool": "pool",
    "LocalMemAllocator": "alloc",
    "ShapeInfo": "asc.ShapeInfo([1, 2])",
    "ListTensorDesc": "asc.ListTensorDesc()",
    "TensorDesc": "asc.TensorDesc(asc.float16)",
}
VALUES = {
    ParamKind.LOCAL: "t", ParamKind.GLOBAL: "g", ParamKind.TENSOR: "t", ParamKind.INT: "4", ParamKind.FLOAT: "1.5",
    ParamKind.NUMERIC: "2", ParamKind.BOOL: "True", ParamKind.CONST_BOOL: "True", ParamKind.CONST_INT: "4",
    ParamKind.CONST_FLOAT: "1.0", ParamKind.CONST_STR: "'text'", ParamKind.LIST: "[1, 2]",
    ParamKind.DTYPE: "asc.float16",
    ParamKind.QUEUE: "q", ParamKind.BUFFER: "b", ParamKind.POOL: "pool", ParamKind.POINTER: "x", ParamKind.ANY: "4",
    ParamKind.NONE: "None",
}  # fmt: skip
# Names that are no calls of a kernel, or need what the head cannot have.
_NOT_CALLED = frozenset(
    ("host", "annotation", "jit", "range", "static_range", "field", "struct", "struct_local", "tpipe")
)
_SKIPPED_MODULES = ("lib", "runtime", "language")
# A position that fits where the first member of the enum does not.
_FIRST = {"TPosition": "VECIN"}


@dataclass(frozen=True)
class CallSample:
    """A kernel text with one call, all arguments by keyword or the required ones by position."""

    name: str
    text: str


def value_of(row: ParamRow | FieldRow) -> str:
    """Return an expression that fits a parameter or field."""
    rows = opset()
    if row.kind is ParamKind.ENUM:
        if row.type_name == "Property":
            return "asc.TOTAL_L1_SIZE"
        member = _FIRST.get(row.type_name) or rows.enums[row.type_name].members[0][0]
        return f"asc.{row.type_name}.{member}"
    if row.kind is ParamKind.STRUCT:
        if row.type_name == "MrgSortSrcList":
            return "asc.MrgSortSrcList(asc.float16, t, t)"
        module = "asc" if f"asc.{row.type_name}" in rows.apis else "asc.adv"
        struct = rows.structs.get(row.type_name)
        fields = struct.fields if struct is not None else ()
        given = [f"{field.name}={_field(field)}" for field in fields if field.default == NO_DEFAULT]
        return f"{module}.{row.type_name}({', '.join(given)})"
    return VALUES[row.kind]


def _field(row: FieldRow) -> str:
    return f"[{', '.join(['1'] * row.length)}]" if row.length > 1 else value_of(row)


def callee(row: ApiRow) -> str:
    """Return what stands before the parentheses."""
    parts = row.name.split(".")[1:]
    return f"{OWNERS[parts[0]]}.{parts[1]}" if len(parts) == 2 and parts[0] in OWNERS else row.name


def callable_rows() -> Iterator[tuple[ApiRow, Overload]]:
    """Yield every overload that a kernel can call."""
    for name, row in opset().apis.items():
        parts = name.split(".")
        if row.unsupported or row.staged or parts[0] != "asc" or parts[1] in _SKIPPED_MODULES:
            continue
        if parts[-1].startswith("__") or any(item.lower in _NOT_CALLED for item in row.overloads):
            continue
        for overload in row.overloads:
            yield row, overload


def call_samples() -> Iterator[CallSample]:
    """Yield one sample per overload and way of passing arguments."""
    for row, overload in callable_rows():
        keywords = ", ".join(f"{param.name}={value_of(param)}" for param in overload.params)
        required = ", ".join(value_of(param) for param in overload.params if param.default == NO_DEFAULT)
        for arguments in dict.fromkeys((keywords, required)):
            call = f"{callee(row)}({arguments})"
            yield CallSample(call, f"{HEAD}    r = {call}\n")
