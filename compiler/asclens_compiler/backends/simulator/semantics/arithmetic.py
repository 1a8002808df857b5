# SPDX-License-Identifier: Apache-2.0
"""Elementwise arithmetic with one, two, or one and a scalar operand.

Float results are IEEE round-to-nearest-even (measured for float16 add, sub, mul on finite values;
half is in non-saturating mode by default, so overflow gives infinity). Integers wrap around: the
vendor documents no overflow behaviour for these chips. Of +0.0 and -0.0 max and min return one of
the two operands: unspecified. NaN propagates through max, min and relu: unspecified.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from asclens_compiler.backends.simulator.semantics.api import Array, Builder, Kernel, Site, elementwise
from asclens_compiler.backends.simulator.semantics.kernels import relu_into, scratch

_UFUNCS: dict[str, Kernel] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "max": np.maximum,
    "min": np.minimum,
    "adds": np.add,
    "muls": np.multiply,
    "maxs": np.maximum,
    "mins": np.minimum,
    "abs": np.abs,
    "neg": np.negative,
    # Within 1 ulp of the exact result on the device; numpy's own rounding here.
    "exp": np.exp,
    "ln": np.log,
    "sqrt": np.sqrt,
}


def _ufunc_builder(ufunc: Kernel) -> Builder:
    def build(_site: Site) -> Kernel:
        return ufunc

    return build


for _name, _ufunc in _UFUNCS.items():
    elementwise(_name)(_ufunc_builder(_ufunc))


@elementwise("relu")
def build_relu(_site: Site) -> Kernel:
    """Compute max(x, 0)."""

    def kernel(src: Array, *, out: Array) -> None:
        relu_into(src, out)

    return kernel


@elementwise("reciprocal")
def build_reciprocal(_site: Site) -> Kernel:
    """Compute 1 / x, correctly rounded.

    The device's estimate is only good to about 2^-8 relative and its bits are unspecified.
    """

    def kernel(src: Array, *, out: Array) -> None:
        np.divide(src.dtype.type(1), src, out=out)

    return kernel


@elementwise("rsqrt")
def build_rsqrt(_site: Site) -> Kernel:
    """Compute 1 / sqrt(x); the bits of the device's estimate are unspecified, as for reciprocal."""

    def kernel(src: Array, *, out: Array) -> None:
        np.sqrt(src, out=out)
        np.divide(out.dtype.type(1), out, out=out)

    return kernel


@elementwise("leaky_relu")
def build_leaky_relu(site: Site) -> Kernel:
    """Compute x where x >= 0, else x * scalar."""
    scaled = scratch(site.out)

    def kernel(src: Array, alpha: Any, *, out: Array) -> None:
        work = scaled.like(out)
        np.multiply(src, alpha, out=work)
        np.copyto(work, src, where=src >= 0)
        np.copyto(out, work)

    return kernel


@elementwise("prelu")
def build_prelu(site: Site) -> Kernel:
    """Compute src0 where src0 >= 0, else src0 * src1."""
    scaled = scratch(site.out)

    def kernel(src0: Array, src1: Array, *, out: Array) -> None:
        work = scaled.like(out)
        np.multiply(src0, src1, out=work)
        np.copyto(work, src0, where=src0 >= 0)
        np.copyto(out, work)

    return kernel
