# SPDX-License-Identifier: Apache-2.0
"""Arrays that a `# asclens: run` directive describes, made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from asclens_compiler.engine.arguments import numpy_dtype
from asclens_compiler.errors import AscLensError
from asclens_compiler.frontend.creations import Creation

Array = npt.NDArray[Any]
MAX_BYTES = 1 << 32


def _rand(generator: np.random.Generator, creation: Creation) -> Array:
    return generator.random(creation.shape, dtype=np.float64)


def _randn(generator: np.random.Generator, creation: Creation) -> Array:
    return generator.standard_normal(creation.shape)


def _randint(generator: np.random.Generator, creation: Creation) -> Array:
    low, high = creation.numbers
    return generator.integers(int(low), int(high), creation.shape)


def _zeros(generator: np.random.Generator, creation: Creation) -> Array:
    del generator
    return np.zeros(creation.shape)


def _ones(generator: np.random.Generator, creation: Creation) -> Array:
    del generator
    return np.ones(creation.shape)


def _full(generator: np.random.Generator, creation: Creation) -> Array:
    del generator
    return np.full(creation.shape, creation.numbers[0])


def _arange(generator: np.random.Generator, creation: Creation) -> Array:
    del generator
    return np.arange(creation.shape[0])


_MAKERS: dict[str, Callable[[np.random.Generator, Creation], Array]] = {
    "rand": _rand,
    "randn": _randn,
    "randint": _randint,
    "zeros": _zeros,
    "ones": _ones,
    "full": _full,
    "arange": _arange,
}


def make(creation: Creation, generator: np.random.Generator) -> Array:
    """Return the array; AscLensError when it is too large."""
    nbytes = int(np.prod(creation.shape, dtype=np.float64)) * numpy_dtype(creation.dtype).itemsize
    if nbytes > MAX_BYTES:
        raise AscLensError(f"{creation.name}{list(creation.shape)} has {nbytes} bytes, more than {MAX_BYTES}")
    values = _MAKERS[creation.name](generator, creation)
    return np.ascontiguousarray(values.astype(numpy_dtype(creation.dtype)))


def preview(array: Array, limit: int = 8) -> str:
    """Return the first elements as text."""
    flat: Sequence[Any] = np.ravel(array)[:limit].tolist()
    more = ", ..." if array.size > limit else ""
    return f"[{', '.join(f'{item:g}' for item in flat)}{more}]"
