# SPDX-License-Identifier: Apache-2.0
"""Building blocks of elementwise kernels: scratch arrays, and steps that are safe in place."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from asclens_compiler.backends.simulator.dtypes import numpy_dtype
from asclens_compiler.backends.simulator.semantics.api import Array
from asclens_compiler.hardware.dtypes import DType


class Scratch:
    """Hold one work array per call site, so that a kernel of several steps does not allocate."""

    __slots__ = ("_array", "_dtype")

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self._dtype = dtype
        self._array: Array = np.empty(0, dtype)

    def like(self, model: Array) -> Array:
        """Return an array of the shape of `model`; its contents are arbitrary."""
        if self._array.shape != model.shape:
            self._array = np.empty(model.shape, self._dtype)
        return self._array


def scratch(dtype: DType) -> Scratch:
    """Return a scratch holder for elements of a type."""
    return Scratch(numpy_dtype(dtype))


def relu_into(values: Array, out: Array) -> Array:
    """Write max(values, 0); -0.0 gives +0.0 and NaN stays (the vendor specifies neither)."""
    # numpy returns the first of two equal operands for float16 and the second for wider floats.
    zero = out.dtype.type(0)
    if out.dtype == np.float16:
        return np.maximum(zero, values, out=out)
    return np.maximum(values, zero, out=out)


def view_as(array: Array, dtype: Any) -> Array:
    """Return the same bytes seen as elements of another numpy type."""
    # numpy's stubs leave the result of `view` partly unknown.
    return cast(Any, array).view(dtype)


def bit_view(array: Array) -> Array:
    """Return the bit patterns of an array's elements as unsigned integers."""
    return view_as(array, f"u{array.dtype.itemsize}")


def clip(values: Array, low: Any, high: Any, out: Array | None = None) -> Array:
    """Limit values to low..high."""
    return np.minimum(np.maximum(values, low, out=out), high, out=out)
