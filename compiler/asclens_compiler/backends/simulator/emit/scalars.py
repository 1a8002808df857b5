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

Fn = Callable[[Any], Any] | Callable[[Any, Any], Any] | Callable[[Any, Any, Any], Any]

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


def _nan_max(a: float, b: float) -> float:
    return a if math.isnan(a) or a > b else b


def _nan_min(a: float, b: float) -> float:
    return a if math.isnan(a) or a < b else b


def _round_away(a: float) -> float:
    return math.copysign(math.floor(abs(a) + 0.5), a) if math.isfinite(a) else a


# Functions of integers of the result's type; the value is wrapped afterwards.
_INT_BINARY: dict[str, Callable[[int, int, int], int]] = {  # a, b, bits
    "arith.shli": lambda a, b, bits: a << b if 0 <= b < bits else 0,
    "arith.shrsi": lambda a, b, bits: a >> min(max(b, 0), bits - 1),
    "arith.shrui": lambda a, b, bits: _unsigned(a, bits) >> b if 0 <= b < bits else 0,
    "arith.maxui": lambda a, b, bits: max(_unsigned(a, bits), _unsigned(b, bits)),
    "arith.minui": lambda a, b, bits: min(_unsigned(a, bits), _unsigned(b, bits)),
}
# Functions of floats; the value is rounded to the result's type afterwards.
_FLOAT_BINARY: dict[str, Callable[[float, float], float]] = {
    "arith.addf": lambda a, b: a + b,
    "arith.subf": lambda a, b: a - b,
    "arith.mulf": lambda a, b: a * b,
    "arith.divf": _divf,
    "arith.remf": lambda a, b: float(np.fmod(a, b)),
    "arith.maximumf": _nan_max,
    "arith.minimumf": _nan_min,
    "arith.maxnumf": lambda a, b: float(np.fmax(a, b)),
    "arith.minnumf": lambda a, b: float(np.fmin(a, b)),
    "math.powf": lambda a, b: float(np.power(np.float64(a), b)),
    "math.copysign": math.copysign,
}
_FLOAT_UNARY: dict[str, Callable[[float], float]] = {
    "arith.negf": lambda a: -a,
    "math.absf": math.fabs,
    "math.sqrt": lambda a: float(np.sqrt(a)),
    "math.rsqrt": lambda a: _divf(1.0, float(np.sqrt(a))),
    "math.exp": lambda a: float(np.exp(a)),
    "math.exp2": lambda a: float(np.exp2(a)),
    "math.log": lambda a: float(np.log(a)),
    "math.log2": lambda a: float(np.log2(a)),
    "math.log10": lambda a: float(np.log10(a)),
    "math.floor": lambda a: float(np.floor(a)),
    "math.ceil": lambda a: float(np.ceil(a)),
    "math.trunc": lambda a: float(np.trunc(a)),
    "math.round": _round_away,
    "math.roundeven": lambda a: float(np.rint(a)),
    "math.tanh": lambda a: float(np.tanh(a)),
    "math.sin": lambda a: float(np.sin(a)),
    "math.cos": lambda a: float(np.cos(a)),
    "math.tan": lambda a: float(np.tan(a)),
    "math.atan": lambda a: float(np.arctan(a)),
}


def _float_function(name: str, target: DType) -> Fn | None:
    fit = rounder(target)
    two, one = _FLOAT_BINARY.get(name), _FLOAT_UNARY.get(name)
    if two is not None:
        return lambda a, b: fit(two(a, b))
    if one is not None:
        return lambda a: fit(one(a))
    if name == "math.fma":
        return lambda a, b, c: fit(a * b + c)
    return None


def _int_function(name: str, target: DType) -> Fn | None:
    two = _INT_BINARY.get(name)
    if two is not None:
        return lambda a, b: wrap(two(a, b, target.bits), target)
    if name == "math.absi":
        return lambda a: wrap(abs(a), target)
    return None


def _bitcast(source: DType, target: DType) -> Fn:
    if not source.is_float and not target.is_float:
        return lambda a: wrap(int(a), target)
    kind, into = numpy_dtype(source), numpy_dtype(target)

    def cast(value: Any) -> Any:
        bits = np.frombuffer(np.array([value]).astype(kind).tobytes(), into)[0]
        return float(bits) if target.is_float else int(bits)

    return cast


def _cast_function(name: str, source: DType, target: DType) -> Fn | None:
    bits = source.bits
    fit: Callable[[float], float] = rounder(target) if target.is_float else float
    table: dict[str, Fn] = {
        "arith.sitofp": fit,
        "arith.uitofp": lambda a: fit(float(_unsigned(int(a), bits))),
        "arith.fptosi": lambda a: _to_int(a, target),
        "arith.fptoui": lambda a: _to_int(a, target),
        "arith.extf": float,
        "arith.truncf": fit,
        "arith.trunci": lambda a: wrap(int(a), target),
        "arith.extui": lambda a: wrap(_unsigned(int(a), bits), target),
        "arith.extsi": lambda a: -int(a) if source is DType.INT1 else int(a),
        "arith.index_cast": lambda a: wrap(int(a), target),
        "arith.index_castui": lambda a: wrap(_unsigned(int(a), bits), target),
        "arith.bitcast": _bitcast(source, target),
    }
    return table.get(name)


_FLOAT_ORDERED: dict[str, Callable[[float, float], bool]] = {
    "eq": lambda a, b: a == b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "ne": lambda a, b: a != b,
}
_UNSIGNED_COMPARE = {"ult": "lt", "ule": "le", "ugt": "gt", "uge": "ge"}


def compare_float(predicate: str) -> Fn:
    """Return the function of a `cmpf` predicate."""
    if predicate in ("true", "false"):
        return lambda _a, _b: predicate == "true"
    if predicate in ("ord", "uno"):
        return lambda a, b: (math.isnan(a) or math.isnan(b)) == (predicate == "uno")
    unordered, test = predicate[0] == "u", _FLOAT_ORDERED[predicate[1:]]
    return lambda a, b: unordered if math.isnan(a) or math.isnan(b) else test(a, b)


def compare_unsigned(predicate: str, dtype: DType) -> Fn:
    """Return the function of an unsigned `cmpi` predicate."""
    test = _FLOAT_ORDERED[_UNSIGNED_COMPARE[predicate]]
    return lambda a, b: test(_unsigned(int(a), dtype.bits), _unsigned(int(b), dtype.bits))


@cache
def scalar_function(name: str, source: DType, target: DType) -> Fn | None:
    """Return the function of a scalar op for operand type `source` and result type `target`."""
    own = _float_function(name, target) if target.is_float else _int_function(name, target)
    return own or _cast_function(name, source, target)
