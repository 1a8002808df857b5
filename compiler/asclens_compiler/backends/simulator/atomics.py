# SPDX-License-Identifier: Apache-2.0
"""What a copy to global memory does to the old contents in each atomic mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def _add(target: Array, source: Array) -> None:
    np.add(target, source, out=target)


def _max(target: Array, source: Array) -> None:
    np.maximum(target, source, out=target)


def _min(target: Array, source: Array) -> None:
    np.minimum(target, source, out=target)


ATOMIC_KERNELS: dict[str, Callable[[Array, Array], None]] = {"add": _add, "max": _max, "min": _min}
