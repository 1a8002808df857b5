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


def _member(type_name: str) -> Callable[[KernelValue], bool]:
    return lambda value: isinstance(value, EnumValue) and value.type_name == type_name


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


Check = Callable[[KernelValue], bool]


def check_of(param: ParamRow) -> Check:
    """Return the test that a parameter puts its values to; an unknown value fits everywhere."""
    if param.kind is ParamKind.ENUM:
        fits = _member(param.type_name)
    elif param.kind is ParamKind.STRUCT:
        fits = _object(f"asc.{param.type_name}", f"asc.adv.{param.type_name}")
    else:
        fits = _CHECKS[param.kind]
    optional = param.default == "None"
    return lambda value: (
        fits(value) or value is POISON or (optional and isinstance(value, StaticValue) and value.value is None)
    )


def accepts(param: ParamRow, value: KernelValue) -> bool:
    """Tell whether a parameter takes a value."""
    return check_of(param)(value)


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """An overload with the values of its parameters; absent ones take their defaults."""

    overload: Overload
    values: dict[str, KernelValue]


@dataclass(frozen=True, slots=True, eq=False)
class _Form:
    """An overload prepared for matching."""

    names: tuple[str, ...]
    checks: dict[str, Check]
    loose: dict[str, Check]
    required: frozenset[str]


# Rows live as long as the program, so their ids name them; hashing a row would walk all of it.
_FORMS: dict[int, _Form] = {}


def _form(overload: Overload) -> _Form:
    found = _FORMS.get(id(overload))
    if found is None:
        params = {param.name: param for param in overload.params}
        required = frozenset(name for name, param in params.items() if param.default == NO_DEFAULT)
        checks = {name: check_of(param) for name, param in params.items()}
        loose = {name: _loosened(param, checks[name]) for name, param in params.items()}
        found = _FORMS[id(overload)] = _Form(tuple(params), checks, loose, required)
    return found


def match(row: ApiRow, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue]) -> Match | None:
    """Return the first overload that takes the arguments."""
    for overload in row.overloads:
        form = _form(overload)
        values = _bind(form, form.checks, args, kwargs)
        if values is not None:
            return Match(overload, values)
    # The toolchain dispatches by type only where it has a choice; otherwise any number will do.
    if len(row.overloads) == 1:
        form = _form(row.overloads[0])
        values = _bind(form, form.loose, args, kwargs)
        if values is not None:
            return Match(row.overloads[0], values)
    return None


def _loosened(param: ParamRow, check: Check) -> Check:
    """Return a test in which numbers, bools and enum numbers stand for each other."""
    if param.kind in _NUMBERS:
        return lambda value: check(value) or _run_time(int, float)(value)
    if param.kind is ParamKind.ENUM:
        return lambda value: check(value) or _static(int)(value)
    return check


def _bind(
    form: _Form, checks: Mapping[str, Check], args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue]
) -> dict[str, KernelValue] | None:
    if len(args) > len(form.names):
        return None
    values: dict[str, KernelValue] = {}
    for name, value in zip(form.names, args, strict=False):
        if not checks[name](value):
            return None
        values[name] = value
    for name, value in kwargs.items():
        check = checks.get(name)
        if check is None or name in values or not check(value):
            return None
        values[name] = value
    return values if form.required <= values.keys() else None


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
    reasons = [_mismatch(overload, args, kwargs) for overload in row.overloads]
    return max(reasons, key=lambda item: item[1])[0] if reasons else ""


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
