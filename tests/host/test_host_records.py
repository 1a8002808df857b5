# SPDX-License-Identifier: Apache-2.0
"""Launch records: what a launch sends, and what comes back."""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from toy_engine import Peer, Record, data, fine, overwrite, run_host

Write = Callable[..., Path]

KERNEL = """
    import array
    import asc
    import asc.lib.runtime as rt
    TILE = 8
    LIMITS = (1, 2.5, float("inf"))
    class Mode:
        FAST = 3
    @asc.jit
    def helper(n: int):
        return n + TILE
    @asc.jit(kernel_type=asc.runtime.config.KernelType.AIV_ONLY, auto_sync=False)
    def kernel(x: asc.GlobalAddress, n: int, factor: float, tile: asc.ConstExpr[int]):
        m = helper(n) * Mode.FAST
        asc.printf("%d", m + LIMITS[0])
"""


def launched(write: Write, text: str, python: Any = sys.executable) -> Record:
    done = run_host(python, write(text))
    assert done.status == 0, done.err
    (record,) = done.records
    return record


def test_a_kernel_s_record(bare_python: Path, write: Write) -> None:
    script = KERNEL + '    kernel[8, rt.current_stream()](array.array("f", [1, 2]), 5, 0.5, tile=16)\n'
    record = launched(write, script, bare_python)
    function = record["kernel"]["function"]
    assert record["kernel"]["surface"] == "ascendc"
    assert (function["qualname"], function["line"], function["text"]) == ("kernel", 13, None)
    assert record["core_num"] == 8
    assert record["options"] == {"kernel_type": "AIV_ONLY", "auto_sync": False}
    assert record["soc"] is None
    x, n, factor, tile = record["args"]
    assert (x["k"], x["dtype"], x["shape"], x["nbytes"]) == ("array", "float32", [2], 8)
    assert n == {"name": "n", "k": "scalar", "dtype": "int32", "v": 5}
    assert factor == {"name": "factor", "k": "scalar", "dtype": "float32", "v": 0.5}
    assert tile == {"name": "tile", "k": "const", "v": {"k": "int", "v": 16}}
    assert record["site"]["line"] == 16
    assert record["site"]["frames"][0][2] == "<module>"


def test_globals_are_sent_with_the_helpers_that_use_them(write: Write) -> None:
    record = launched(write, KERNEL + '    kernel[1](array.array("f", [1]), 5, 0.5, 16)\n')
    names = record["kernel"]["function"]["globals"]
    assert names["asc"] == {"k": "module", "v": "asc"}
    assert names["helper"]["jit"] is True
    assert names["helper"]["v"]["globals"]["TILE"] == {"k": "int", "v": 8}
    assert names["LIMITS"]["v"][1:] == [{"k": "float", "v": 2.5}, {"k": "float", "v": "inf"}]
    assert names["Mode"]["v"]["attrs"] == {"FAST": {"k": "int", "v": 3}}
    assert "array" not in names


def test_a_function_is_sent_once_and_recursion_is_a_reference(write: Write) -> None:
    record = launched(
        write,
        """
        import asc
        @asc.jit
        def down(n: int): down(n - 1); other(n)
        @asc.jit
        def other(n: int): down(n)
        @asc.jit
        def kernel(n: int): down(n); other(n)
        kernel[1](3)
        """,
    )
    names = record["kernel"]["function"]["globals"]
    down = names["down"]["v"]
    assert down["globals"]["down"] == {"k": "function", "ref": down["id"], "jit": True}
    assert names["other"]["ref"] == down["globals"]["other"]["v"]["id"]


def test_attributes_of_modules_are_sent_as_far_as_they_are_used(write: Write) -> None:
    write("TILE = 4\nUNUSED = 5\n", "settings.py")
    record = launched(
        write,
        """
        import asc, settings
        import asc.language as language
        @asc.jit
        def kernel(n: int): language.printf("%d", n + settings.TILE)
        kernel[1](3)
        """,
    )
    names = record["kernel"]["function"]["globals"]
    assert names["settings"] == {"k": "namespace", "type": "settings", "attrs": {"TILE": {"k": "int", "v": 4}}}
    assert names["language"] == {"k": "module", "v": "asc.language"}


def test_source_that_changed_on_disk_is_sent_as_it_was(write: Write) -> None:
    record = launched(
        write,
        KERNEL
        + """
    text = open(__file__).read()
    open(__file__, "w").write("# another line\\n" + text)
    kernel[1](array.array("f", [1]), 5, 0.5, 16)
    """,
    )
    text = record["kernel"]["function"]["text"]
    assert text.startswith("\nimport array")


STAGED = """
    import array
    from dataclasses import dataclass
    import asc
    from asc import Tensor, PipeStage
    @dataclass
    class Config:
        block: int = 4
    class Base:
        SCALE = 2
        def half(self, t): return t
    class Op(Base):
        def __init__(self, n): self.n, self.config, self.me = n, Config(), self
        def process(self, x: Tensor, scale: float, flag: bool, y: Tensor):
            PipeStage.sync()
"""


def test_an_operator_object_s_record(write: Write) -> None:
    script = STAGED + '    asc.launch(Op(3), array.array("f", [1]), 2, True, y=array.array("f", [0]), core_num=2)\n'
    record = launched(write, script)
    assert record["kernel"]["surface"] == "staged"
    instance = record["kernel"]["instance"]
    assert instance["entry"] == "process"
    assert instance["attrs"]["n"] == {"k": "int", "v": 3}
    assert instance["attrs"]["config"] == {"k": "instance", "type": "Config", "attrs": {"block": {"k": "int", "v": 4}}}
    assert instance["class"]["qualname"] == "Op"
    (base,) = instance["class"]["bases"]
    assert base["v"]["qualname"] == "Base"
    assert base["v"]["attrs"] == {"SCALE": {"k": "int", "v": 2}}
    assert [(item["name"], item["k"]) for item in record["args"]] == [
        ("x", "array"), ("scale", "scalar"), ("flag", "scalar"), ("y", "array"),
    ]  # fmt: skip
    assert record["args"][2]["dtype"] == "int1"
    assert record["core_num"] == 2


def test_arguments_beyond_the_parameters_have_no_name(write: Write) -> None:
    record = launched(
        write,
        """
        import array, asc
        from asc import Tensor, DataType
        def add():
            a = Tensor(shape=(1,), dtype=DataType.FLOAT32)
        asc.launch(add, array.array("f", [1]), b=array.array("i", [2]))
        """,
    )
    assert [item["name"] for item in record["args"]] == [None, "b"]
    assert record["args"][1]["dtype"] == "int32"


def test_positions_count_from_the_first_parameter_when_declared_tensors_follow(write: Write) -> None:
    record = launched(
        write,
        """
        import array, asc
        def add(x: asc.Tensor):
            a = asc.Tensor(shape=(1,), dtype=asc.DataType.FLOAT32)
        asc.launch(add, array.array("f", [1]), array.array("i", [2]))
        """,
    )
    assert [(item["name"], item["dtype"]) for item in record["args"]] == [(None, "float32"), (None, "int32")]


def test_structs_and_mocks(write: Write) -> None:
    record = launched(
        write,
        """
        import asc
        from asc.language.core.struct import Field, Struct, StructField
        from asc.runtime.jit import MockTensor
        class Inner(Struct):
            n = Field(dtype=asc.int32, default=2)
        class Outer(Struct):
            inner = StructField(Inner)
            f = Field(dtype=asc.float32, default=0.5, name="F")
        @asc.jit
        def kernel(x: asc.GlobalAddress, o: Outer): asc.printf("%d", o.f)
        kernel[1](MockTensor(asc.float16), Outer(f=1))
        """,
    )
    assert record["compile_only"] is True
    x, o = record["args"]
    assert (x["dtype"], x["shape"]) == ("float16", None)
    inner = {"k": "struct", "type": "Inner", "fields": [["n", "int32", {"k": "int", "v": 2}]]}
    assert o["fields"] == [["inner", "struct", inner], ["f", "float32", {"k": "float", "v": 1.0}]]
    outer = record["kernel"]["function"]["globals"]["Outer"]
    assert outer["k"] == "struct_class"
    assert outer["fields"][1] == ["f", "float32", "F"]


def test_results_come_back_into_the_script_s_arrays(bare_python: Path, write: Write) -> None:
    def double(peer: Peer, record: Record) -> dict[str, Any]:
        (x,) = record["args"]
        values = struct.unpack("3f", data(x))
        overwrite(x, struct.pack("3f", *(2 * value for value in values)))
        return fine(peer, record)

    script = write("""
        import array, asc, os
        @asc.jit
        def kernel(x: asc.GlobalAddress): asc.get_block_idx()
        x = array.array("f", [1, 2, 3])
        kernel[1](x)
        print(list(x), [name for name in os.listdir("/dev/shm") if name.startswith(f"asclens-{os.getpid()}-")])
    """)
    done = run_host(bare_python, script, answer=double)
    assert done.out == "[2.0, 4.0, 6.0] []\n", done.err


def test_numpy_arrays_of_any_layout(script_python: Callable[[str], Path], write: Write) -> None:
    seen: list[bytes] = []

    def increment(peer: Peer, record: Record) -> dict[str, Any]:
        for argument in record["args"][:3]:
            seen.append(data(argument))
            values = struct.unpack("4h", data(argument))
            overwrite(argument, struct.pack("4h", *(value + 1 for value in values)))
        return fine(peer, record)

    script = write("""
        import asc, numpy as np
        @asc.jit
        def kernel(a: asc.GlobalAddress, b: asc.GlobalAddress, c: asc.GlobalAddress, d: asc.GlobalAddress,
                   n: int, s: float): asc.get_block_idx()
        base = np.arange(16, dtype=np.int16).reshape(4, 4)
        swapped = np.array([[1, 2], [3, 4]], dtype=">i2")
        frozen = np.array([1, 2, 3, 4], dtype=np.int16)
        frozen.flags.writeable = False
        kernel[1](base[::2, 1:3], swapped.T, frozen, np.zeros((0, 3), np.float16), np.int64(2**40), np.float64(0.5))
        print(base.tolist(), swapped.tolist(), frozen.tolist())
    """)
    done = run_host(script_python("py312"), script, answer=increment)
    assert done.status == 0, done.err
    assert seen == [struct.pack("4h", 1, 2, 9, 10), struct.pack("4h", 1, 3, 2, 4), struct.pack("4h", 1, 2, 3, 4)]
    assert done.out == (
        "[[0, 2, 3, 3], [4, 5, 6, 7], [8, 10, 11, 11], [12, 13, 14, 15]] [[2, 3], [4, 5]] [1, 2, 3, 4]\n"
    )
    (record,) = done.records
    assert record["args"][3] | {"segment": None} == {
        "name": "d", "k": "array", "dtype": "float16", "shape": [0, 3], "segment": None, "offset": 1536, "nbytes": 0,
    }  # fmt: skip
    assert record["args"][4] == {"name": "n", "k": "scalar", "dtype": "int64", "v": 2**40}
    assert record["args"][5]["dtype"] == "float32"


@pytest.mark.parametrize(
    ("call", "error", "word"),
    [
        ("kernel[0](1)", "ValueError", "greater than 0"),
        ("kernel['2'](1)", "TypeError", "'2'"),
        ("kernel[1]()", "TypeError", "n"),
        ("kernel[1](1, 2)", "TypeError", "too many"),
        ("kernel[1](2**40)", "ValueError", "int32"),
        ("kernel[1]('text')", "TypeError", "str"),
        ("kernel[1](None)", "TypeError", "NoneType"),
        ("kernel[1]([1, 2])", "TypeError", "list"),
        ("kernel[1](np.array([True]))", "TypeError", "bool"),
        ("kernel[1](np.array([1j]))", "TypeError", "complex"),
        ("const[1](2.5)", "RuntimeError", "ConstExpr[int]"),
        ("asc.launch(Op)", "TypeError", "class Op"),
        ("asc.launch(3)", "TypeError", "int"),
        ("asc.launch(lambda x: x, 1)", "RuntimeError", "lambda"),
        ("asc.launch(made, 1)", "RuntimeError", "not at hand"),
        ("asc.jit(made)", "SourceError", "not at hand"),
    ],
)
def test_launches_that_cannot_be_sent(
    write: Write, script_python: Callable[[str], Path], call: str, error: str, word: str
) -> None:
    script = write(f"""
        import asc, numpy as np
        @asc.jit
        def kernel(n: int): asc.get_block_idx()
        @asc.jit
        def const(n: asc.ConstExpr[int]): asc.get_block_idx()
        class Op:
            def process(self, x): pass
        names = {{}}
        exec("def made(n): pass", names)
        made = names["made"]
        try: {call}
        except Exception as error: print(type(error).__name__, error)
    """)
    done = run_host(script_python("py312"), script)
    assert done.out.startswith(("ArrayError", error)), done.out + done.err
    assert word in done.out
    assert done.records == []
