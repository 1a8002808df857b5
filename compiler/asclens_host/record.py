# SPDX-License-Identifier: Apache-2.0
"""Launch records: everything the engine needs to compile and run one launch."""

from __future__ import annotations

import enum
import inspect
import platform
import sys
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any, Optional, get_args, get_origin

from asclens_host import arrays, debugger, jit, questions
from asclens_host.device import ConstExpr
from asclens_host.dtypes import DataType
from asclens_host.platforms import requested_soc
from asclens_host.segment import ALIGNMENT_BYTES, Segment
from asclens_host.sources import SourceError
from asclens_host.structs import Field, Struct
from asclens_host.values import Encoder

if TYPE_CHECKING:
    from asclens_host.launch import Launch

Json = dict[str, Any]
Named = list[tuple[Optional[str], Any]]
Given = tuple[Optional[str], Any, bool]

_MAX_FRAMES = 50
_INT32 = (-(2**31), 2**31 - 1)


class LaunchRecord:
    """The record of one launch as `message`, and the arrays that go with it."""

    def __init__(self, launch: Launch) -> None:
        self._encoder = Encoder()
        self._arrays: list[arrays.Array] = []
        self._places: list[tuple[arrays.Array, int]] = []
        self._offsets: dict[Any, int] = {}
        self._segment: Segment | None = None
        self._size = 0
        self._mocked = False
        try:
            kernel, options, args, staged = self._subject(launch)
            encoded = [self._argument(name, value, constant, staged) for name, value, constant in args]
            if staged and any(name is None for name, _, _ in args):
                # Declared tensors follow the parameters: then all that is given by position goes by position.
                for item in encoded[: len(launch.args)]:
                    item["name"] = None
        except SourceError as error:
            raise RuntimeError(str(error)) from None
        thread = debugger.thread_of(launch)
        stack = [[f.f_code.co_filename, f.f_lineno, f.f_code.co_name] for f in questions.frames(launch)[:_MAX_FRAMES]]
        site = stack[0] if stack else ["<unknown>", 1, ""]
        self.message: Json = {
            "kernel": kernel,
            "core_num": _core_num(launch.core_num),
            "options": options,
            "args": encoded,
            "site": {"file": site[0], "line": site[1], "frames": stack},
            "soc": requested_soc(),
            "compile_only": self._mocked,
            "thread": debugger.thread_id(thread),
            "thread_name": "" if thread is None else thread.name,
            "interpreter": platform.python_version(),
        }
        self._share(encoded)

    def copy_back(self) -> None:
        """Copy the results into the script's arrays."""
        if self._segment is not None:
            for array, offset in self._places:
                array.copy_out(self._segment.part(offset, array.nbytes))

    def close(self) -> None:
        """Release the shared memory."""
        if self._segment is not None:
            self._segment.close()

    def _subject(self, launch: Launch) -> tuple[Json, Json, list[Given], bool]:
        """Return KERNEL, the options, the arguments (name, value, is it a ConstExpr), and whether it is staged."""
        kernel: Any = launch.kernel
        if isinstance(kernel, jit.JITFunction):
            kwargs = dict(launch.kwargs)
            options = {key: _option(value) for key, value in jit.split_options(kernel, kwargs).items()}
            bound = inspect.signature(kernel.fn).bind(*launch.args, **kwargs).arguments
            given: list[Given] = [(name, value, _is_const(kernel.fn, name, value)) for name, value in bound.items()]
            return {"surface": "ascendc", "function": self._encoder.func(kernel.fn)}, options, given, False
        if isinstance(kernel, MethodType):
            kernel = kernel.__self__
        if isinstance(kernel, FunctionType):
            named = _by_parameter(kernel, launch, skip=0)
            described: Json = {"surface": "staged", "function": self._encoder.func(kernel)}
            body: Any = kernel
        else:
            entry = getattr(kernel.__class__, "process", None)
            if isinstance(kernel, type) or not isinstance(entry, FunctionType):
                raise TypeError(
                    "asc.launch takes an operator object with a method `process`, or a function, "
                    f"not {'the class ' + kernel.__name__ if isinstance(kernel, type) else type(kernel).__name__}"
                )
            named = _by_parameter(entry, launch, skip=1)
            instance = {
                "class": self._encoder.cls(kernel.__class__),
                "attrs": self._encoder.attributes(kernel),
                "entry": "process",
            }
            described = {"surface": "staged", "instance": instance}
            body = entry
        given = [(name, value, name is not None and _is_const(body, name, value)) for name, value in named]
        return described, {}, given, True

    def _argument(self, name: str | None, value: Any, constant: bool, staged: bool) -> Json:
        value = ConstExpr.unwrap(value)
        if constant:
            return {"name": name, "k": "const", "v": self._encoder.value(value)}
        if isinstance(value, jit.MockTensor):
            self._mocked = True
            return {"name": name, "k": "array", "dtype": str(value.dtype), "shape": None, "segment": None,
                    "offset": 0, "nbytes": 0}  # fmt: skip
        if isinstance(value, jit.MockValue):
            self._mocked = True
            return {"name": name, "k": "scalar", "dtype": str(value.dtype), "v": 0}
        scalar = _scalar(name, value, staged)
        if scalar is not None:
            return scalar
        if isinstance(value, Struct):
            return {"name": name, "k": "struct", **_struct(value)}
        try:
            array = arrays.as_array(value)
        except arrays.ArrayError as error:
            raise arrays.ArrayError(f"argument '{name}': {error}") from None
        if array is not None:
            return self._array(name, array)
        if staged and (value is None or isinstance(value, (str, tuple, list, enum.Enum, DataType))):
            return {"name": name, "k": "const", "v": self._encoder.value(value)}
        raise TypeError(
            f"argument '{name}' is a {type(value).__name__}; a kernel takes arrays, numbers, and structs "
            "(annotate the parameter with asc.ConstExpr to pass a compile-time value)"
        )

    def _array(self, name: str | None, array: arrays.Array) -> Json:
        key = array.key()
        offset = self._offsets.get(key)
        if offset is None:
            offset = self._offsets[key] = self._size
            self._places.append((array, offset))
            self._size += -(-max(array.nbytes, 1) // ALIGNMENT_BYTES) * ALIGNMENT_BYTES
        return {"name": name, "k": "array", "dtype": array.dtype, "shape": list(array.shape), "segment": None,
                "offset": offset, "nbytes": array.nbytes}  # fmt: skip

    def _share(self, encoded: list[Json]) -> None:
        if not self._places:
            return
        self._segment = Segment(self._size)
        try:
            for array, offset in self._places:
                array.copy_in(self._segment.part(offset, array.nbytes))
        except BaseException:
            self._segment.close()
            raise
        for item in encoded:
            if item["k"] == "array" and item["shape"] is not None:
                item["segment"] = self._segment.path


def _core_num(value: Any) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"the number of cores is an integer, not {value!r}")
    count = value.__index__()
    if count <= 0:
        raise ValueError(f"the number of cores must be greater than 0, not {count}")
    return count


def _by_parameter(function: Any, launch: Launch, *, skip: int) -> Named:
    """Name the arguments of a staged kernel; those beyond its parameters belong to tensors it declares."""
    names = list(inspect.signature(function).parameters)[skip:]
    positional: Named = [
        (names[position] if position < len(names) else None, value) for position, value in enumerate(launch.args)
    ]
    taken = {name for name, _ in positional}
    for name in launch.kwargs:
        if name in taken:
            raise TypeError(f"{function.__qualname__} got argument '{name}' twice")
    return [*positional, *launch.kwargs.items()]


def _is_const(function: Any, name: str, value: Any) -> bool:
    """Tell whether a parameter is annotated as compile-time; RuntimeError when the value has another type."""
    try:
        annotation = function.__annotations__.get(name)
        if isinstance(annotation, str):
            annotation = eval(annotation, function.__globals__)
    except Exception:  # an annotation that cannot be evaluated is no ConstExpr
        return False
    if annotation is ConstExpr:
        return True
    if get_origin(annotation) is not ConstExpr:
        return False
    wanted = tuple(item for item in get_args(annotation) if isinstance(item, type))
    actual = ConstExpr.unwrap(value)
    if wanted and not isinstance(actual, wanted):
        names = " | ".join(item.__name__ for item in wanted)
        raise RuntimeError(f"ConstExpr[{names}] is required for '{name}' argument, not {type(actual).__name__}")
    return True


def _scalar(name: str | None, value: Any, staged: bool) -> Json | None:
    """Type a number as the real launcher does: int -> int32, float -> float32, numpy scalars by dtype."""
    dtype = _scalar_dtype(value, staged)
    if dtype is None:
        return None
    item = value.item() if hasattr(value, "item") else value
    number = float(item) if "float" in dtype else int(item)
    if dtype == "int32" and not _INT32[0] <= number <= _INT32[1]:
        raise ValueError(
            f"argument '{name}' is {number}, and an int becomes int32 on the device: pass numpy.int64({number})"
        )
    if dtype == "int1":
        return {"name": name, "k": "scalar", "dtype": dtype, "v": bool(number)}
    finite = not isinstance(number, float) or number - number == 0
    return {"name": name, "k": "scalar", "dtype": dtype, "v": number if finite else str(number)}


def _scalar_dtype(value: Any, staged: bool) -> str | None:
    if isinstance(value, bool):
        return "int1" if staged else "int8"
    if isinstance(value, int):
        return "int32"
    if isinstance(value, float):
        return "float32"
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, numpy.generic):
        if value.dtype.kind == "b" and staged:
            return "int1"
        return arrays.checked_dtype(value.dtype.name)
    return None


def _struct(value: Struct) -> Json:
    fields: list[list[Any]] = []
    for key, member in type(value).members():
        item = getattr(value, key)
        if isinstance(member, Field):
            number = float(item) if member.dtype.is_float() else int(item)
            fields.append([key, str(member.dtype), {"k": "float" if member.dtype.is_float() else "int", "v": number}])
        else:
            fields.append([key, "struct", {"k": "struct", **_struct(item)}])
    return {"type": type(value).__name__, "fields": fields}


def _option(value: Any) -> Any:
    if isinstance(value, enum.Enum):
        return value.name
    if type(value) in (tuple, list):
        return [_option(item) for item in value]
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)
