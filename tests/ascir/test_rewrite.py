# SPDX-License-Identifier: Apache-2.0
"""Passes change units through handles; misuse raises instead of ending the process."""

from __future__ import annotations

import pytest
from asclens_compiler.ascir.cleanup import MERGE_EQUAL, REMOVE_DEAD
from asclens_compiler.ascir.pass_manager import CANONICALIZE, CSE, LICM, Pass, run_passes
from asclens_compiler.ascir.program import Op
from asclens_compiler.ascir.rewrite import Rewriter
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.errors import InternalError
from asclens_compiler.hardware.dtypes import DType
from ir_samples import TILE, at, begin

pytestmark = pytest.mark.usefixtures("fake_opset")


def _sample():
    unit, builder, params = begin()
    tile, n = params["t"], params["n"]
    one = builder.constant(1, DType.INT32, at(2))
    with builder.call(at(40)):
        (part,) = builder.op("subIndex", [tile, n], results=[TILE], span=at(3), names=["part"])
    loop = builder.loop(one, n, one, [], at(4), name="i")
    with loop:
        builder.op("add_l2", [part, tile, tile, loop.induction], span=at(5))
        builder.op("copy", [params["y"], part, [n, n], n, None], attrs={"scale": 0.5}, span=at(6))
    builder.end_kernel()
    return unit


def _names(unit) -> list[str]:
    return [node.name if isinstance(node, Op) else type(node).__name__ for node in unit.decode()[0].walk()]


def test_reading_ops() -> None:
    rewriter = Rewriter(_sample())
    ops = {op.name: op for op in rewriter.walk()}
    assert list(ops) == ["arith.constant", "subIndex", "scf.for", "add_l2", "copy", "scf.yield", "func.return"]
    copy, part = ops["copy"], ops["subIndex"]
    assert [len(item) if isinstance(item, tuple) else item for item in copy.operands][2] == 2
    assert copy.operand("params") is None
    assert copy.attrs == {"isSetMask": False, "scale": 0.5, "ids": ()}
    assert copy.parent == ops["scf.for"]
    assert ops["scf.for"].blocks[0].ops[1] == copy
    assert copy.block.owner == ops["scf.for"]
    assert (part.span, part.place.calls) == (at(3), (at(40),))
    assert rewriter.names(part.results[0]) == ("part",)
    assert rewriter.names(ops["scf.for"].blocks[0].arguments[0]) == ("i",)
    assert rewriter.literal(ops["scf.for"].flat_operands[0]) == 1
    assert rewriter.literal(part.results[0]) is None
    assert rewriter.definition(part.results[0]) == part
    assert [(op.name, index) for op, index in rewriter.uses(part.results[0])] == [("copy", 1), ("add_l2", 0)]
    (kernel,) = rewriter.kernels()
    assert kernel.parent is None
    kernel.set_attr("core_kind", "MIX")
    assert kernel.attr("core_kind") == "MIX"


def test_inserting_replacing_moving_erasing() -> None:
    unit = _sample()
    rewriter = Rewriter(unit)
    ops = {op.name: op for op in rewriter.walk()}
    copy, add = ops["copy"], ops["add_l2"]
    with rewriter.before(copy) as builder:
        builder.op("stage_start", attrs={"unit": "V"}, span=copy.span)
    with rewriter.after(copy) as builder:
        builder.op("stage_end", attrs={"unit": "V"}, span=copy.span)
    with rewriter.after(ops["subIndex"]) as builder:
        builder.op("set_flag", [builder.constant(3, DType.INT32, at(7))], attrs={"event": "MTE2_V"}, span=at(7))
    with rewriter.at_start(copy.block) as builder:
        builder.op("printf", [[]], attrs={"desc": "start"}, span=at(8))
    with rewriter.at_end(copy.block) as builder:
        builder.op("printf", [[]], attrs={"desc": "end"}, span=at(8))
    rewriter.move_after(add, copy)
    rewriter.rebuild(copy, attrs={"scale": 2.0}, operands=[*copy.operands[:3], None, None])
    assert unit.verify() == []
    assert _names(unit) == [
        "subIndex",
        "set_flag",
        "Loop",
        "printf",
        "stage_start",
        "copy",
        "add_l2",
        "stage_end",
        "printf",
    ]
    nodes = [node for node in unit.decode()[0].walk() if isinstance(node, Op)]
    assert nodes[1].calls == (at(40),)
    assert nodes[4].operands[3] is None
    assert nodes[4].attr("scale") == 2.0
    rewriter.erase(add)
    assert "add_l2" not in _names(unit)


def test_misuse_raises() -> None:
    unit = _sample()
    rewriter = Rewriter(unit)
    ops = {op.name: op for op in rewriter.walk()}
    with pytest.raises(InternalError, match="results are used"):
        rewriter.erase(ops["subIndex"])
    with pytest.raises(InternalError, match="replace"):
        rewriter.replace(ops["subIndex"], [])
    with pytest.raises(InternalError, match="into itself"):
        rewriter.move_before(ops["scf.for"], ops["copy"])
    with pytest.raises(InternalError, match="no operand"):
        ops["add_l2"].set_operand(4, ops["subIndex"].results[0])
    with pytest.raises(InternalError, match="terminator"), rewriter.after(ops["scf.yield"]):
        pass
    rewriter.erase(ops["add_l2"])
    with pytest.raises(InternalError, match="erased"):
        assert ops["add_l2"].operands
    assert unit.verify() == []


def test_upstream_passes_keep_ranges_names_and_our_ops() -> None:
    unit, builder, params = begin()
    n = params["n"]
    one = builder.constant(1, DType.INT32, at(2))
    loop = builder.loop(one, n, one, [], at(3), name="i")
    with loop:
        first = builder.arith("muli", [n, n], DType.INT32, at(4))
        second = builder.arith("muli", [n, n], DType.INT32, at(5))
        builder.set_name(first, "a")
        builder.op("add_l2", [params["t"]] * 3 + [first], span=at(6))
        builder.op(
            "set_flag",
            [builder.arith("addi", [second, loop.induction], DType.INT32, at(7))],
            attrs={"event": "MTE2_V"},
            span=at(7),
        )
    builder.end_kernel()
    seen = []
    assert run_passes(unit, [CANONICALIZE, CSE, LICM], after=lambda step, _: seen.append(step.name)) == []
    assert seen == ["canonicalize", "cse", "loop-invariant-code-motion"]
    program = unit.decode()[0]
    assert _names(unit) == ["arith.muli", "Loop", "add_l2", "arith.addi", "set_flag"]
    multiply, loop_node = program.body.nodes
    assert multiply.span == at(4)
    assert program.names[multiply.results[0].index] == ("a",)
    assert program.names[loop_node.induction.index] == ("i",)


def test_a_pass_that_breaks_the_unit_is_named() -> None:
    unit = _sample()

    def breaks(rewriter: Rewriter) -> None:
        add = next(op for op in rewriter.walk() if op.name == "add_l2")
        add.set_operand(0, add.flat_operands[3])

    with pytest.raises(InternalError, match="after the pass breaks") as caught:
        run_passes(unit, [Pass(name="breaks", run=breaks)])
    assert caught.value.span == at(5)


def test_an_error_from_a_pass_ends_the_pipeline() -> None:
    error = Diagnostic(code="ASC301", name="x", severity=Severity.ERROR, message="m", span=at(1))
    ran = []
    passes = [Pass(name="first", run=lambda _: [error]), Pass(name="second", run=lambda _: ran.append(1))]
    assert run_passes(_sample(), passes) == [error]
    assert ran == []


def test_unused_pure_ops_are_removed_and_equal_views_merged() -> None:
    unit, builder, params = begin()
    tile, n = params["t"], params["n"]
    one = builder.constant(1, DType.INT32, at(2))
    (first,) = builder.op("subIndex", [tile, n], results=[TILE], span=at(3))
    with builder.loop(one, n, one, [], at(4)):
        (second,) = builder.op("subIndex", [tile, n], results=[TILE], span=at(5))
        (other,) = builder.op("subIndex", [tile, one], results=[TILE], span=at(6))
        (unused,) = builder.op("subIndex", [tile, one], results=[TILE], span=at(7))
        builder.op("subIndex", [unused, one], results=[TILE], span=at(7))
        builder.op("add_l2", [first, second, other, one], span=at(8))
    (apart,) = builder.op("subIndex", [tile, one], results=[TILE], span=at(9))
    builder.op("add_l2", [apart, apart, apart, one], span=at(10))
    builder.end_kernel()
    run_passes(unit, [MERGE_EQUAL, REMOVE_DEAD])
    assert _names(unit) == ["subIndex", "Loop", "subIndex", "add_l2", "subIndex", "add_l2"]
    add = next(node for node in unit.decode()[0].walk() if isinstance(node, Op) and node.name == "add_l2")
    assert add.operands[0] == add.operands[1] != add.operands[2]
