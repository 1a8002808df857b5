# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: E501  the IR text has long lines
"""Real pyasc's IR text becomes a unit: calls inlined, types and enum members completed."""

from __future__ import annotations

import pytest
from asclens_compiler.ascir.importer import import_text
from asclens_compiler.ascir.program import Branch, Loop, Op, While
from asclens_compiler.ascir.real_text import UnknownForm, parse, split_top
from asclens_compiler.ascir.types import LocalType, PointerType, QueueType
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Position
from asclens_compiler.source.span import Span

HEAD = """
#loc1 = loc("kernel.py":4:0)
#loc2 = loc("kernel.py":6:8)
#loc3 = loc(callsite("helper.py":2:4 at #loc2))
module {
"""
KERNEL = (
    HEAD
    + """
  func.func @helper(%arg0: !ascendc.local_tensor<*xf16> loc("t"(#loc1)), %arg1: i32 loc("n"(#loc1))) -> i32 attributes {ascendc.aicore} {
    ascendc.add_l2 %arg0, %arg0, %arg0, %arg1 : !ascendc.local_tensor<*xf16>, !ascendc.local_tensor<*xf16>, !ascendc.local_tensor<*xf16>, i32 loc(#loc3)
    return %arg1 : i32 loc(#loc1)
  } loc(#loc1)
  func.func @kernel(%arg0: memref<?xf16, 22> loc("x"(#loc1)), %arg1: i32 loc("n"(#loc1))) attributes {ascendc.aicore, ascendc.global} {
    %c-3_i32 = arith.constant -3 : i32 loc(#loc2)
    %0 = "emitc.constant"() <{value = 0 : ui32}> : () -> ui32 loc(#loc2)
    %1 = emitc.cast %arg1 : i32 to ui32 loc(#loc2)
    %2 = ascendc.local_tensor_v2 vecout, %0, %1 : !ascendc.local_tensor<*xf16> loc(#loc2)
    %3 = ascendc.queue : <vecin, 2> loc(#loc2)
    %4 = ascendc.que_bind.alloc_tensor %3 : !ascendc.queue<vecin, 2>, !ascendc.local_tensor<*xf16> loc(#loc2)
    %5 = scf.for %arg2 = %c-3_i32 to %arg1 step %arg1 iter_args(%arg3 = %arg1) -> (i32)  : i32 {
      %7 = func.call @helper(%4, %arg3) : (!ascendc.local_tensor<*xf16>, i32) -> i32 loc(#loc2)
      scf.yield %7 : i32 loc(#loc2)
    } loc(#loc2)
    %6 = arith.cmpi slt, %5, %arg1 : i32 loc(#loc2)
    scf.if %6 {
      ascendc.printf %5 {desc = "a\\\\n\\22\\E6\\A0\\B8"} : i32 loc(#loc2)
    } else {
    } loc(#loc2)
    %8 = scf.while (%arg2 = %5) : (i32) -> i32 {
      %9 = arith.cmpi sgt, %arg2, %arg1 : i32 loc(#loc2)
      scf.condition(%9) %arg2 : i32 loc(#loc2)
    } do {
    ^bb0(%arg2: i32 loc(unknown)):
      scf.yield %arg2 : i32 loc(#loc2)
    } loc(#loc2)
    ascendc.set_flag v_mte3, %8 : i32 loc(#loc2)
    return loc(#loc1)
  } loc(#loc1)
} loc(#loc1)
"""
)


def test_a_kernel_with_all_kinds_of_blocks() -> None:
    unit = import_text(KERNEL)
    assert unit.verify() == []
    (program,) = unit.decode()
    assert [item.name for item in program.params] == ["x", "n"]
    assert program.params[0].type == PointerType(DType.FLOAT16)
    assert program.params[0].span == Span("kernel.py", 4, 1, 4, 1)
    kinds = [node.name if isinstance(node, Op) else type(node) for node in program.body.nodes]
    assert kinds == ["arith.bitcast", "local_tensor_v2", "queue", "que_bind_alloc_tensor", Loop, "arith.cmpi", Branch,
                     While, "set_flag"]  # fmt: skip
    by_name = {node.name: node for node in program.walk() if isinstance(node, Op)}
    assert by_name["set_flag"].attr("event") == "V_MTE3"
    assert by_name["printf"].attr("desc") == 'a\\n"\u6838'
    types = program.reg_types
    assert types[by_name["local_tensor_v2"].results[0].index] == LocalType(DType.FLOAT16, Position.VECOUT)
    assert types[by_name["queue"].results[0].index] == QueueType(Position.GM, Position.VECIN, 2)
    assert types[by_name["que_bind_alloc_tensor"].results[0].index] == LocalType(DType.FLOAT16, Position.VECIN)
    add = by_name["add_l2"]
    assert add.span == Span("helper.py", 2, 5, 2, 5)
    assert add.calls == (Span("kernel.py", 6, 9, 6, 9),)


@pytest.mark.parametrize(
    "line",
    [
        "ascendc.no_such_op %arg1 : i32 loc(#loc2)",
        "%9 = foreign.op %arg1 : i32 loc(#loc2)",
        "ascendc.set_flag no_event, %arg1 : i32 loc(#loc2)",
        "ascendc.set_flag v_mte3, %missing : i32 loc(#loc2)",
        "ascendc.set_flag v_mte3, %arg1, %arg1 : i32 loc(#loc2)",
        "%9 = arith.constant abc : i32 loc(#loc2)",
        "???",
        "scf.if %arg1 {",
    ],
)
def test_what_is_not_known_is_said(line: str) -> None:
    text = KERNEL.replace("    %c-3_i32 =", f"    {line}\n    %c-3_i32 =")
    with pytest.raises(UnknownForm):
        import_text(text)


def test_text_that_is_no_module_has_no_functions() -> None:
    assert parse("") == []
    assert parse("hello\nworld") == []


def test_splitting_ignores_brackets_and_quotes() -> None:
    assert split_top('a<b, c>, "x, y", (d, e) -> f, g') == ["a<b, c>", '"x, y"', "(d, e) -> f", "g"]
    assert split_top("") == []
