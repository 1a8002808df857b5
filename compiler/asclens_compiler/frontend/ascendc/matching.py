# SPDX-License-Identifier: Apache-2.0
"""Which overload of an API row takes the given arguments: the first that fits, as the toolchain picks it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from asclens_compiler.frontend.dtypes import DTypeValue
from asclens_compiler.frontend.enums import EnumValue
from asclens_compiler.frontend.scalars import Scalar
from asclens_compiler.frontend.static import SequenceValue, StaticValue
from asclens_compiler.frontend.values import POISON, KernelValue
from asclens_compiler.opset.model import NO_DEFAULT, ApiRow, Overload, ParamKind, ParamRow

_LOCAL = ("asc.LocalTensor", "asc.LocalTensorAuto")
_QUEUES = ("asc.TQue", "asc.TQueBind")


_NUMBERS = (ParamKind.INT, ParamKind.FLOAT, ParamKind.NUMERIC, ParamKind.BOOL)


def _static(*kinds: type) -> Callable[[KernelValue], bool]:
    return lambda value: isinstance(value, StaticValue) and isinstance(value.value, kinds)


def _const(*kinds: type) -> Callable[[KernelValue], bool]:
    return lambda value: (
        (isinstance(value, StaticValue) and isinstance(value.value, kinds))
        or (isinstance(value, Scalar) and value.unknown_const)
    )


def _run_time(*kinds: type) -> Callable[[KernelValue], bool]:
    return lambda value: (
        isinstance(value, Scalar) or (isinstance(value, StaticValue) and isinstance(value.value, kinds))
    )


def _object(*classes: str) -> Callable[[KernelValue], bool]:
    return lambda value: value.api_class() in classes


_CHECKS: dict[ParamKind, Callable[[KernelValue], bool]] = {
    ParamKind.LOCAL: _object(*_LOCAL),
    ParamKind.GLOBAL: _object("asc.GlobalTensor"),
    ParamKind.TENSOR: _object(*_LOCAL, "asc.GlobalTensor"),
    ParamKind.INT: lambda value: _run_time(int)(value) or isinstance(value, EnumValue),
    ParamKind.FLOAT: _run_time(float),
    ParamKind.NUMERIC: _run_time(int, float),
    ParamKind.BOOL: _run_time(bool),
    ParamKind.CONST_BOOL: _const(bool),
    ParamKind.CONST_INT: lambda value: _const(int)(value) or isinstance(value, EnumValue),
    ParamKind.CONST_FLOAT: _const(float),
    ParamKind.CONST_STR: _static(str),
    ParamKind.LIST: lambda value: isinstance(value, SequenceValue) or value.api_class() == "asc.Array",
    ParamKind.DTYPE: lambda value: isinstance(value, DTypeValue),
    ParamKind.QUEUE: _object(*_QUEUES),
    ParamKind.BUFFER: _object("asc.TBuf"),
    ParamKind.POOL: _object("asc.TBufPool"),
    ParamKind.POINTER: _object("asc.GlobalAddress"),
    ParamKind.NONE: lambda value: isinstance(value, StaticValue) and value.value is None,
    ParamKind.ANY: lambda _value: True,
}


def accepts(param: ParamRow, value: KernelValue) -> bool:
    """Tell whether a parameter takes a value; an unknown value fits everywhere."""
    if value is POISON:
        return True
    if param.default == "None" and isinstance(value, StaticValue) and value.value is None:
        return True
    if param.kind is ParamKind.ENUM:
        return isinstance(value, EnumValue) and value.type_name == param.type_name
    if param.kind is ParamKind.STRUCT:
        return value.api_class() in (f"asc.{param.type_name}", f"asc.adv.{param.type_name}")
    return _CHECKS[param.kind](value)


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """An overload with the values of its parameters; absent ones take their defaults."""

    overload: Overload
    values: dict[str, KernelValue]


def match(row: ApiRow, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue]) -> Match | None:
    """Return the first overload that takes the arguments."""
    for overload in row.overloads:
        values = _bind(overload, args, kwargs, accepts)
        if values is not None:
            return Match(overload, values)
    # The toolchain dispatches by type only where it has a choice; otherwise any number will do.
    if len(row.overloads) == 1:
        values = _bind(row.overloads[0], args, kwargs, accepts_loosely)
        if values is not None:
            return Match(row.overloads[0], values)
    return None


def accepts_loosely(param: ParamRow, value: KernelValue) -> bool:
    """Tell whether a parameter takes a value when numbers, bools and enum numbers stand for each other."""
    if accepts(param, value):
        return True
    if param.kind in _NUMBERS:
        return isinstance(value, Scalar) or (isinstance(value, StaticValue) and isinstance(value.value, int | float))
    return param.kind is ParamKind.ENUM and isinstance(value, StaticValue) and isinstance(value.value, int)


def _bind(
    overload: Overload,
    args: Sequence[KernelValue],
    kwargs: Mapping[str, KernelValue],
    fits: Callable[[ParamRow, KernelValue], bool],
) -> dict[str, KernelValue] | None:
    params = overload.params
    if len(args) > len(params):
        return None
    values: dict[str, KernelValue] = {}
    for param, value in zip(params, args, strict=False):
        if not fits(param, value):
            return None
        values[param.name] = value
    by_name = {param.name: param for param in params}
    for name, value in kwargs.items():
        param = by_name.get(name)
        if param is None or name in values or not fits(param, value):
            return None
        values[name] = value
    if any(param.name not in values and param.default == NO_DEFAULT for param in params):
        return None
    return values


def signature(row: ApiRow, overload: Overload) -> str:
    """Return an overload as text (`add(dst: LocalTensor, ...)`)."""
    parts = [
        f"{param.name}: {param.type_name or param.kind.value}"
        + ("" if param.default == NO_DEFAULT else f" = {param.default}")
        for param in overload.params
    ]
    return f"{row.name.removeprefix('asc.')}({', '.join(parts)})"


def explain(row: ApiRow, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue]) -> str:
    """Return why the nearest overload does not take the arguments, as a clause."""
    best, score = "", -1
    for overload in row.overloads:
        reason, fits = _mismatch(overload, args, kwargs)
        if fits > score:
            best, score = reason, fits
    return best


def _mismatch(overload: Overload, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue]) -> tuple[str, int]:
    params = overload.params
    fits = 0
    reason = ""
    for index, value in enumerate(args):
        if index >= len(params):
            reason = reason or f"it takes {len(params)} arguments, {len(args) + len(kwargs)} are given"
        elif accepts(params[index], value):
            fits += 2
        else:
            reason = reason or _wanted(params[index], value)
    by_name = {param.name: param for param in params}
    for name, value in kwargs.items():
        if name not in by_name:
            reason = reason or f"it has no parameter `{name}`"
        elif accepts(by_name[name], value):
            fits += 2
        else:
            reason = reason or _wanted(by_name[name], value)
    given = {param.name for param in params[: len(args)]} | set(kwargs)
    missing = [param.name for param in params if param.name not in given and param.default == NO_DEFAULT]
    if missing and not reason:
        reason = f"{' and '.join(f'`{name}`' for name in missing)} {'is' if len(missing) == 1 else 'are'} missing"
    return reason, fits - len(missing)


_WORDS = {
    ParamKind.INT: "an integer",
    ParamKind.FLOAT: "a float",
    ParamKind.NUMERIC: "a number",
    ParamKind.BOOL: "a bool",
    ParamKind.CONST_BOOL: "a compile-time bool",
    ParamKind.CONST_INT: "a compile-time int",
    ParamKind.CONST_FLOAT: "a compile-time float",
    ParamKind.CONST_STR: "text",
    ParamKind.LIST: "a list",
    ParamKind.TENSOR: "a tensor",
    ParamKind.DTYPE: "a dtype",
    ParamKind.NONE: "None",
}


def _wanted(param: ParamRow, value: KernelValue) -> str:
    wanted = param.type_name or _WORDS.get(param.kind, param.kind.value)
    return f"`{param.name}` takes {wanted}, not {value.describe()}"
