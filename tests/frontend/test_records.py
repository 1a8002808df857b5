# SPDX-License-Identifier: Apache-2.0
"""Launch records: live values of globals and arguments decide what a kernel becomes."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

import pytest
from asclens_compiler.ascir.types import PointerType, ScalarType, StructType
from asclens_compiler.errors import AscLensError
from asclens_compiler.frontend.driver import compile_launch
from asclens_compiler.frontend.result import KernelResult
from asclens_compiler.hardware.dtypes import DType

TEXT = """import asc
import settings

TILE = 1
KIND = asc.float32


@asc.jit
def helper(n: int, step: asc.ConstExpr[int]):
    asc.printf("%d", n * step + TILE)


@asc.jit(auto_sync=True)
def kernel(x: asc.GlobalAddress, n: int, size: asc.ConstExpr[int], tiling):
    assert TILE == 64
    assert KIND == asc.float16
    assert TABLE["a"] == 3
    assert settings.depth == 2
    assert MODE == asc.TPosition.VECIN
    assert LIMITS[1] == 0.5
    assert size == 4
    helper(n, size)
    HELP(n, 2)
    t = asc.LocalTensor(x.dtype, MODE, 0, tiling.length * tiling.inner.count)


def launch():
    hidden = 3

    @asc.jit
    def nested(n: int):
        asc.printf("%d", n + hidden)

    return nested
"""
LINES = {node.name: node.lineno for node in ast.walk(ast.parse(TEXT)) if isinstance(node, ast.FunctionDef)}
ASC = {"k": "module", "v": "asc"}


def number(value: float) -> dict[str, Any]:
    return {"k": "float" if isinstance(value, float) else "int", "v": value}


def func(name: str, number_: int, names: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return {"file": "m.py", "text": None, "qualname": name, "line": LINES[name], "module": "m", "id": number_,
            "globals": dict(names), "closure": {}, **more}  # fmt: skip


def record(**changes: Any) -> dict[str, Any]:
    helper = func("helper", 2, {"asc": ASC, "TILE": number(64)})
    names = {
        "asc": ASC,
        "TILE": number(64),
        "KIND": {"k": "dtype", "v": "float16"},
        "TABLE": {"k": "dict", "v": [[{"k": "str", "v": "a"}, number(3)]]},
        "settings": {"k": "namespace", "type": "settings", "attrs": {"depth": number(2)}},
        "MODE": {"k": "enum", "type": "TPosition", "v": "VECIN", "value": number(4)},
        "LIMITS": {"k": "tuple", "v": [number(1), number(0.5)]},
        "helper": {"k": "function", "v": helper, "jit": True},
        "HELP": {"k": "function", "ref": 2, "jit": True},
    }
    inner = {"k": "struct", "type": "Inner", "fields": [["count", "int32", number(2)]]}
    base: dict[str, Any] = {
        "kernel": {"surface": "ascendc", "function": func("kernel", 1, names)},
        "core_num": 8,
        "options": {"auto_sync": False, "kernel_type": "MIX_AIC_1_2"},
        "args": [
            {"name": "x", "k": "array", "dtype": "float16", "shape": [64], "segment": None, "offset": 0, "nbytes": 128},
            {"name": "n", "k": "scalar", "dtype": "int64", "v": 5},
            {"name": "size", "k": "const", "v": number(4)},
            {"name": "tiling", "k": "struct", "type": "Tiling",
             "fields": [["length", "int32", number(8)], ["inner", "struct", inner]]},
        ],
        "soc": "Ascend910B3",
    }  # fmt: skip
    return base | changes


def compiled(data: Mapping[str, Any], text: str = TEXT) -> KernelResult:
    return compile_launch(data, read_file=lambda path: text)


def test_live_values() -> None:
    result = compiled(record())
    assert [(item.span.line, item.code, item.message) for item in result.diagnostics if item.code != "ASC807"] == []
    assert result.ok
    assert result.unit is not None
    assert result.unit.verify() == []
    assert result.specialisation == "x=float16[64], n=5, size=4, tiling=Tiling"
    assert (result.core_num, result.origin) == (8, "recorded launch")
    program = result.program()
    assert program is not None
    assert [param.type for param in program.params] == [
        PointerType(DType.FLOAT16), ScalarType(DType.INT64), StructType("Tiling"),
    ]  # fmt: skip
    assert (program.auto_sync, program.core_kind.value) == (False, "MIX")
    assert all(item.soc == "Ascend910B3" for item in result.diagnostics)


def test_globals_of_the_text_do_not_count() -> None:
    data = record()
    data["kernel"]["function"]["globals"]["TILE"] = number(63)
    assert (15, "ASC014") in [(item.span.line, item.code) for item in compiled(data).diagnostics]


def test_closures_are_invisible_as_in_the_real_package() -> None:
    nested = func("nested", 1, {"asc": ASC}, qualname="launch.<locals>.nested", closure={"hidden": number(3)})
    data = record(kernel={"surface": "ascendc", "function": nested}, args=[
        {"name": "n", "k": "scalar", "dtype": "int32", "v": 5}], options={})  # fmt: skip
    assert [item.code for item in compiled(data).diagnostics] == ["ASC101"]


def test_an_opaque_value_is_an_error_only_where_it_is_used() -> None:
    data = record()
    data["kernel"]["function"]["globals"]["UNUSED"] = {"k": "opaque", "type": "Thread"}
    assert compiled(data).ok
    data["kernel"]["function"]["globals"]["LIMITS"] = {"k": "opaque", "type": "Thread"}
    assert "ASC103" in [item.code for item in compiled(data).diagnostics]


def test_a_file_that_changed() -> None:
    with pytest.raises(AscLensError, match="has no function kernel"):
        compiled(record(), TEXT.replace("def kernel", "def renamed"))
    with pytest.raises(AscLensError, match="does not parse"):
        compiled(record(), TEXT + "(")


def test_a_function_that_moved_is_found_by_name() -> None:
    assert compiled(record(), "# a comment\n" + TEXT).ok


def test_a_file_that_cannot_be_read() -> None:
    def refuse(path: str) -> str:
        raise OSError("gone")

    with pytest.raises(AscLensError, match="cannot be read"):
        compile_launch(record(), read_file=refuse)
