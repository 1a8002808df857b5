# SPDX-License-Identifier: Apache-2.0
"""A small stand-in for torch over numpy: what the simple scripts of pyasc's repository use."""

from __future__ import annotations

import builtins

import numpy as np


class dtype:
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"torch.{self.name}"


float16, float32, int16, int32, int64 = map(dtype, ("float16", "float32", "int16", "int32", "int64"))


class Tensor:
    is_cpu = True

    def __init__(self, array):
        self._array = np.asarray(array)

    @property
    def dtype(self):
        return globals()[self._array.dtype.name]

    @property
    def shape(self):
        return self._array.shape

    def numel(self):
        return self._array.size

    def numpy(self):
        return self._array

    def __add__(self, other):
        return Tensor(self._array + other._array)


_random = np.random.default_rng(1)


def _of(array, dtype):
    return Tensor(array.astype(dtype.name))


def rand(*size, dtype=float32, device=None):
    return _of(_random.random(size), dtype)


def randn(size, dtype=float32, device=None):
    return _of(_random.standard_normal(size), dtype)


def randint(low, high, size, dtype=int64, device=None):
    return _of(_random.integers(low, high, size), dtype)


def zeros_like(tensor):
    return Tensor(np.zeros_like(tensor.numpy()))


def allclose(a, b):
    return builtins.bool(np.allclose(a.numpy(), b.numpy()))
