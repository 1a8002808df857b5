# SPDX-License-Identifier: Apache-2.0
"""Conversion between element types with each round mode.

Rounding rules: vendor page "precision conversion" (NONE is RINT when inexact, RINT half to even,
ROUND half away from zero, ODD sets the last kept bit when inexact). Integers saturate. NaN to an
integer gives 0, negative values to an unsigned type give 0, and float32 to float16 overflows to
infinity as with the default (non-saturating) mode of half: these three are unspecified.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

import numpy as np

from asclens_compiler.backends.simulator.dtypes import numpy_dtype
from asclens_compiler.backends.simulator.semantics.api import Array, Kernel
from asclens_compiler.backends.simulator.semantics.kernels import Scratch, bit_view, clip, view_as
from asclens_compiler.hardware.dtypes import DType


class RoundMode(Enum):
    """How an inexact result is rounded; values are the member names of `asc.RoundMode`."""

    NONE = "CAST_NONE"
    RINT = "CAST_RINT"
    FLOOR = "CAST_FLOOR"
    CEIL = "CAST_CEIL"
    ROUND = "CAST_ROUND"
    TRUNC = "CAST_TRUNC"
    ODD = "CAST_ODD"


_NEAREST = (RoundMode.NONE, RoundMode.RINT)
# Bits of significand, the hidden one included.
_PRECISION = {DType.FLOAT16: 11, DType.BFLOAT16: 8, DType.FLOAT32: 24, DType.FLOAT64: 53}


def round_half_away(values: Array, out: Array) -> Array:
    """Round floats to integers, halves away from zero; `out` must not alias `values`."""
    np.trunc(values, out=out)
    step = np.copysign(values.dtype.type(1), values)
    return np.add(out, step, out=out, where=np.abs(values - out) >= values.dtype.type(0.5))


def round_odd(values: Array, out: Array) -> Array:
    """Truncate floats to integers; an inexact even result moves away from zero."""
    np.trunc(values, out=out)
    step = np.copysign(values.dtype.type(1), values)
    even = np.fmod(out, values.dtype.type(2)) == 0
    return np.add(out, step, out=out, where=even & (out != values))


_TO_INTEGRAL: dict[RoundMode, Callable[[Array, Array], Array]] = {
    RoundMode.NONE: lambda values, out: np.rint(values, out=out),
    RoundMode.RINT: lambda values, out: np.rint(values, out=out),
    RoundMode.FLOOR: lambda values, out: np.floor(values, out=out),
    RoundMode.CEIL: lambda values, out: np.ceil(values, out=out),
    RoundMode.TRUNC: lambda values, out: np.trunc(values, out=out),
    RoundMode.ROUND: round_half_away,
    RoundMode.ODD: round_odd,
}


def converter(source: DType, target: DType, mode: RoundMode) -> Kernel:
    """Return a kernel `kernel(values, out=array)` that converts element by element."""
    if source.is_float and target.is_float:
        return _float_to_float(source, target, mode)
    if source.is_float:
        return _float_to_int(target, mode)
    if target.is_float:
        return _int_to_float(target, mode)
    return _int_to_int(target)


def _float_to_int(target: DType, mode: RoundMode) -> Kernel:
    to_integral = _TO_INTEGRAL[mode]
    # float64 holds every int32; the float types below hold every value of narrower targets.
    work_dtype = np.dtype(np.float64 if target.bits >= 32 else np.float32)
    wide = Scratch(work_dtype)
    integral = Scratch(work_dtype)
    low, high = integer_range(target)

    def kernel(values: Array, *, out: Array) -> None:
        work = wide.like(values)
        np.copyto(work, values, casting="unsafe")
        whole = to_integral(work, integral.like(values))
        if target.bits == 64:
            _saturate_64(whole, low, high, out)
            return
        np.copyto(whole, 0, where=np.isnan(whole))
        clip(whole, low, high, out=whole)
        np.copyto(out, whole, casting="unsafe")

    return kernel


def _saturate_64(whole: Array, low: int, high: int, out: Array) -> None:
    """Convert integral float64 values to a 64-bit integer type, whose maximum float64 lacks."""
    limit = float(high + 1)
    safe = np.where(np.isnan(whole) | (whole >= limit) | (whole < low), 0.0, whole)
    np.copyto(out, safe, casting="unsafe")
    np.copyto(out, np.array(high, out.dtype), where=whole >= limit)
    np.copyto(out, np.array(low, out.dtype), where=whole < low)


def integer_range(dtype: DType) -> tuple[int, int]:
    """Return the least and greatest value of an integer type (int4 included)."""
    if dtype.is_signed:
        return -(1 << (dtype.bits - 1)), (1 << (dtype.bits - 1)) - 1
    return 0, (1 << dtype.bits) - 1


def _int_to_int(target: DType) -> Kernel:
    low, high = integer_range(target)

    def kernel(values: Array, *, out: Array) -> None:
        limits = np.iinfo(values.dtype)
        if limits.min >= low and limits.max <= high:
            np.copyto(out, values, casting="unsafe")
            return
        np.copyto(out, clip(values, max(low, limits.min), min(high, limits.max)), casting="unsafe")

    return kernel


def _float_to_float(source: DType, target: DType, mode: RoundMode) -> Kernel:
    if source is target:
        to_integral = _TO_INTEGRAL[mode]
        work = Scratch(numpy_dtype(source))

        def integral(values: Array, *, out: Array) -> None:
            np.copyto(out, to_integral(values, work.like(values)))

        return integral
    exact = _PRECISION[target] >= _PRECISION[source] and target is not DType.FLOAT16
    if exact or mode in _NEAREST:
        return nearest
    wide = np.dtype(np.float64 if target is DType.FLOAT32 else np.float32)

    def directed(values: Array, *, out: Array) -> None:
        _round_directed(np.asarray(values, wide), mode, out)

    return directed


def nearest(values: Array, *, out: Array) -> None:
    """Convert to the nearest representable value, ties to even."""
    np.copyto(out, values, casting="unsafe")


def _round_directed(exact: Array, mode: RoundMode, out: Array) -> None:
    """Round `exact` (a wider float type) into `out` in a mode other than nearest-even."""
    near = exact.astype(out.dtype)
    bits = bit_view(near)
    back = near.astype(exact.dtype)
    negative = np.signbit(exact)
    above = np.abs(back) > np.abs(exact)  # nearest went away from zero
    below = np.abs(back) < np.abs(exact)
    if mode is RoundMode.TRUNC:
        bits[above] -= 1
    elif mode is RoundMode.FLOOR:
        bits[above & ~negative] -= 1
        bits[below & negative] += 1
    elif mode is RoundMode.CEIL:
        bits[above & negative] -= 1
        bits[below & ~negative] += 1
    elif mode is RoundMode.ODD:
        bits[above] -= 1
        bits[above | below] |= 1
    else:
        following = view_as(bits + bits.dtype.type(1), out.dtype).astype(exact.dtype)
        tie = below & (np.abs(following) - np.abs(exact) == np.abs(exact) - np.abs(back))
        bits[tie] += 1
    np.copyto(out, near)


def _int_to_float(target: DType, mode: RoundMode) -> Kernel:
    precision = _PRECISION[target]

    def kernel(values: Array, *, out: Array) -> None:
        width = np.iinfo(values.dtype).bits
        if width <= precision or (mode in _NEAREST and target in (DType.FLOAT32, DType.FLOAT64)):
            np.copyto(out, values, casting="unsafe")
        else:
            _round_integers(values, precision, mode, out)

    return kernel


def _round_integers(values: Array, precision: int, mode: RoundMode, out: Array) -> None:
    """Round integers to `precision` significant bits, then convert them exactly."""
    negative = values < 0
    magnitude = values.astype(np.uint64)
    np.negative(magnitude, out=magnitude, where=negative)
    shift: Array = np.maximum(_bit_length(magnitude) - precision, 0).astype(np.uint64)
    kept = magnitude >> shift
    rest = magnitude - (kept << shift)
    half = np.left_shift(np.uint64(1), shift) >> np.uint64(1)
    kept += _increment(mode, kept, rest, half, negative).astype(np.uint64)
    wide = np.float64 if precision > 24 else np.float32
    result: Array = kept.astype(wide) * np.exp2(shift.astype(wide))
    np.negative(result, out=result, where=negative)
    np.copyto(out, result, casting="unsafe")


def _increment(mode: RoundMode, kept: Array, rest: Array, half: Array, negative: Array) -> Array:
    inexact = rest > 0
    odd = (kept & np.uint64(1)) == 1
    match mode:
        case RoundMode.FLOOR:
            return inexact & negative
        case RoundMode.CEIL:
            return inexact & ~negative
        case RoundMode.TRUNC:
            return np.zeros_like(inexact)
        case RoundMode.ROUND:
            return inexact & (rest >= half)
        case RoundMode.ODD:
            return inexact & ~odd
        case _:
            return inexact & ((rest > half) | ((rest == half) & odd))


def _bit_length(values: Array) -> Array:
    exponent: Array = np.frexp(values.astype(np.float64))[1]
    # Rounding to float64 may carry into the next power of two.
    carried = (exponent > 0) & ((values >> clip(exponent - 1, 0, 63).astype(np.uint64)) == 0)
    return exponent - carried


def round_float(value: float, target: DType, mode: RoundMode) -> Any:
    """Convert one float32 scalar; return a numpy scalar of the target type."""
    out = np.empty(1, numpy_dtype(target))
    converter(DType.FLOAT32, target, mode)(np.array([value], np.float32), out=out)
    return out[0]
