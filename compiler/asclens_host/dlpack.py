# SPDX-License-Identifier: Apache-2.0
"""Reading and writing the memory of a DLPack array without another library.

Layout of `DLManagedTensor`: DLPack 0.x / 1.x header `dlpack.h` (unversioned capsule "dltensor").
"""

from __future__ import annotations

import ctypes
from itertools import product
from typing import Any

_CPU_DEVICES = (1, 3)  # kDLCPU, kDLCUDAHost
_KINDS = {0: "int", 1: "uint", 2: "float", 4: "bfloat", 6: "bool"}


class DlpackError(Exception):
    """Report an array that cannot be read."""


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("type_code", ctypes.c_uint8),
        ("type_bits", ctypes.c_uint8),
        ("type_lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class Memory:
    """The memory of an array: address, dtype name, shape and strides in elements.

    The capsule is kept (and later released by its own destructor) as long as this object lives.
    """

    def __init__(self, value: Any) -> None:
        try:
            self._capsule = value.__dlpack__()
        except (RuntimeError, BufferError, TypeError, ValueError) as error:
            raise DlpackError(str(error)) from None
        get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
        get_pointer.restype = ctypes.c_void_p
        get_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
        tensor = _Tensor.from_address(get_pointer(self._capsule, b"dltensor"))
        if tensor.device_type not in _CPU_DEVICES:
            raise DlpackError("it is not in host memory")
        kind = _KINDS.get(tensor.type_code)
        if kind is None or tensor.type_lanes != 1:
            raise DlpackError(f"its element type (DLPack code {tensor.type_code}) is unknown")
        self.dtype = "bool" if kind == "bool" else f"{kind}{tensor.type_bits}"
        self._itemsize = (tensor.type_bits + 7) // 8
        self.shape: tuple[int, ...] = tuple(tensor.shape[axis] for axis in range(tensor.ndim))
        contiguous = _contiguous(self.shape)
        self.strides: tuple[int, ...] = (
            tuple(tensor.strides[axis] for axis in range(tensor.ndim)) if tensor.strides else contiguous
        )
        self.address: int = (tensor.data or 0) + tensor.byte_offset
        self._is_contiguous = all(
            size == 1 or self.strides[axis] == contiguous[axis] for axis, size in enumerate(self.shape)
        )

    def copy_to(self, target: memoryview) -> None:
        """Copy all elements into `target`, in C order."""
        self._copy(target, outward=True)

    def copy_from(self, source: memoryview) -> None:
        """Copy all elements from `source`, in C order."""
        self._copy(source, outward=False)

    def _copy(self, memory: memoryview, *, outward: bool) -> None:
        if not memory.nbytes:
            return
        other = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        if self._is_contiguous:
            _move(other, self.address, memory.nbytes, outward)
            return
        row = self.shape[-1] if self.strides[-1] == 1 else 1
        outer = self.shape[:-1] if row > 1 or self.shape[-1] == 1 else self.shape
        for position, index in enumerate(product(*(range(size) for size in outer))):
            offset = sum(i * self.strides[axis] for axis, i in enumerate(index)) * self._itemsize
            _move(other + position * row * self._itemsize, self.address + offset, row * self._itemsize, outward)


def _move(other: int, own: int, nbytes: int, outward: bool) -> None:
    if outward:
        ctypes.memmove(other, own, nbytes)
    else:
        ctypes.memmove(own, other, nbytes)


def _contiguous(shape: tuple[int, ...]) -> tuple[int, ...]:
    strides: list[int] = []
    step = 1
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    return tuple(reversed(strides))
