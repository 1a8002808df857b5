# SPDX-License-Identifier: Apache-2.0
"""Arrays of the script: numpy, torch, anything with DLPack or the buffer protocol, copied in and out."""

from __future__ import annotations

import sys
from typing import Any

from asclens_host import dlpack
from asclens_host.dtypes import BITS

_NOT_ON_DEVICE = ("void", "int1", "int4")
_FORMATS = {"b": "int", "h": "int", "i": "int", "l": "int", "q": "int", "e": "float", "f": "float", "d": "float"}
_FORMATS.update({code.upper(): "uint" for code in "bhilq"})


class ArrayError(TypeError):
    """Report an array that a kernel cannot take."""


class Array:
    """One array argument: dtype name, shape in elements, and its bytes in C order."""

    dtype: str
    shape: tuple[int, ...]

    @property
    def nbytes(self) -> int:
        """Return the bytes of all elements."""
        count = BITS[self.dtype] // 8
        for size in self.shape:
            count *= size
        return count

    def key(self) -> Any:
        """Return what is equal for two arguments that are the same memory."""
        raise NotImplementedError

    def copy_in(self, target: memoryview) -> None:
        """Write the elements into `target`, in C order."""
        raise NotImplementedError

    def copy_out(self, source: memoryview) -> None:
        """Read the elements back from `source`."""
        raise NotImplementedError


def as_array(value: Any) -> Array | None:
    """Return the array behind an argument, or None when it is none.

    ArrayError for an array whose element type or place a kernel cannot take.
    """
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, numpy.ndarray):
        return NumpyArray(numpy, value)
    if hasattr(value, "__dlpack__"):
        return DlpackArray(value)
    torch = sys.modules.get("torch")
    if torch is not None and numpy is not None and isinstance(value, getattr(torch, "Tensor", ())):
        return NumpyArray(numpy, value.numpy())
    if isinstance(value, (bytes, str)):
        return None
    try:
        view = memoryview(value)
    except TypeError:
        return None
    return BufferArray(view)


def checked_dtype(name: str) -> str:
    """Return an element type name; ArrayError when kernels have no such type."""
    if name not in BITS or name in _NOT_ON_DEVICE:
        raise ArrayError(f"a kernel cannot take an array of {name}: convert it to an integer or floating-point type")
    return name


class NumpyArray(Array):
    """A numpy array, contiguous or not."""

    def __init__(self, numpy: Any, array: Any) -> None:
        self._numpy = numpy
        self._array = array
        self._native = array.dtype.newbyteorder("=")
        self.dtype = checked_dtype(self._native.name)
        self.shape = tuple(int(size) for size in array.shape)

    def key(self) -> Any:
        """Return address, strides and type."""
        return self._array.__array_interface__["data"][0], self._array.strides, self.shape, self.dtype

    def _view(self, memory: memoryview) -> Any:
        return self._numpy.frombuffer(memory, dtype=self._native).reshape(self.shape)

    def copy_in(self, target: memoryview) -> None:
        """Write the elements into `target`."""
        if target.nbytes:
            self._view(target)[...] = self._array

    def copy_out(self, source: memoryview) -> None:
        """Read the elements back; a read-only array stays as it is."""
        if source.nbytes and self._array.flags.writeable:
            self._array[...] = self._view(source)


class DlpackArray(Array):
    """An array in host memory that another library exports (torch ...)."""

    def __init__(self, value: Any) -> None:
        if getattr(value, "requires_grad", False) and hasattr(value, "detach"):
            value = value.detach()
        try:
            self._memory = dlpack.Memory(value)
        except dlpack.DlpackError as error:
            raise ArrayError(f"a kernel cannot take this {type(value).__name__}: {error}") from None
        self.dtype = checked_dtype(self._memory.dtype)
        self.shape = self._memory.shape
        self._read_only = type(value).__module__.split(".", 1)[0] in ("jax", "jaxlib")

    def key(self) -> Any:
        """Return address, strides and type."""
        return self._memory.address, self._memory.strides, self.shape, self.dtype

    def copy_in(self, target: memoryview) -> None:
        """Write the elements into `target`."""
        self._memory.copy_to(target)

    def copy_out(self, source: memoryview) -> None:
        """Read the elements back; arrays of libraries without in-place writes stay as they are."""
        if not self._read_only:
            self._memory.copy_from(source)


class BufferArray(Array):
    """An object with the buffer protocol (`array.array`, `bytearray`, `memoryview`)."""

    def __init__(self, view: memoryview) -> None:
        code = view.format.lstrip("@=<") if view.format else "B"
        kind = _FORMATS.get(code)
        if kind is None:
            raise ArrayError(f"a kernel cannot take a buffer of format {view.format!r}")
        if not view.c_contiguous:
            raise ArrayError("a kernel cannot take a buffer that is not contiguous: copy it first")
        self._view = view
        self.dtype = checked_dtype(f"{kind}{view.itemsize * 8}")
        self.shape = tuple(view.shape or ())

    def key(self) -> Any:
        """Return the identity of the object behind the buffer."""
        return id(self._view.obj), self.shape, self.dtype

    def copy_in(self, target: memoryview) -> None:
        """Write the elements into `target`."""
        if target.nbytes:
            target[:] = self._view.cast("B")

    def copy_out(self, source: memoryview) -> None:
        """Read the elements back; a read-only buffer stays as it is."""
        if source.nbytes and not self._view.readonly:
            self._view.cast("B")[:] = source
