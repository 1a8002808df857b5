# SPDX-License-Identifier: Apache-2.0
"""numpy and torch as host code uses them to make arrays: dtype and shape only."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from asclens_compiler.frontend.dtypes import DTypeValue
from asclens_compiler.frontend.hostvalues import HostArray, HostScalar
from asclens_compiler.frontend.static import SequenceValue, StaticValue
from asclens_compiler.frontend.values import POISON, KernelValue, Operator
from asclens_compiler.hardware.dtypes import DType

if TYPE_CHECKING:
    from asclens_compiler.frontend.context import Context
    from asclens_compiler.source.span import Span

_DTYPES = {dtype.value: dtype for dtype in DType if dtype is not DType.UNKNOWN} | {
    "half": DType.FLOAT16, "float": DType.FLOAT32, "double": DType.FLOAT64, "int": DType.INT32, "long": DType.INT64,
    "short": DType.INT16, "single": DType.FLOAT32, "bool_": DType.BOOL,
}  # fmt: skip
LIBRARIES = ("numpy", "torch", "math", "ml_dtypes")
# Functions whose dimensions are separate arguments, one shape argument, or an argument at a position.
_BY_DIMS = ("rand", "randn")
_BY_SHAPE = ("zeros", "ones", "empty", "full", "random", "standard_normal", "random_sample")
_AT = {"uniform": 2, "normal": 2, "integers": 2, "randint": 2}
_LIKE = ("zeros_like", "ones_like", "empty_like", "full_like", "rand_like", "randn_like", "randint_like")
_SAME = ("from_numpy", "asarray", "ascontiguousarray", "as_tensor", "array", "tensor", "abs", "exp", "sqrt", "relu",
         "copy", "clone", "clip", "round", "sign")  # fmt: skip
_ARITHMETIC = frozenset({Operator.ADD, Operator.SUB, Operator.MUL, Operator.DIV, Operator.POW})


@dataclass(slots=True, eq=False)
class LibraryDType(DTypeValue):
    """A dtype of numpy or torch; numpy's makes scalars."""

    def call(
        self, ctx: Context, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue:
        """Make a scalar: a run-time argument on the host, a literal in a kernel."""
        number = args[0].value if len(args) == 1 and isinstance(args[0], StaticValue) else None
        if not isinstance(number, int | float) or kwargs:
            return POISON if ctx.static else ctx.not_supported(f"{self.describe()} makes a scalar of a literal", span)
        if ctx.static:
            return HostScalar(self.dtype, number)
        if not self.dtype.is_float:
            return StaticValue(int(number))
        return StaticValue(_rounded(float(number), self.dtype))


_PACKED = {DType.FLOAT16: "e", DType.FLOAT32: "f"}


def _rounded(number: float, dtype: DType) -> float:
    """Return the number that a scalar of this type holds."""
    form = _PACKED.get(dtype)
    if form is None or not math.isfinite(number):
        return number
    try:
        return struct.unpack(form, struct.pack(form, number))[0]
    except OverflowError:
        return math.copysign(math.inf, number)


@dataclass(frozen=True, slots=True, eq=False)
class LibraryName(KernelValue):
    """A name of a host library, by its dotted path."""

    path: str
    kind = "host library"

    def describe(self) -> str:
        """Return the path."""
        return f"`{self.path}`"

    def getattr(self, ctx: Context, name: str, span: Span) -> KernelValue:
        """Return a dtype, a number, or a deeper name."""
        library = self.path.split(".")[0]
        if library in LIBRARIES:
            dtype = library_dtype(library, name)
            if dtype is not None:
                return LibraryDType(dtype)
            if self.path == "math" and isinstance(getattr(math, name, None), float):
                return StaticValue(getattr(math, name))
        if not ctx.static:
            return ctx.not_supported(
                f"{self.describe()} has no meaning inside a kernel", span, "Use the functions of `asc`."
            )
        return LibraryName(f"{self.path}.{name}")

    def call(
        self, ctx: Context, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue:
        """Make an array, as far as its dtype and shape are known."""
        if not ctx.static:
            return ctx.not_supported(f"{self.describe()} cannot be called in a kernel", span)
        library, _, rest = self.path.partition(".")
        if library == "math":
            return _math(rest, args)
        if library not in ("numpy", "torch"):
            return POISON
        name = rest.rsplit(".", 1)[-1]
        if name == "default_rng":
            return LibraryName("numpy.random")
        return create(library, name, args, kwargs)

    def is_compile_time(self) -> bool:
        """Return True."""
        return True


def library_dtype(library: str, name: str) -> DType | None:
    """Return the dtype that `numpy.name` or `torch.name` is; numpy's `float` and `int` are Python's."""
    if library == "numpy" and name in ("float", "int", "bool"):
        return None
    return _DTYPES.get(name)


def _math(name: str, args: Sequence[KernelValue]) -> KernelValue:
    numbers = [item.value for item in args if isinstance(item, StaticValue) and isinstance(item.value, int | float)]
    functions: dict[str, Callable[..., int | float]] = {
        "ceil": math.ceil, "floor": math.floor, "sqrt": math.sqrt, "log2": math.log2, "gcd": math.gcd, "exp": math.exp,
    }  # fmt: skip
    if name not in functions or len(numbers) != len(args):
        return POISON
    try:
        return StaticValue(functions[name](*numbers))
    except (ArithmeticError, ValueError, TypeError):
        return POISON


def create(library: str, name: str, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue]) -> KernelValue:
    """Return the array that a creation function makes; POISON for other functions."""
    wanted = _dtype_of(kwargs.get("dtype"))
    default = DType.FLOAT32 if library == "torch" else DType.FLOAT64
    if name in _LIKE or (name in _SAME and args and isinstance(args[0], HostArray)):
        base = args[0] if args else POISON
        return HostArray(wanted or base.dtype, base.shape) if isinstance(base, HostArray) else POISON
    if name in ("array", "tensor", "asarray"):
        return _from_list(args, wanted or default)
    if name == "arange":
        return _arange(args, wanted)
    if name in _BY_DIMS:
        return HostArray(wanted or default, dims(args))
    if name in _BY_SHAPE:
        return HostArray(_positional_dtype(name, args) or wanted or default, _shape_argument(name, args, kwargs))
    if name in _AT:
        given = kwargs.get("size") or (args[_AT[name]] if len(args) > _AT[name] else None)
        number = DType.INT64 if name in ("randint", "integers") else default
        return HostArray(wanted or number, dims([given]) if given is not None else None)
    if name == "linspace":
        return HostArray(wanted or default, dims(args[2:3]))
    return POISON


def _shape_argument(
    name: str, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue]
) -> tuple[int, ...] | None:
    given = kwargs.get("size") or kwargs.get("shape")
    if given is not None:
        return dims([given])
    many = name in ("zeros", "ones", "empty") and len(args) > 1 and all(isinstance(item, StaticValue) for item in args)
    return dims(args if many else args[:1])


def _positional_dtype(name: str, args: Sequence[KernelValue]) -> DType | None:
    position = 2 if name == "full" else 1
    return _dtype_of(args[position]) if len(args) > position else None


def _dtype_of(value: KernelValue | None) -> DType | None:
    if isinstance(value, DTypeValue):
        return value.dtype
    if isinstance(value, StaticValue) and isinstance(value.value, str):
        return _DTYPES.get(value.value)
    return DType.UNKNOWN if value is not None else None


def dims(args: Sequence[KernelValue]) -> tuple[int, ...] | None:
    """Return dimensions given one by one or as one sequence; None when one is unknown."""
    items = args[0].items() if len(args) == 1 else None
    found: list[int] = []
    for item in items if items is not None else args:
        if not isinstance(item, StaticValue) or not isinstance(item.value, int):
            return None
        found.append(item.value)
    return tuple(found)


def _from_list(args: Sequence[KernelValue], dtype: DType) -> KernelValue:
    shape: list[int] = []
    level: KernelValue | None = args[0] if args else None
    while level is not None:
        items = level.items()
        if items is None:
            break
        shape.append(len(items))
        level = items[0] if items else None
    return HostArray(dtype, tuple(shape)) if shape else POISON


def _arange(args: Sequence[KernelValue], wanted: DType | None) -> KernelValue:
    numbers = [item.value for item in args if isinstance(item, StaticValue) and isinstance(item.value, int | float)]
    if len(numbers) != len(args) or not 1 <= len(numbers) <= 3:
        return HostArray(wanted or DType.UNKNOWN, None)
    start, stop = (0, numbers[0]) if len(numbers) == 1 else (numbers[0], numbers[1])
    step = numbers[2] if len(numbers) == 3 else 1
    whole = all(isinstance(number, int) for number in numbers)
    count = max(0, math.ceil((stop - start) / step)) if step else 0
    return HostArray(wanted or (DType.INT64 if whole else DType.FLOAT64), (count,))


_KEEP = (
    "cuda",
    "npu",
    "cpu",
    "contiguous",
    "clone",
    "copy",
    "numpy",
    "detach",
    "clamp",
    "abs",
    "round",
    "to",
    "view_as",
)
_TO = {"float": DType.FLOAT32, "half": DType.FLOAT16, "int": DType.INT32, "long": DType.INT64, "double": DType.FLOAT64,
       "bfloat16": DType.BFLOAT16, "short": DType.INT16, "char": DType.INT8}  # fmt: skip
_NUMBERS: dict[str, Callable[[HostArray], int | None]] = {
    "numel": lambda array: array.elems,
    "element_size": lambda array: array.dtype.size_bytes or None,
    "dim": lambda array: None if array.shape is None else len(array.shape),
}
METHODS = (*_KEEP, *_TO, *_NUMBERS, "astype", "type", "reshape", "view", "flatten", "ravel", "size")


@dataclass(frozen=True, slots=True, eq=False)
class ArrayMethod(KernelValue):
    """A method of an array."""

    array: HostArray
    name: str
    kind = "array method"

    def call(
        self, ctx: Context, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue:
        """Return what the method makes of dtype and shape."""
        del ctx, span
        array = self.array
        if self.name in ("astype", "type", "to"):
            given = next((item for item in (*args, *kwargs.values()) if isinstance(item, DTypeValue)), None)
            unknown = self.name != "to" and given is None
            return HostArray(
                given.dtype if given is not None else DType.UNKNOWN if unknown else array.dtype, array.shape
            )
        if self.name in _TO:
            return HostArray(_TO[self.name], array.shape)
        if self.name in _NUMBERS:
            number = _NUMBERS[self.name](array)
            return StaticValue(number) if number is not None else POISON
        if self.name == "size":
            index = args[0].value if args and isinstance(args[0], StaticValue) else None
            if array.shape is not None and isinstance(index, int) and -len(array.shape) <= index < len(array.shape):
                return StaticValue(array.shape[index])
            return POISON if args else shape_value(array)
        if self.name in ("reshape", "view"):
            return HostArray(array.dtype, _reshaped(array, dims(args)))
        if self.name in ("flatten", "ravel"):
            return HostArray(array.dtype, None if array.elems is None else (array.elems,))
        return array


class ArraySize(StaticValue):
    """`array.size`: a number in numpy, a method in torch."""

    __slots__ = ("array",)

    def __init__(self, array: HostArray, elems: int) -> None:
        super().__init__(elems)
        self.array = array

    def call(
        self, ctx: Context, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue:
        """Call torch's method."""
        return ArrayMethod(self.array, "size").call(ctx, args, kwargs, span)


def shape_value(array: HostArray) -> KernelValue:
    """Return the shape as a tuple."""
    return POISON if array.shape is None else SequenceValue([StaticValue(dim) for dim in array.shape])


def _reshaped(array: HostArray, wanted: tuple[int, ...] | None) -> tuple[int, ...] | None:
    if wanted is None or -1 not in wanted:
        return wanted
    known = math.prod(dim for dim in wanted if dim != -1)
    if array.elems is None or not known or wanted.count(-1) > 1:
        return None
    return tuple(array.elems // known if dim == -1 else dim for dim in wanted)


def array_attribute(array: HostArray, name: str) -> KernelValue | None:
    """Return an attribute or method of an array."""
    if name == "size" and array.elems is not None:
        return ArraySize(array, array.elems)
    if name == "dtype":
        return DTypeValue(array.dtype)
    if name == "shape":
        return shape_value(array)
    if name == "ndim" and array.shape is not None:
        return StaticValue(len(array.shape))
    if name == "nbytes" and array.elems is not None and array.dtype.bits:
        return StaticValue(array.elems * array.dtype.size_bytes)
    if name == "itemsize" and array.dtype.bits:
        return StaticValue(array.dtype.size_bytes)
    if name == "T":
        return HostArray(array.dtype, None if array.shape is None else array.shape[::-1])
    return ArrayMethod(array, name) if name in METHODS else None


def arithmetic(array: HostArray, op: Operator, other: KernelValue) -> KernelValue | None:
    """Return the array of an elementwise operator."""
    if op not in _ARITHMETIC:
        return None
    if isinstance(other, HostArray):
        same = other.shape == array.shape
        return HostArray(array.dtype if other.dtype is array.dtype else DType.UNKNOWN, array.shape if same else None)
    return array
