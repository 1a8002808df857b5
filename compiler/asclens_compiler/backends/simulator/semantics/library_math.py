# SPDX-License-Identifier: Apache-2.0
"""`asc.adv` functions of one or two elements.

The library computes them with series of its own; the vendor states precision, not bits, so results
here are those of numpy in the element type (float16 through float32) or, for erf, erfc, lgamma and
digamma, float64 results rounded once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from asclens_compiler.backends.simulator.semantics.api import Array, Builder, Kernel, OpContext, Site, elementwise, full
from asclens_compiler.backends.simulator.semantics.kernels import scratch

_UFUNCS: dict[str, Kernel] = {
    "acos": np.arccos,
    "acosh": np.arccosh,
    "asin": np.arcsin,
    "asinh": np.arcsinh,
    "atan": np.arctan,
    "atanh": np.arctanh,
    "ceil": np.ceil,
    "cos": np.cos,
    "cosh": np.cosh,
    "floor": np.floor,
    "log": np.log,
    "round": np.rint,
    "sign": np.sign,
    "sin": np.sin,
    "sinh": np.sinh,
    "tan": np.tan,
    "tanh": np.tanh,
    "trunc": np.trunc,
    "clamp_max": np.minimum,
    "clamp_min": np.maximum,
}
_DIGAMMA_LARGE = 10.0
# Bernoulli numbers B2k / 2k of the asymptotic series of digamma.
_DIGAMMA_TERMS = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12)


def _ufunc_builder(ufunc: Kernel) -> Builder:
    def build(_site: Site) -> Kernel:
        return ufunc

    return build


def _guarded(function: Callable[[float], float]) -> Callable[[float], float]:
    """Return a function that gives infinity where Python raises."""

    def call(value: float) -> float:
        try:
            return function(value)
        except (ValueError, OverflowError):
            return math.inf

    return call


def _per_element(function: Callable[[float], float]) -> Builder:
    vectorized: Any = np.frompyfunc(_guarded(function), 1, 1)

    def build(_site: Site) -> Kernel:
        def kernel(src: Array, *, out: Array) -> None:
            np.copyto(out, vectorized(src.astype(np.float64)).astype(np.float64), casting="unsafe")

        return kernel

    return build


def digamma(value: float) -> float:
    """Return the logarithmic derivative of the gamma function; NaN at its poles."""
    if math.isnan(value) or value == -math.inf:
        return math.nan
    if value <= 0:
        if value == math.floor(value):
            return math.nan
        return digamma(1 - value) - math.pi / math.tan(math.pi * value)
    total = 0.0
    while value < _DIGAMMA_LARGE:
        total -= 1 / value
        value += 1
    square = 1 / (value * value)
    series = 0.0
    for term in reversed(_DIGAMMA_TERMS):
        series = (series + term) * square
    return total + math.log(value) - 0.5 / value - series


for _name, _ufunc in _UFUNCS.items():
    elementwise(_name)(_ufunc_builder(_ufunc))
for _name, _function in {"erf": math.erf, "erfc": math.erfc, "lgamma": math.lgamma, "digamma": digamma}.items():
    elementwise(_name)(_per_element(_function))


@elementwise("frac")
def build_frac(site: Site) -> Kernel:
    """Compute x - trunc(x)."""
    whole = scratch(site.out)

    def kernel(src: Array, *, out: Array) -> None:
        np.subtract(src, np.trunc(src, out=whole.like(out)), out=out)

    return kernel


@elementwise("exp_taylor")
def build_exp_taylor(_site: Site) -> Kernel:
    """Compute exp(x); the series' level only changes the device's precision."""

    def kernel(src: Array, _level: Any, *, out: Array) -> None:
        np.exp(src, out=out)

    return kernel


@elementwise("power")
def build_power(site: Site) -> Kernel:
    """Compute src0 to the power of src1; integers wrap around, negative integer powers truncate."""
    if site.out.is_float:
        return np.power
    return _integer_power


def _integer_power(base: Array, exponent: Array, *, out: Array) -> None:
    negative = exponent < 0
    result = np.power(base, np.where(negative, 0, exponent))
    odd = exponent % 2 == 1
    inverse: Array = np.where(base == 1, 1, np.where(base == -1, np.where(odd, -1, 1), 0))
    np.copyto(out, np.where(negative, inverse, result), casting="unsafe")


@full("axpy_library")
def axpy_library(ctx: OpContext) -> None:
    """Compute dst = src * scalar + dst over `calCount` elements or all of dst."""
    count = int(ctx.scalar("calCount")) if ctx.has("calCount") else ctx.size("dst")
    target = ctx.update("dst", count)
    source = ctx.read("src", count)
    factor = source.dtype.type(ctx.scalar("scalar"))
    np.add(np.multiply(source, factor, dtype=target.dtype), target, out=target)
