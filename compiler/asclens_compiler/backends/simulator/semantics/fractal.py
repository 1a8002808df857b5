# SPDX-License-Identifier: Apache-2.0
"""Layouts of matrices in the cube core's memories.

A fractal has 512 bytes: 16 rows of 32 bytes in L0A and L0B (16 x K0 elements, K0 = 32 bytes), and
16 x 16 elements in L0C. L0A orders fractals row by row and keeps rows inside (ZZ); L0B orders them
by k, then n, and keeps columns inside (ZN); L0C orders them by n, then m, rows inside (NZ).
Source: vendor pages on matrix fractals; isa notes on `mad`.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from asclens_compiler.backends.simulator.semantics.api import Index
from asclens_compiler.backends.simulator.semantics.blocks import BLOCK_BYTES

FRACTAL_BYTES = 512
SIDE = 16


def chunk_elems(size_bytes: int) -> int:
    """Return K0, the elements in 32 bytes."""
    return BLOCK_BYTES // size_bytes


def ceil_div(value: int, unit: int) -> int:
    """Return how many units cover a value."""
    return -(-value // unit)


def _frozen(index: Index) -> Index:
    index.setflags(write=False)
    return index


@lru_cache(maxsize=256)
def zz_index(rows: int, columns: int, chunk: int) -> Index:
    """Return element indexes (rows, columns) of a matrix in L0A."""
    row, column = np.arange(rows)[:, None], np.arange(columns)
    across = ceil_div(columns, chunk)
    fractal = row // SIDE * across + column // chunk
    return _frozen(fractal * (SIDE * chunk) + row % SIDE * chunk + column % chunk)


@lru_cache(maxsize=256)
def zn_index(depth: int, columns: int, chunk: int) -> Index:
    """Return element indexes (depth, columns) of a matrix in L0B; depth is the k direction."""
    row, column = np.arange(depth)[:, None], np.arange(columns)
    fractal = row // chunk * ceil_div(columns, SIDE) + column // SIDE
    return _frozen(fractal * (SIDE * chunk) + column % SIDE * chunk + row % chunk)


@lru_cache(maxsize=256)
def nz_index(rows: int, columns: int, column_step: int, width: int = SIDE) -> Index:
    """Return element indexes (rows, columns) of a matrix in columns `width` elements wide.

    `column_step` is the distance in elements from one such column to the next.
    """
    row, column = np.arange(rows)[:, None], np.arange(columns)
    return _frozen(column // width * column_step + row * width + column % width)


@lru_cache(maxsize=256)
def nd_index(rows: int, columns: int, row_step: int) -> Index:
    """Return element indexes (rows, columns) of a row-major matrix."""
    return _frozen(np.arange(rows)[:, None] * row_step + np.arange(columns))
