# SPDX-License-Identifier: Apache-2.0
"""Arguments of a launch record as what the simulator takes: arrays mapped from shared memory, numbers."""

from __future__ import annotations

import mmap
import os
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt

from asclens_compiler.backends.simulator.api import Arg, ArrayArg, ScalarArg, StructArg
from asclens_compiler.backends.simulator.values import StructValue
from asclens_compiler.errors import AscLensError, InternalError

JsonObject = dict[str, Any]
Number = int | float | bool

SEGMENT_PREFIX = "asclens-"  # of the files that the facade makes

_MORE_DTYPES = {"bfloat16": np.dtype(ml_dtypes.bfloat16)}


class Segments:
    """Files of shared memory, each mapped once; they stay mapped as long as arrays refer to them."""

    def __init__(self) -> None:
        self._maps: dict[str, mmap.mmap] = {}

    def array(self, argument: JsonObject) -> npt.NDArray[Any]:
        """Return the array of an `array` argument; writing to it writes to the script's copy."""
        dtype = numpy_dtype(argument["dtype"])
        shape: tuple[int, ...] = tuple(argument["shape"])
        if not argument["nbytes"]:
            return np.zeros(shape, dtype)
        memory = self._map(argument["segment"])
        count = argument["nbytes"] // dtype.itemsize
        flat = np.frombuffer(memory, dtype, count=count, offset=argument["offset"])
        return np.reshape(flat, shape)

    def _map(self, path: str) -> mmap.mmap:
        if path not in self._maps:
            try:
                descriptor = os.open(path, os.O_RDWR)
            except OSError as error:
                raise AscLensError(f"the script's arrays cannot be read: {error.strerror or error}") from error
            try:
                self._maps[path] = mmap.mmap(descriptor, 0)
            finally:
                os.close(descriptor)
            _forget(path)
        return self._maps[path]


def _forget(path: str) -> None:
    """Remove a mapped segment: the memory lives on, and a script that is killed leaves no file behind."""
    if os.path.basename(path).startswith(SEGMENT_PREFIX):
        with suppress(OSError):  # the script may have removed it
            os.unlink(path)


def numpy_dtype(name: str) -> np.dtype[Any]:
    """Return the numpy dtype of an element type name."""
    return _MORE_DTYPES.get(name) or np.dtype(name)


def simulator_arguments(arguments: Sequence[JsonObject], names: Sequence[str]) -> list[Arg]:
    """Return the run-time arguments of a record for the program's parameters, in their order.

    Arguments go by name; those without one take the parameters that are left, in order.
    """
    segments = Segments()
    runtime = [item for item in arguments if item["k"] != "const"]
    if len(runtime) != len(names):
        raise InternalError(f"a launch with {len(runtime)} run-time arguments met a program with {len(names)}")
    named = {item["name"]: item for item in runtime if item["name"] in names}
    others = iter([item for item in runtime if item["name"] not in named])
    return [_argument(named[name] if name in named else next(others), name, segments) for name in names]


def describe(arguments: Sequence[JsonObject]) -> list[str]:
    """Return one text per argument: `x=float32[1024]`, `n=int32 2048`, `tile=256 (const)`."""
    return [f"{item['name'] or f'#{position}'}={_text(item)}" for position, item in enumerate(arguments)]


def _text(item: JsonObject) -> str:
    match item["k"]:
        case "array":
            shape = item["shape"]
            return f"{item['dtype']}{'[?]' if shape is None else list(shape)}"
        case "scalar":
            return f"{item['dtype']} {item['v']}"
        case "struct":
            return str(item["type"])
        case _:
            return f"{_value_text(item['v'])} (const)"


def _value_text(value: JsonObject) -> str:
    kind, inner = value["k"], value.get("v")
    if kind in ("bool", "int", "float", "str", "dtype"):
        return repr(inner) if kind == "str" else str(inner)
    if kind == "enum":
        return f"{value['type']}.{inner}"
    if kind in ("tuple", "list"):
        return f"[{', '.join(_value_text(item) for item in inner or ())}]"
    return "None" if kind == "none" else str(value.get("type") or kind)


def _argument(item: JsonObject, name: str, segments: Segments) -> Arg:
    match item["k"]:
        case "array":
            return ArrayArg(name=name, data=segments.array(item))
        case "scalar":
            return ScalarArg(name=name, value=number(item["v"]))
        case "struct":
            return StructArg(name=name, type=item["type"], fields=tuple(_fields(item["fields"])))
        case kind:
            raise InternalError(f"an argument of kind {kind!r}")


def _fields(rows: Sequence[Any]) -> list[tuple[str, Any]]:
    """Return the fields of a struct in order; a struct inside is a value of its own."""
    return [
        (name, StructValue(value["type"], dict(_fields(value["fields"]))) if dtype == "struct" else number(value["v"]))
        for name, dtype, value in rows
    ]


def number(value: Any) -> Number:
    """Return a number; non-finite floats travel as text."""
    return float(value) if isinstance(value, str) else value
