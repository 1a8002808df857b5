# SPDX-License-Identifier: Apache-2.0
"""Scalar arithmetic (`arith`, `math`) as expressions and functions on Python numbers.

Registers hold Python numbers that fit their type exactly: bool for int1, int in the range of the
type, float rounded to the type. Integers wrap as on the device.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from asclens_compiler.backends.simulator.dtypes import numpy_dtype
from asclens_compiler.hardware.dtypes import DType

Fn = Callable[..., Any]

# Expressions; the value is wrapped to the result type afterwards where `wraps` says so.
INT_TEXT: dict[str, str] = {
    "arith.addi": "{0} + {1}",
    "arith.subi": "{0} - {1}",
    "arith.muli": "{0} * {1}",
    "arith.andi": "{0} & {1}",
    "arith.ori": "{0} | {1}",
    "arith.xori": "{0} ^ {1}",
    "arith.select": "{1} if {0} else {2}",
    "arith.maxsi": "max({0}, {1})",
    "arith.minsi": "min({0}, {1})",
    "arith.extsi": "{0}",
}
WRAPS = frozenset({"arith.addi", "arith.subi", "arith.muli"})
DIVISIONS = {"arith.divsi": "//", "arith.remsi": "%"}
SIGNED_COMPARE = {"eq": "==", "ne": "!=", "slt": "<", "sle": "<=", "sgt": ">", "sge": ">="}
_UNSIGNED_COMPARE = {"ult": "<", "ule": "<=", "ugt": ">", "uge": ">="}
INT_CASTS = frozenset(
    {"arith.trunci", "arith.extui", "arith.index_cast", "arith.index_castui", "arith.bitcast", "arith.extsi"}
)


def int_range(dtype: DType) -> tuple[int, int]:
    """Return the smallest and largest value of an integer type."""
    bits = dtype.bits
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if dtype.is_signed else (0, (1 << bits) - 1)


def wrap(value: int, dtype: DType) -> int:
    """Return the value that is left of an integer in a register of type `dtype`."""
    if dtype in (DType.INT1, DType.BOOL):
        return bool(value & 1)
    low, high = int_range(dtype)
    return value if low <= value <= high else ((value - low) & ((1 << dtype.bits) - 1)) + low


def _unsigned(value: int, bits: int) -> int:
    return value & ((1 << bits) - 1)


def rounder(dtype: DType) -> Callable[[float], float]:
    """Return a function that rounds a Python float to a float type."""
    if dtype is DType.FLOAT64:
        return float
    kind = numpy_dtype(dtype).type
    return lambda value: float(kind(value))


def divide(kind: str, left: int, right: int, dtype: DType) -> int:
    """Return C++ integer division or remainder; `right` is not zero."""
    quotient = abs(left) // abs(right)
    if (left < 0) != (right < 0):
        quotient = -quotient
    return wrap(quotient if kind == "//" else left - quotient * right, dtype)


def _to_int(value: float, dtype: DType) -> int:
    low, high = int_range(dtype)
    if math.isnan(value):
        return 0
    return int(min(max(value, low), high)) if math.isinf(value) else wrap(int(value), dtype)


def _divf(left: float, right: float) -> float:
    return float(np.float64(left) / np.float64(right))


def _unsigned_binary(fn: Callable[[int, int], int]) -> Callable[[DType], Fn]:
    return lambda dtype: lambda a, b: wrap(fn(_unsigned(a, dtype.bits), _unsigned(b, dtype.bits)), dtype)


def _shift_left(dtype: DType) -> Fn:
    return lambda a, b: wrap(a << b, dtype) if 0 <= b < dtype.bits else 0


def _shift_right(dtype: DType) -> Fn:
    return lambda a, b: a >> min(max(b, 0), dtype.bits - 1)


def _rounded(fn: Callable[..., float]) -> Callable[[DType], Fn]:
    def make(dtype: DType) -> Fn:
        fit = rounder(dtype)
        return lambda *values: fit(fn(*values))

    return make


def _nan_max(a: float, b: float) -> float:
    return a if math.isnan(a) or a > b else b


def _nan_min(a: float, b: float) -> float:
    return a if math.isnan(a) or a < b else b


def _ceil_div(dtype: DType) -> Fn:
    return lambda a, b: wrap(-(-a // b), dtype)


def _floor_div(dtype: DType) -> Fn:
    return lambda a, b: wrap(a // b, dtype)


# Operations whose operands have the type of the result.
_SAME: dict[str, Callable[[DType], Fn]] = {
    "arith.shli": _shift_left,
    "arith.shrsi": _shift_right,
    "arith.shrui": _unsigned_binary(lambda a, b: a >> b),
    "arith.maxui": _unsigned_binary(max),
    "arith.minui": _unsigned_binary(min),
    "arith.ceildivsi": _ceil_div,
    "arith.floordivsi": _floor_div,
    "arith.addf": _rounded(lambda a, b: a + b),
    "arith.subf": _rounded(lambda a, b: a - b),
    "arith.mulf": _rounded(lambda a, b: a * b),
    "arith.divf": _rounded(_divf),
    "arith.remf": _rounded(lambda a, b: float(np.fmod(a, b))),
    "arith.negf": _rounded(lambda a: -a),
    "arith.maximumf": _rounded(_nan_max),
    "arith.minimumf": _rounded(_nan_min),
    "arith.maxnumf": _rounded(lambda a, b: float(np.fmax(a, b))),
    "arith.minnumf": _rounded(lambda a, b: float(np.fmin(a, b))),
    "math.absi": lambda dtype: lambda a: wrap(abs(a), dtype),
    "math.absf": _rounded(abs),
    "math.fma": _rounded(lambda a, b, c: a * b + c),
    "math.powf": _rounded(lambda a, b: float(np.power(a, b))),
    "math.copysign": _rounded(math.copysign),
}
_NUMPY_MATH = "sqrt exp exp2 expm1 log log2 log10 log1p floor ceil trunc tanh sin cos tan sinh cosh".split()
_SAME |= {f"math.{name}": _rounded(getattr(np, name)) for name in _NUMPY_MATH}
_SAME |= {
    "math.roundeven": _rounded(np.rint),
    "math.round": _rounded(lambda a: math.copysign(math.floor(abs(a) + 0.5), a) if math.isfinite(a) else a),
    "math.rsqrt": _rounded(lambda a: float(1.0 / np.sqrt(a))),
    "math.atan": _rounded(np.arctan),
}

# Operations that depend on the type of the operand too: (operand type, result type) -> function.
_CASTS: dict[str, Callable[[DType, DType], Fn]] = {
    "arith.sitofp": lambda _, dtype: _rounded(float)(dtype),
    "arith.uitofp": lambda source, dtype: _rounded(lambda a: float(_unsigned(int(a), source.bits)))(dtype),
    "arith.fptosi": lambda _, dtype: lambda a: _to_int(a, dtype),
    "arith.fptoui": lambda _, dtype: lambda a: _to_int(a, dtype),
    "arith.extf": lambda _, __: float,
    "arith.truncf": lambda _, dtype: rounder(dtype),
    "arith.trunci": lambda _, dtype: lambda a: wrap(int(a), dtype),
    "arith.extui": lambda source, dtype: lambda a: wrap(_unsigned(int(a), source.bits), dtype),
    "arith.extsi": lambda source, dtype: lambda a: -int(a) if source is DType.INT1 else int(a),
    "arith.index_cast": lambda _, dtype: lambda a: wrap(int(a), dtype),
    "arith.index_castui": lambda source, dtype: lambda a: wrap(_unsigned(int(a), source.bits), dtype),
    "arith.bitcast": lambda source, dtype: _bitcast(source, dtype),
}


def _bitcast(source: DType, target: DType) -> Fn:
    if not source.is_float and not target.is_float:
        return lambda a: wrap(int(a), target)
    kind, into = numpy_dtype(source), numpy_dtype(target)

    def cast(value: Any) -> Any:
        bits = np.array([value]).astype(kind).view(into)[0]
        return float(bits) if target.is_float else int(bits)

    return cast


_FLOAT_ORDERED: dict[str, Callable[[float, float], bool]] = {
    "eq": lambda a, b: a == b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "ne": lambda a, b: a != b,
}


def compare_float(predicate: str) -> Fn:
    """Return the function of a `cmpf` predicate."""
    if predicate in ("true", "false"):
        return lambda _a, _b: predicate == "true"
    if predicate in ("ord", "uno"):
        return lambda a, b: (a != a or b != b) == (predicate == "uno")
    unordered, test = predicate[0] == "u", _FLOAT_ORDERED[predicate[1:]]
    return lambda a, b: unordered if (a != a or b != b) else test(a, b)


def compare_unsigned(predicate: str, dtype: DType) -> Fn:
    """Return the function of an unsigned `cmpi` predicate."""
    test = {"<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b}[
        _UNSIGNED_COMPARE[predicate]
    ]
    return lambda a, b: test(_unsigned(int(a), dtype.bits), _unsigned(int(b), dtype.bits))


@cache
def scalar_function(name: str, source: DType, target: DType) -> Fn | None:
    """Return the function of a scalar op for operand type `source` and result type `target`."""
    cast = _CASTS.get(name)
    if cast is not None:
        return cast(source, target)
    same = _SAME.get(name)
    return same(target) if same is not None else None
