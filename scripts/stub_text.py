# SPDX-License-Identifier: Apache-2.0
"""Signatures of opset rows as text of a stub file."""

from __future__ import annotations

from collections.abc import Iterable

from asclens_compiler.opset.model import NO_DEFAULT, ApiRow, Overload, ParamKind, ParamRow

KINDS = {
    ParamKind.TENSOR: "BaseTensor", ParamKind.INT: "RuntimeInt", ParamKind.LIST: "Sequence[Any]",
    ParamKind.NONE: "None",
    ParamKind.QUEUE: "TQueBind", ParamKind.ANY: "Any",
}  # fmt: skip
RESULTS = {
    "int1": "PlainValue", "int32": "PlainValue", "int64": "PlainValue", "uint16": "PlainValue", "uint32": "PlainValue",
    "uint64": "PlainValue", "element": "Any", "dtype": "PlainValue", "self": "PlainValue", "Array": "Array",
    "uint16 uint16": "tuple[PlainValue, PlainValue]",
    "uint16 uint16 uint16 uint16": "tuple[PlainValue, PlainValue, PlainValue, PlainValue]",
}  # fmt: skip


def functions(name: str, rows: list[ApiRow], receiver: str = "", indent: str = "") -> str:
    """Return the stub of a function or method with the overloads of its rows."""
    overloads = [item for row in rows for item in row.overloads]
    if not overloads:
        first = f"{receiver}, " if receiver else ""
        result = "None" if name == "__init__" else "Any"
        return f"{indent}def {name}({first}*args: Any, **kwargs: Any) -> {result}: ...\n"
    if len(rows) > 1:
        overloads = [item for item in overloads if item.params]
    texts = list(dict.fromkeys(_signature(name, item, receiver) for item in overloads))
    decorator = f"{indent}@overload\n" if len(texts) > 1 else ""
    doc = rows[0].summary.replace("\\", "\\\\").replace('"""', "'''")
    lines = [f"{decorator}{indent}def {text}: ...\n" for text in texts]
    if doc and not decorator:
        ignore = "  # type: ignore[override]" if name in ("__eq__", "__ne__") else ""
        lines = [f'{indent}def {texts[0]}:{ignore}\n{indent}    """{doc}"""\n']
    return "".join(lines)


def _signature(name: str, overload: Overload, receiver: str) -> str:
    returns = RESULTS.get(overload.returns, overload.returns)
    return f"{name}({parameters(overload.params, receiver)}) -> {returns}"


def parameters(params: Iterable[ParamRow], receiver: str) -> str:
    """Return a parameter list; after one default all parameters have one."""
    texts = [receiver] if receiver else []
    optional = False
    for param in params:
        optional = optional or param.default != NO_DEFAULT
        kind = param.type_name or KINDS.get(param.kind, param.kind.value)
        if param.default == "None" and kind not in ("Any", "None"):
            kind += " | None"
        texts.append(f"{param.name}: {kind}" + (f" = {_default(param)}" if optional else ""))
    return ", ".join(texts)


def _default(param: ParamRow) -> str:
    return "..." if param.default == NO_DEFAULT or "." in param.default or param.default == "()" else param.default
