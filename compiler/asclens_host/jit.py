# SPDX-License-Identifier: Apache-2.0
"""`asc.jit` and `asc.launch`: what turns a call into a launch."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from asclens_host import sources
from asclens_host.dtypes import DataType
from asclens_host.launch import Launch, run


class _Options:
    """Base of option sets: keywords with defaults."""

    defaults: dict[str, Any] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        names = list(self.defaults)
        if len(args) > len(names):
            raise TypeError(f"{type(self).__name__} takes {len(names)} values, {len(args)} were given")
        given = {names[position]: value for position, value in enumerate(args)}
        for key, value in kwargs.items():
            if key not in self.defaults or key in given:
                raise TypeError(f"{type(self).__name__}: unexpected option '{key}'")
            given[key] = value
        for key, default in self.defaults.items():
            setattr(self, key, given.get(key, default))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{key}={getattr(self, key)!r}' for key in self.defaults)})"


class CodegenOptions(_Options):
    """Options of code generation."""

    defaults = {"capture_exceptions": True, "ir_multithreading": True}


class CompileOptions(_Options):
    """Options of compilation."""

    defaults = {
        "debug": False, "strip_loc": False, "verify_sync": False, "print_ir_before_all": False, "run_passes": True,
        "kernel_type": None, "opt_level": 3, "auto_sync": True, "auto_sync_log": "", "bisheng_options": None,
        "always_compile": False, "matmul_cube_only": False, "insert_sync": None,
    }  # fmt: skip


class LaunchOptions(_Options):
    """Options in the brackets of a launch."""

    defaults = {"core_num": 0, "stream": None}


_COMPILE = frozenset({*CodegenOptions.defaults, *CompileOptions.defaults})
_ALL = frozenset({*_COMPILE, *LaunchOptions.defaults})


class JITFunction:
    """A kernel, or a helper that kernels call."""

    def __init__(self, fn: Callable[..., Any], **options: Any) -> None:
        sources.remember(fn)
        clashes = sorted(_ALL.intersection(inspect.signature(fn).parameters))
        if clashes:
            raise RuntimeError(f"parameters of {fn.__name__} are named like options of asc.jit: {', '.join(clashes)}")
        unknown = sorted(set(options) - _ALL)
        if unknown:
            raise RuntimeError(f"asc.jit has no options {', '.join(unknown)}; there are: {', '.join(sorted(_ALL))}")
        self.fn = fn
        self.default_options = options
        self.__name__ = fn.__name__
        self.__qualname__ = fn.__qualname__
        self.__module__ = fn.__module__
        self.__doc__ = fn.__doc__
        self.__wrapped__ = fn

    def __getitem__(self, options: Any) -> Callable[..., None]:
        try:
            chosen = LaunchOptions(*options) if isinstance(options, tuple) else LaunchOptions(options)
        except TypeError as error:
            raise TypeError(f"kernel[core_num] or kernel[core_num, stream]: {error}") from None
        return _Call(self, chosen.__dict__["core_num"])

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the Python body; device calls in it raise."""
        return self.fn(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<kernel {self.__qualname__}>"


class _Call:
    """`kernel[core_num]`, to be called with the kernel's arguments."""

    __slots__ = ("core_num", "kernel")

    def __init__(self, kernel: JITFunction, core_num: Any) -> None:
        self.kernel = kernel
        self.core_num = core_num

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        run(Launch(self.kernel, self.core_num, args, kwargs))


def split_options(kernel: JITFunction, kwargs: dict[str, Any]) -> dict[str, Any]:
    """Take the compile options out of a call's keywords and return them over the decorator's."""
    options = {key: value for key, value in kernel.default_options.items() if key in _COMPILE}
    for key in [key for key in kwargs if key in _COMPILE]:
        options[key] = kwargs.pop(key)
    return options


def jit(fn: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Make a kernel of a function: `@asc.jit`, or `@asc.jit(option=...)`."""

    def decorate(function: Callable[..., Any]) -> JITFunction:
        return JITFunction(function, **options)

    return decorate if fn is None else decorate(fn)


def launch(kernel: Any, /, *args: Any, core_num: int = 1, **kwargs: Any) -> None:
    """Run a staged kernel (an operator object, or a function) on `core_num` cores.

    Arrays and numbers go by position, or by the name of the parameter or declared tensor.
    """
    run(Launch(kernel, core_num, args, kwargs))


class MockTensor:
    """Stand for an array of a dtype, to compile a kernel without running it."""

    def __init__(self, dtype: DataType) -> None:
        self.dtype = dtype


class MockValue:
    """Stand for a number of a dtype, to compile a kernel without running it."""

    def __init__(self, dtype: DataType) -> None:
        self.dtype = dtype
