# SPDX-License-Identifier: Apache-2.0
"""Arrays that a `# asclens: run` directive describes: `rand(1024)`, `zeros(64, 32, dtype=float16)` ..."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from asclens_compiler.engine.arguments import numpy_dtype
from asclens_compiler.errors import AscLensError
from asclens_compiler.hardware.dtypes import DType

Array = npt.NDArray[Any]
Number = int | float

DEFAULT_DTYPE = "float32"
MAX_BYTES = 1 << 32

_DTYPES = {dtype.value for dtype in DType if dtype not in (DType.UNKNOWN, DType.BOOL, DType.INT1, DType.INT4)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Creation:
    """One call: the function, its numbers (a shape may be a tuple), and the element type."""

    name: str
    numbers: tuple[Number, ...]
    shape: tuple[int, ...]
    dtype: str


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


# Name -> (maker, how many numbers stand before the shape).
_MAKERS: dict[str, tuple[Callable[[np.random.Generator, Creation], Array], int]] = {
    "rand": (_rand, 0),
    "randn": (_randn, 0),
    "randint": (_randint, 2),
    "zeros": (_zeros, 0),
    "ones": (_ones, 0),
    "full": (_full, 1),
    "arange": (_arange, 0),
}


def creation_of(node: ast.expr, evaluate: Callable[[ast.expr], object]) -> Creation | None:
    """Return the creation that an expression is, or None; `evaluate` gives constants of the file.

    AscLensError for a creation that cannot be made.
    """
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id not in _MAKERS:
        return None
    text = ast.unparse(node)
    lead = _MAKERS[node.func.id][1]
    numbers: list[Any] = []
    for argument in node.args:
        value = evaluate(argument)
        numbers += value if isinstance(value, tuple) else [value]  # pyright: ignore[reportUnknownArgumentType]
    if any(isinstance(value, bool) or not isinstance(value, int | float) for value in numbers):
        raise AscLensError(f"`{text}`: its arguments must be numbers that the file states")
    shape = numbers[lead:]
    if not shape or any(not isinstance(size, int) or size < 0 for size in shape):
        raise AscLensError(f"`{text}` needs a shape, for example `{node.func.id}({'0, ' * lead}1024)`")
    creation = Creation(name=node.func.id, numbers=tuple(numbers[:lead]), shape=tuple(shape), dtype=_dtype(node, text))
    nbytes = int(np.prod(creation.shape, dtype=np.float64)) * numpy_dtype(creation.dtype).itemsize
    if nbytes > MAX_BYTES:
        raise AscLensError(f"`{text}` has {nbytes} bytes, more than {MAX_BYTES}")
    return creation


def make(creation: Creation, generator: np.random.Generator) -> Array:
    """Return the array."""
    values = _MAKERS[creation.name][0](generator, creation)
    return np.ascontiguousarray(values.astype(numpy_dtype(creation.dtype)))


def preview(array: Array, limit: int = 8) -> str:
    """Return the first elements as text."""
    flat: Sequence[Any] = np.ravel(array)[:limit].tolist()
    more = ", ..." if array.size > limit else ""
    return f"[{', '.join(f'{item:g}' for item in flat)}{more}]"


def _dtype(node: ast.Call, text: str) -> str:
    for keyword in node.keywords:
        name = ast.unparse(keyword.value).rpartition(".")[2].strip("'\"").lower()
        if keyword.arg != "dtype" or name not in _DTYPES:
            raise AscLensError(f"`{text}`: only `dtype=` may follow, with one of {', '.join(sorted(_DTYPES))}")
        return name
    return DEFAULT_DTYPE
