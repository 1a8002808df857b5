# SPDX-License-Identifier: Apache-2.0
"""What a `# asclens: run` directive says about an array: `rand(1024)`, `zeros(64, 32, dtype=float16)` ..."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from asclens_compiler.errors import AscLensError
from asclens_compiler.hardware.dtypes import DType

Number = int | float

DEFAULT_DTYPE = "float32"
# How many numbers stand before the shape.
LEADING_NUMBERS = {"rand": 0, "randn": 0, "randint": 2, "zeros": 0, "ones": 0, "full": 1, "arange": 0}

_DTYPES = {dtype.value for dtype in DType if dtype not in (DType.UNKNOWN, DType.BOOL, DType.INT1, DType.INT4)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Creation:
    """One call: the function, its numbers (a shape may be a tuple), and the element type."""

    name: str
    numbers: tuple[Number, ...]
    shape: tuple[int, ...]
    dtype: str


def creation_of(node: ast.expr, evaluate: Callable[[ast.expr], object]) -> Creation | None:
    """Return the creation that an expression is, or None; `evaluate` gives constants of the file.

    AscLensError for a creation that cannot be made.
    """
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id not in LEADING_NUMBERS:
        return None
    text = ast.unparse(node)
    lead = LEADING_NUMBERS[node.func.id]
    numbers: list[Any] = []
    for argument in node.args:
        value = evaluate(argument)
        numbers += value if isinstance(value, tuple) else [value]  # pyright: ignore[reportUnknownArgumentType]
    if any(isinstance(value, bool) or not isinstance(value, int | float) for value in numbers):
        raise AscLensError(f"`{text}`: its arguments must be numbers that the file states")
    shape = numbers[lead:]
    if not shape or any(not isinstance(size, int) or size < 0 for size in shape):
        raise AscLensError(f"`{text}` needs a shape, for example `{node.func.id}({'0, ' * lead}1024)`")
    return Creation(name=node.func.id, numbers=tuple(numbers[:lead]), shape=tuple(shape), dtype=_dtype(node, text))


def _dtype(node: ast.Call, text: str) -> str:
    for keyword in node.keywords:
        name = ast.unparse(keyword.value).rpartition(".")[2].strip("'\"").lower()
        if keyword.arg != "dtype" or name not in _DTYPES:
            raise AscLensError(f"`{text}`: only `dtype=` may follow, with one of {', '.join(sorted(_DTYPES))}")
        return name
    return DEFAULT_DTYPE
