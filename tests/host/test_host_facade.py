# SPDX-License-Identifier: Apache-2.0
"""`import asc` in the user's interpreter: which module it is and what stands in it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from asclens_compiler.engine.host_path import host_path
from toy_engine import run_host

Write = Callable[..., Path]

IMPORTS = """
    import asc, asc.adv, asc.language.core.struct
    import asc.runtime.config as config
    import asc.lib.runtime as rt
    import asc.lib.host as host
    from asc.runtime.jit import JITFunction, MockTensor, MockValue
    from asc.runtime.compiler import CompileOptions
    from asc.codegen.errors import CodegenError
    from asc.lib.runtime import CoreType
    from asc.language.fwk.tpipe import TQueBind
    from asc.language.core.struct import Field, Struct, StructField
    from asc.language.core.dtype import KnownTypes as KT
    from asc.language.basic.vec_binary import add
    from asc.language.core.enums import HardEvent
    from asc import Tensor, DataType, Scope, PipeStage, matmul
    from asc import *
"""


def test_every_public_import_path_is_there(bare_python: Path, write: Write) -> None:
    script = write(IMPORTS + "    print(add is asc.add, asc.adv is asc.language.adv, KT.half == asc.float16)\n")
    done = run_host(bare_python, script)
    assert (done.status, done.out) == (0, "True True True\n"), done.err


def test_names_behave_as_those_of_the_package(bare_python: Path, write: Write) -> None:
    script = write("""
        import asc, asc.runtime.config as config
        print(asc.Tensor(shape=(1024,), dtype=asc.DataType.FLOAT32, scope=asc.Scope.GLOBAL))
        print(asc.DataType("int32") == asc.int32, asc.DataType.FLOAT32 is asc.float32, asc.half.sizeof(), asc.float_)
        print(int(asc.TPosition.VECIN), asc.HardEvent.MTE2_V.name, asc.TPosition(9).name)
        print(asc.UnaryRepeatParams(2).dst_blk_stride, asc.ceildiv(7, 2), asc.ConstExpr[int])
        print(config.Backend("Model").name, [p.value for p in config.Platform][5], "NPU" in config.Backend.__members__)
    """)
    done = run_host(bare_python, script)
    assert done.status == 0, done.err
    assert done.out.splitlines()[:4] == [
        "Tensor(shape=(1024,), dtype=float32, scope=GLOBAL)",
        "True True 2 float32",
        "9 MTE2_V VECIN",
        "2 4 asclens_host.device.ConstExpr[int]",
    ]
    assert done.out.splitlines()[4] == "Model Ascend910B4-1 True"


@pytest.mark.parametrize(
    ("expression", "error", "word"),
    [
        ("asc.add(1, 2, 3)", "RuntimeError", "asc.add"),
        ("asc.TQue(asc.TPosition.VECIN, 1)", "RuntimeError", "outside a kernel"),
        ("asc.PipeStage.start(asc.PipeStage.VECTOR)", "RuntimeError", "PipeStage.start"),
        ("asc.Tensor(shape=(4,)) + 1", "RuntimeError", "__add__"),
        ("asc.DataType('bool')", "ValueError", "bool"),
        ("asc.Tensor(shape=(-1,))", "TypeError", "-1"),
        ("asc.BinaryRepeatParams(nope=1)", "TypeError", "nope"),
        ("asc.jit(colour=1)(main)", "RuntimeError", "colour"),
        ("asc.jit(main)[1, 2, 3]", "TypeError", "core_num"),
        ("asc.no_such_name", "AttributeError", "no_such_name"),
        ("__import__('asc.nothing')", "ModuleNotFoundError", "asc.nothing"),
    ],
)
def test_mistakes_on_the_host_are_readable(write: Write, expression: str, error: str, word: str) -> None:
    script = write(f"""
        import asc
        def main(): pass
        try: {expression}
        except Exception as error: print(type(error).__name__, error)
    """)
    out = run_host(sys.executable, script).out
    assert out.startswith(error)
    assert word in out


def test_a_folder_named_asc_beside_the_script_does_not_win(bare_python: Path, write: Write) -> None:
    write("raise SystemExit('the wrong asc')", "asc/__init__.py")
    script = write("import asc, asc.lib.runtime; print(asc.Scope.GLOBAL.name)")
    done = run_host(bare_python, script)
    assert (done.status, done.out) == (0, "GLOBAL\n"), done.err


def test_child_processes_get_the_facade(bare_python: Path, write: Write) -> None:
    write("raise SystemExit('the wrong asc')", "asc/__init__.py")
    write("import asc, sys; print('child', asc.Scope.LOCAL.name, sys.argv[1:])", "child.py")
    script = write("""
        import os, subprocess, sys
        subprocess.run([sys.executable, os.path.join(os.path.dirname(__file__), "child.py"), "a"], check=True)
    """)
    done = run_host(bare_python, script)
    assert (done.status, done.out) == (0, "child LOCAL ['a']\n"), done.err


def test_the_real_package_does_not_win(script_python: Callable[[str], Path], write: Write) -> None:
    python = script_python("pyasc")
    installed = subprocess.run([python, "-c", "import asc._C"], capture_output=True, check=False)
    assert installed.returncode == 0
    script = write("""
        import asc, sys
        unwanted = ("asc._C", "mlir", "numpy")
        print(asc.Scope.GLOBAL.name, sorted(name for name in sys.modules if name.startswith(unwanted)))
    """)
    done = run_host(python, script)
    assert (done.status, done.out) == (0, "GLOBAL []\n"), done.err


def test_the_process_holds_nothing_of_ours_but_the_host(bare_python: Path, write: Write) -> None:
    script = write("""
        import asc, sys
        ours = sorted({name.split(".")[0] for name in sys.modules if name.startswith("asclens")})
        print(ours, [name for name in sys.modules if name.split(".")[0] in ("mlir", "numpy", "torch")])
    """)
    done = run_host(bare_python, script)
    assert done.out == "['asclens_host'] []\n", done.err


def test_another_asc_that_is_imported_already_stops_the_run(write: Write, tmp_path: Path) -> None:
    write("", "early/asc.py")
    script = write("print('not reached')")
    code = f"""
import runpy, sys
sys.path.insert(0, {str(tmp_path / "early")!r})
import asc
sys.argv[1:] = [{str(script)!r}]
runpy.run_module("asclens_host", run_name="__main__")
"""
    beside = (host_path() / "asclens_host").resolve().parent  # without the folder's sitecustomize
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={"PYTHONPATH": str(beside)}, check=False
    )
    assert done.returncode == 2
    assert "already imported" in done.stderr
    assert done.stdout == ""


def test_isolated_python_stops_the_run(write: Write) -> None:
    script = write("print('not reached')")
    main = host_path() / "asclens_host" / "__main__.py"
    done = subprocess.run([sys.executable, "-I", main, script], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "isolated" in done.stderr
    assert done.stdout == ""
