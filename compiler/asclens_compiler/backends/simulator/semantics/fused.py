# SPDX-License-Identifier: Apache-2.0
"""Elementwise operations of two steps.

Products are rounded to the destination type before the sum: the vendor documents no fused
rounding. With float16 inputs and a float32 destination the product is exact.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from asclens_compiler.backends.simulator.semantics.api import Array, Kernel, Site, elementwise
from asclens_compiler.backends.simulator.semantics.convert import RoundMode, converter
from asclens_compiler.backends.simulator.semantics.kernels import relu_into, scratch


@elementwise("add_relu")
def build_add_relu(_site: Site) -> Kernel:
    """Compute max(src0 + src1, 0)."""

    def kernel(src0: Array, src1: Array, *, out: Array) -> None:
        relu_into(np.add(src0, src1, out=out), out)

    return kernel


@elementwise("sub_relu")
def build_sub_relu(_site: Site) -> Kernel:
    """Compute max(src0 - src1, 0)."""

    def kernel(src0: Array, src1: Array, *, out: Array) -> None:
        relu_into(np.subtract(src0, src1, out=out), out)

    return kernel


@elementwise("fused_abs_sub")
def build_abs_sub(_site: Site) -> Kernel:
    """Compute |src0 - src1|."""

    def kernel(src0: Array, src1: Array, *, out: Array) -> None:
        np.abs(np.subtract(src0, src1, out=out), out=out)

    return kernel


@elementwise("fused_exp_sub")
def build_exp_sub(site: Site) -> Kernel:
    """Compute exp(src0 - src1) in the destination type."""
    work = scratch(site.out)

    def kernel(src0: Array, src1: Array, *, out: Array) -> None:
        difference = work.like(out)
        np.subtract(src0, src1, out=difference, dtype=difference.dtype)
        np.exp(difference, out=out)

    return kernel


@elementwise("fused_mul_add")
def build_fused_mul_add(site: Site) -> Kernel:
    """Compute dst = src0 * dst + src1 (source: CCE guide, vmadd)."""
    return _multiply_dst(site, relu=False)


@elementwise("fused_mul_add_relu")
def build_fused_mul_add_relu(site: Site) -> Kernel:
    """Compute dst = max(src0 * dst + src1, 0) (source: CCE guide, vmaddrelu)."""
    return _multiply_dst(site, relu=True)


def _multiply_dst(site: Site, *, relu: bool) -> Kernel:
    product = scratch(site.out)

    def kernel(src0: Array, src1: Array, *, out: Array) -> None:
        work = product.like(out)
        np.multiply(src0, out, out=work)
        np.add(work, src1, out=out)
        if relu:
            relu_into(out, out)

    return kernel


@elementwise("mul_add_dst")
def build_mul_add_dst(site: Site) -> Kernel:
    """Compute dst = src0 * src1 + dst (source: CCE guide, vmla)."""
    product = scratch(site.out)

    def kernel(src0: Array, src1: Array, *, out: Array) -> None:
        work = product.like(out)
        np.multiply(src0, src1, out=work, dtype=work.dtype)
        np.add(work, out, out=out)

    return kernel


@elementwise("axpy")
def build_axpy(site: Site) -> Kernel:
    """Compute dst = src * scalar + dst (source: CCE guide, vaxpy)."""
    product = scratch(site.out)

    def kernel(src: Array, factor: Any, *, out: Array) -> None:
        work = product.like(out)
        np.multiply(src, factor, out=work, dtype=work.dtype)
        np.add(work, out, out=out)

    return kernel


@elementwise("add_relu_cast")
def build_add_relu_cast(site: Site) -> Kernel:
    """Compute max(src0 + src1, 0) and convert it with round mode NONE, saturating integers."""
    return _relu_cast(np.add, site)


@elementwise("sub_relu_cast")
def build_sub_relu_cast(site: Site) -> Kernel:
    """Compute max(src0 - src1, 0) and convert it with round mode NONE, saturating integers."""
    return _relu_cast(np.subtract, site)


def _relu_cast(ufunc: Any, site: Site) -> Kernel:
    work = scratch(site.inputs[0])
    convert = converter(site.inputs[0], site.out, RoundMode.NONE)

    def kernel(src0: Array, src1: Array, *, out: Array) -> None:
        values = work.like(out)
        ufunc(src0, src1, out=values)
        convert(relu_into(values, values), out=out)

    return kernel


@elementwise("mul_cast")
def build_mul_cast(site: Site) -> Kernel:
    """Compute src0 * src1 in float16 and convert it to int8 or uint8, rounding and saturating."""
    work = scratch(site.inputs[0])
    convert = converter(site.inputs[0], site.out, RoundMode.NONE)

    def kernel(src0: Array, src1: Array, *, out: Array) -> None:
        convert(np.multiply(src0, src1, out=work.like(out)), out=out)

    return kernel
