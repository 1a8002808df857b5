# SPDX-License-Identifier: Apache-2.0
"""Turn element indexes into disjoint byte ranges."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def byte_ranges(index: npt.NDArray[Any], base: int, size: int, first: int, end: int) -> list[tuple[int, int]]:
    """Return the sorted, disjoint, non-adjacent byte ranges of elements, cut to [first, end).

    `base` is the byte address of element 0, `size` the bytes of one element.
    """
    flat = np.ravel(index)
    if not flat.size:
        return []
    if flat.size > 1 and not bool((flat[1:] > flat[:-1]).all()):
        flat = np.unique(flat)
    breaks = np.flatnonzero(flat[1:] != flat[:-1] + 1)
    starts = flat[np.concatenate(([0], breaks + 1))] * size + base
    ends = (flat[np.concatenate((breaks, [flat.size - 1]))] + 1) * size + base
    found: list[tuple[int, int]] = []
    for lo, hi in zip(starts.tolist(), ends.tolist(), strict=True):
        low, high = max(lo, first), min(hi, end)
        if low < high:
            found.append((low, high))
    return found
