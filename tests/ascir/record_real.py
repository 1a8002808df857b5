# SPDX-License-Identifier: Apache-2.0
"""Runs in the interpreter of real pyasc: writes, for each kernel launch, its launch record and its IR text.

`python record_real.py OUT SCRIPT [ARGS]` runs a script; with `-p record_real` it is a pytest plugin that
writes to `RECORD_OUT`. Nothing is launched and nothing of the toolchain is needed: the real frontend
builds its IR, and the launch returns. Uses only Python 3.9 and what the real package brings.
"""

import enum
import importlib.util
import inspect
import json
import os
import runpy
import sys
import traceback
from unittest.mock import MagicMock

import asc
import asc.lib.host
import asc.lib.runtime
import numpy
from asc.codegen.specialization import Specialization
from asc.common.compat import get_annotations
from asc.runtime import config, jit
from asc.runtime.compiler import Compiler


class Recorder:
    """Stand in for the launch of every jitted kernel."""

    def __init__(self, path):
        self.path = path

    def install(self):
        """Replace launches and everything that looks for the toolchain."""
        recorder = self
        config.set_platform = lambda *args, **kwargs: None
        asc.lib.runtime.current_stream = lambda *args: None
        if importlib.util.find_spec("torch") is None:
            without_torch()
        for name in asc.lib.host.__all__:
            setattr(asc.lib.host, name, MagicMock())

        def run(function, *args, **kwargs):
            recorder.launch(function, args, kwargs)

        jit.JITFunction._run = run

    @staticmethod
    def lowered(module, options):
        """Return the IR after the real passes and the Ascend C text, empty where they fail."""
        compiler = Compiler.__new__(Compiler)
        compiler.options, compiler.dump_dir, compiler.enable_debug = options, None, False
        try:
            compiler.run_passes(module)
            return {"lowered": str(module), "ascendc": compiler.run_translation(module)}
        except Exception:
            return {"lowered": "", "ascendc": ""}

    def launch(self, function, args, kwargs):
        """Write one line for a launch."""
        options = {**function.default_options, **kwargs}
        codegen = function.extract_kwargs(jit.CodegenOptions, options)
        compile_options = function.extract_kwargs(jit.CompileOptions, options)
        bound = inspect.signature(function.fn).bind(*args, **options).arguments
        runtime, const = function.split_args(bound, get_annotations(function.fn))
        types = {name: function.get_arg_type(value) for name, value in runtime.items()}
        module = function._run_codegen(Specialization(types, const), codegen)
        arguments = [
            argument(value, types[name]) if name in types else {"name": None, "k": "const", "v": plain(value)}
            for name, value in bound.items()
        ]
        code = function.fn.__code__
        text, first = inspect.getsourcelines(function.fn)
        line = next(number for number, part in enumerate(text, first) if part.lstrip().startswith("def "))
        where = {
            "file": code.co_filename,
            "text": None,
            "qualname": function.fn.__qualname__,
            "line": line,
            "module": function.fn.__module__,
            "globals": {},
        }
        record = {
            "kernel": {"surface": "ascendc", "function": where},
            "core_num": getattr(function.launch_options, "core_num", 1) or 1,
            "options": {name: plain(value) for name, value in {**function.default_options, **kwargs}.items()},
            "args": arguments,
            "soc": None,
        }
        entry = {"kernel": function.fn.__name__, "record": record, "ir": str(module)}
        if os.environ.get("RECORD_TEXT"):
            entry.update(self.lowered(module, compile_options))
        with open(self.path, "a", encoding="utf-8") as out:
            out.write(json.dumps(entry) + "\n")


def argument(value, kind):
    """Return an ARG of the launch record."""
    if kind.__class__.__name__ == "PointerArgType":
        shape = list(getattr(value, "shape", (1024,)))
        return {"name": None, "k": "array", "dtype": str(kind.dtype), "shape": shape}
    if kind.__class__.__name__ == "PlainArgType":
        number = value.item() if isinstance(value, numpy.generic) else value
        known = isinstance(number, (bool, int, float))
        return {"name": None, "k": "scalar", "dtype": str(kind.dtype), "v": number if known else 1}
    return {"name": None, "k": "const", "v": plain(value)}


def plain(value):
    """Return a VALUE of the launch record."""
    if value is None:
        return {"k": "none"}
    if isinstance(value, enum.Enum):
        return {"k": "enum", "type": type(value).__name__, "v": value.name}
    for kind, name in ((bool, "bool"), (int, "int"), (float, "float"), (str, "str")):
        if isinstance(value, kind):
            return {"k": name, "v": value}
    if isinstance(value, asc.DataType):
        return {"k": "dtype", "v": str(value)}
    if isinstance(value, (tuple, list)):
        return {"k": "tuple" if isinstance(value, tuple) else "list", "v": [plain(item) for item in value]}
    return {"k": "opaque", "type": type(value).__name__}


class Tensor:
    """Stand in for `torch.Tensor` where torch is not installed: a shape and an element type."""

    def __init__(self, shape, dtype):
        self.shape, self.dtype = tuple(shape), dtype

    def numel(self):
        return int(numpy.prod(self.shape))

    def __getattr__(self, name):
        return lambda *args, **kwargs: self

    def __add__(self, other):
        return self


def without_torch():
    """Make `import torch` work as far as a script needs to reach its launches."""
    torch = MagicMock()
    torch.Tensor = Tensor
    for name in ("float32", "float16", "int32", "int8"):
        setattr(torch, name, "torch." + name)

    def made(*shape, dtype="torch.float32", **kwargs):
        sizes = shape[0] if shape and isinstance(shape[0], (tuple, list)) else shape
        return Tensor(sizes, dtype)

    for name in ("rand", "zeros", "ones", "empty", "randn"):
        setattr(torch, name, made)
    torch.zeros_like = torch.empty_like = torch.ones_like = lambda tensor, **kwargs: Tensor(tensor.shape, tensor.dtype)
    sys.modules["torch"] = torch
    sys.modules["torch_npu"] = MagicMock()


def pytest_configure(config):
    """Record instead of launching while pytest runs (plugin form)."""
    del config
    Recorder(os.environ["RECORD_OUT"]).install()


def main():
    """Run a script; its own checks of results may fail, since nothing computed them."""
    out, script = sys.argv[1], sys.argv[2]
    Recorder(out).install()
    sys.argv = sys.argv[2:]
    sys.path.insert(0, os.path.dirname(os.path.abspath(script)))
    try:
        runpy.run_path(script, run_name="__main__")
    except AssertionError:
        pass
    except Exception:
        traceback.print_exc()
        sys.exit(3)


if __name__ == "__main__":
    main()
