# SPDX-License-Identifier: Apache-2.0
"""Element types as numpy sees them."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from asclens_compiler.hardware.dtypes import DType

_NUMPY: dict[DType, np.dtype[Any]] = {
    DType.INT1: np.dtype(np.uint8),
    DType.INT4: np.dtype(np.uint8),
    DType.BOOL: np.dtype(np.uint8),
    DType.BFLOAT16: np.dtype(ml_dtypes.bfloat16),
    DType.UNKNOWN: np.dtype(np.uint8),
} | {
    dtype: np.dtype(dtype.value)
    for dtype in DType
    if dtype not in (DType.INT1, DType.INT4, DType.BOOL, DType.BFLOAT16, DType.UNKNOWN)
}
_DTYPES = {np.dtype(dtype.value): dtype for dtype in DType if dtype.value in np.sctypeDict} | {
    np.dtype(ml_dtypes.bfloat16): DType.BFLOAT16
}


def numpy_dtype(dtype: DType) -> np.dtype[Any]:
    """Return the numpy type of one element in memory (int1, int4, bool and unknown: uint8)."""
    return _NUMPY[dtype]


def dtype_of(array: np.ndarray[Any, Any]) -> DType:
    """Return the element type of a numpy array; UNKNOWN when the NPU has none like it."""
    return _DTYPES.get(array.dtype, DType.UNKNOWN)
