# SPDX-License-Identifier: Apache-2.0
"""Random operands: values with edges, strides, repeats and masks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import hypothesis
import ml_dtypes
import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

BF16 = np.dtype(ml_dtypes.bfloat16)
FLOAT_EDGES = [0.0, -0.0, 1.0, -1.0, 0.5, 65504.0, -65504.0, 1e-8, 6e-8, 1e-40, 3e38, np.inf, -np.inf, np.nan]

EXAMPLES = 25


def given(*arguments: Any, **named: Any) -> Callable[[Any], Any]:
    """`hypothesis.given` with few examples: there is one test per op, type and mode."""

    def decorate(test: Any) -> Any:
        return hypothesis.settings(max_examples=EXAMPLES)(hypothesis.given(*arguments, **named)(test))

    return decorate


def values(dtype, count: int, *, finite: bool = False):
    """Arrays of a type with edge values mixed in."""
    dtype = np.dtype(dtype)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        edges = st.sampled_from([info.min, info.max, 0, 1])
        return hnp.arrays(dtype, count, elements=edges | st.integers(int(info.min), int(info.max)))
    limit = 65504.0 if dtype == np.float16 else 3e38
    edges = [v for v in FLOAT_EDGES if abs(v) <= limit] if finite else FLOAT_EDGES
    numbers = st.sampled_from(edges) | st.floats(-1000, 1000, width=32)
    return hnp.arrays(np.float32, count, elements=numbers).map(lambda array: narrow(array, dtype))


def narrow(array, dtype):
    with np.errstate(all="ignore"):
        return array.astype(dtype)


def masks(elems: int):
    """A count, or 64-bit words (low word first)."""
    words = 2 if elems > 64 else 1
    bits = st.integers(1, (1 << elems) - 1).map(lambda v: tuple(v >> (64 * i) & (1 << 64) - 1 for i in range(words)))
    return st.integers(1, elems) | bits.map(lambda v: (*v, 0) if len(v) == 1 else v)


def mask_row(mask, elems: int) -> np.ndarray:
    """Which elements of one iteration a mask activates."""
    if not isinstance(mask, tuple):
        return np.arange(elems) < mask
    bits = mask[0] | mask[1] << 64
    return np.array([bits >> i & 1 for i in range(elems)], bool)
