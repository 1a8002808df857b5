# SPDX-License-Identifier: Apache-2.0
"""Typed wrappers of numpy calls whose own types say too little."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import numpy.typing as npt

from asclens_compiler.backends.simulator.dtypes import numpy_dtype
from asclens_compiler.hardware.dtypes import DType

Array = npt.NDArray[Any]
POISON = 0xFF  # NaN in every float type, -1 in every signed one


def typed(data: Array, dtype: DType) -> Array:
    """Return the same bytes as elements of `dtype`."""
    return data.view(numpy_dtype(dtype))  # pyright: ignore[reportUnknownMemberType]


def flat(array: Array) -> Array:
    """Return the elements in one dimension, sharing memory where it can."""
    return np.ravel(array)


def raw_bytes(array: Array) -> Array:
    """Return the bytes of an array in C order, one dimension."""
    return typed(flat(np.ascontiguousarray(array)), DType.UINT8)


def poison(nbytes: int) -> Array:
    """Return memory that nothing wrote, at least 8 bytes."""
    return np.full(max(nbytes, 8), POISON, np.uint8)


def poison_element(dtype: DType) -> Any:
    """Return one element of memory that nothing wrote."""
    return typed(poison(dtype.size_bytes)[: dtype.size_bytes], dtype)[0]


def as_tuple(value: Any) -> tuple[Any, ...]:
    """Return a variadic operand as it is, another one as a tuple of one."""
    return cast("tuple[Any, ...]", value) if isinstance(value, tuple) else (value,)
