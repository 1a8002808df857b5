# SPDX-License-Identifier: Apache-2.0
"""Compile a script's launches with the real pyasc package and say how long that takes.

Runs in the environment `.venv-pyasc`, never beside our own compiler: `python real_pyasc.py SCRIPT`. Prints the
kernels found as one JSON line; then, for each line read, compiles all of them once (code generation, passes,
emission of Ascend C; no device compiler) and answers with the seconds as JSON. Works without CANN.
"""

from __future__ import annotations

import json
import runpy
import sys
import time
from typing import Any
from unittest import mock

import asc
from asc.codegen.specialization import Specialization
from asc.lib import runtime as device_runtime
from asc.runtime import config
from asc.runtime.compiler import Compiler
from asc.runtime.jit import JITFunction

Launch = tuple[Any, Any, Any, Any]


def main() -> int:
    launches: list[Launch] = []

    def record(self: JITFunction, runtime_args: Any, constexprs: Any, codegen: Any, compile_options: Any) -> None:
        types = {name: self.get_arg_type(value) for name, value in runtime_args.items()}
        launches.append((self, Specialization(types, constexprs), codegen, compile_options))

    with (
        mock.patch.object(JITFunction, "_cache_kernel", record),
        mock.patch.object(JITFunction, "_run_launcher"),
        mock.patch.object(config, "set_platform", set_platform),
        mock.patch.object(device_runtime, "current_stream"),
        mock.patch("numpy.testing.assert_array_equal"),
        mock.patch("numpy.testing.assert_allclose"),
    ):
        sys.stdout, real_stdout = sys.stderr, sys.stdout
        runpy.run_path(sys.argv[1], run_name="__main__")
        sys.stdout = real_stdout
    print(json.dumps({"version": getattr(asc, "__version__", "?"), "launches": len(launches)}), flush=True)
    for _ in sys.stdin:
        print(json.dumps(compile_all(launches)), flush=True)
    return 0


def set_platform(*_: object, **__: object) -> None:
    """Choose a chip without asking a driver for it."""
    device_runtime.set_soc_version(config.Platform.Ascend910B1)


def compile_all(launches: list[Launch]) -> float:
    """Return the seconds that compiling every launch takes."""
    start = time.process_time()
    for kernel, specialisation, codegen, options in launches:
        module = kernel._run_codegen(specialisation, codegen)
        compiler = Compiler.__new__(Compiler)
        compiler.options, compiler.dump_dir, compiler.enable_debug = options, None, False
        compiler.run_passes(module)
        compiler.run_translation(module)
    return time.process_time() - start


if __name__ == "__main__":
    sys.exit(main())
