# SPDX-License-Identifier: Apache-2.0
"""Decoded programs: control flow, literals, names, ranges, call chains."""

from __future__ import annotations

import pickle

import pytest
from asclens_compiler.ascir.program import Branch, Const, CoreKind, Loop, Op, Reg, While
from asclens_compiler.ascir.types import GlobalType, ScalarType
from asclens_compiler.ascir.unit import Unit
from asclens_compiler.hardware.dtypes import DType
from ir_samples import INT32, at, begin, plain

pytestmark = pytest.mark.usefixtures("fake_opset")


def test_parameters_and_facts_of_a_kernel() -> None:
    unit, builder, _ = begin(core_kind=CoreKind.MIX, auto_sync=False, staged=True)
    builder.end_kernel()
    (program,) = unit.decode()
    assert (program.core_kind, program.auto_sync, program.staged) == (CoreKind.MIX, False, True)
    assert [item.name for item in program.params] == ["x", "y", "t", "n"]
    assert program.params[1].type == GlobalType(DType.FLOAT32, (1024,))
    assert program.params[1].shape == (1024,)
    assert program.params[2].span == at(1, 21)


def test_one_kernel_of_several_by_name() -> None:
    unit, builder, _ = begin("first")
    builder.end_kernel()
    builder.begin_kernel("second", [], at(9))
    builder.end_kernel()
    assert unit.kernels() == ["first", "second"]
    assert [item.kernel for item in unit.decode("second")] == ["second"]


def test_literals_are_folded_with_their_type() -> None:
    unit, builder, _ = begin()
    for value, dtype in ((255, DType.UINT8), (-1, DType.INT8), (2**64 - 1, DType.UINT64), (True, DType.BOOL),
                         (0.5, DType.FLOAT16), (300, DType.INT8), (float("inf"), DType.FLOAT32)):  # fmt: skip
        literal = builder.constant(value, dtype, at(3))
        builder.op("printf", [[literal]], span=at(3))
    builder.end_kernel()
    (program,) = unit.decode()
    found = [node.operands[0][0] for node in program.walk()]
    assert [item.value for item in found] == [255, -1, 2**64 - 1, True, 0.5, 44, float("inf")]
    assert [item.type.dtype for item in found][:4] == [DType.UINT8, DType.INT8, DType.UINT64, DType.INT1]


def test_absent_optional_and_variadic_operands() -> None:
    unit, builder, params = begin()
    n, half = params["n"], builder.constant(0.5, DType.FLOAT32, at(2))
    builder.op("copy", [params["y"], params["t"], [n, half, n], None, None], attrs={"isSetMask": True}, span=at(3))
    builder.op("copy", [params["y"], params["t"], [], n, None], span=at(4))
    builder.end_kernel()
    first, second = unit.decode()[0].walk()
    assert first.operands[2:] == ((Reg(3), Const(0.5, ScalarType(DType.FLOAT32)), Reg(3)), None, None)
    assert second.operands[2:] == ((), Reg(3), None)
    assert first.attrs == (("isSetMask", True), ("scale", 0.0), ("ids", ()))


def test_a_loop_carries_values() -> None:
    unit, builder, params = begin()
    n = params["n"]
    one = builder.constant(1, DType.INT32, at(2))
    loop = builder.loop(one, n, one, [n], at(3), name="i", names=["total"])
    with loop:
        loop.yield_([builder.arith("addi", [loop.carried[0], loop.induction], DType.INT32, at(4))])
    builder.arith("muli", [loop.results[0], n], DType.INT32, at(5))
    builder.end_kernel()
    (program,) = Unit.parse(unit.text()).decode()
    node, after = program.body.nodes
    assert isinstance(node, Loop)
    assert (node.lower, node.upper) == (Const(1, INT32), Reg(3))
    assert node.inits == (Reg(3),)
    assert node.yields == node.body.nodes[0].results
    assert after.operands[0] == node.results[0]
    names = program.names
    assert names[node.induction.index] == ("i",)
    assert names[node.carried[0].index] == names[node.results[0].index] == ("total",)
    assert [item.index for item in program.walk()] == [0, 1, 2]


@pytest.mark.parametrize("typed", [True, False])
def test_a_branch_yields_from_both_sides(typed: bool) -> None:
    unit, builder, params = begin()
    n = params["n"]
    flag = builder.arith("cmpi", [n, n], DType.INT1, at(2), "ult")
    branch = builder.branch(flag, [INT32] if typed else None, at(3), names=["r"])
    with branch.then():
        branch.yield_([builder.arith("addi", [n, n], DType.INT32, at(4))])
    with branch.orelse():
        branch.yield_([n])
    (result,) = branch.results
    builder.set_name(result, "s")
    builder.end_kernel()
    (program,) = unit.decode()
    compare, node = program.body.nodes
    assert compare.attr("predicate") == "ult"
    assert isinstance(node, Branch)
    assert node.then_yields == node.then.nodes[0].results
    assert node.else_yields == (Reg(3),)
    assert program.names[node.results[0].index] == ("r", "s")


def test_a_branch_with_one_side_and_no_results() -> None:
    unit, builder, params = begin()
    flag = builder.arith("cmpi", [params["n"], params["n"]], DType.INT1, at(2), "eq")
    branch = builder.branch(flag, None, at(3))
    with branch.then():
        builder.op("set_flag", [params["n"]], attrs={"event": "MTE2_V"}, span=at(4))
    assert branch.results == ()
    builder.end_kernel()
    node = unit.decode()[0].body.nodes[1]
    assert (len(node.then.nodes), node.orelse.nodes, node.results) == (1, (), ())


def test_a_loop_with_condition() -> None:
    unit, builder, params = begin()
    n = params["n"]
    loop = builder.while_loop([n], at(3), names=["left"])
    with loop.before():
        flag = builder.arith("cmpi", [loop.carried[0], n], DType.INT1, at(3), "sgt")
        loop.condition(flag)
    with loop.body():
        loop.yield_([builder.arith("subi", [loop.body_args[0], n], DType.INT32, at(4))])
    assert len(loop.results) == 1
    builder.end_kernel()
    (program,) = unit.decode()
    (node,) = program.body.nodes
    assert isinstance(node, While)
    assert node.condition == node.before.nodes[0].results[0]
    assert node.passed == node.carried
    assert node.yields == node.body.nodes[0].results
    assert program.names[node.body_args[0].index] == ("left",)


def test_call_chains_are_innermost_first() -> None:
    unit, builder, params = begin()
    with builder.call(at(10)), builder.call(at(20, file="helper.py")):
        value = builder.arith("addi", [params["n"], params["n"]], DType.INT32, at(30, file="other.py"))
        builder.set_name(value, "a")
        builder.set_name(value, "b")
        builder.set_name(value, "a")
    builder.end_kernel()
    (program,) = Unit.parse(unit.text()).decode()
    (op,) = program.walk()
    assert op.span == at(30, file="other.py")
    assert op.calls == (at(20, file="helper.py"), at(10))
    assert program.names[op.results[0].index] == ("a", "b")


def test_unsigned_arithmetic_goes_through_signed_twins() -> None:
    unit, builder, params = begin()
    wide = builder.cast(params["n"], DType.UINT32, at(2))
    total = builder.arith("divui", [wide, builder.constant(7, DType.UINT32, at(2))], DType.UINT32, at(2))
    assert total.type == ScalarType(DType.UINT32)
    builder.end_kernel()
    (program,) = unit.decode()
    last = list(program.walk())[-1]
    assert last.name == "arith.bitcast"
    assert program.reg_types[last.results[0].index] == ScalarType(DType.UINT32)


@pytest.mark.parametrize(
    ("source", "target", "names"),
    [
        (DType.INT8, DType.INT32, ["arith.extsi"]),
        (DType.UINT8, DType.INT32, ["arith.bitcast", "arith.extui"]),
        (DType.INT64, DType.INT16, ["arith.trunci"]),
        (DType.INT32, DType.FLOAT32, ["arith.sitofp"]),
        (DType.UINT32, DType.FLOAT32, ["arith.bitcast", "arith.uitofp"]),
        (DType.FLOAT32, DType.INT32, ["arith.fptosi"]),
        (DType.FLOAT32, DType.FLOAT16, ["arith.truncf"]),
        (DType.FLOAT16, DType.FLOAT32, ["arith.extf"]),
        (DType.FLOAT16, DType.BFLOAT16, ["arith.extf", "arith.truncf"]),
        (DType.INT32, DType.BOOL, ["arith.cmpi"]),
        (DType.FLOAT32, DType.INT1, ["arith.cmpf"]),
        (DType.INT1, DType.INT32, ["arith.extui"]),
        (DType.BOOL, DType.INT1, []),
        (DType.INT32, DType.INT32, []),
    ],
)
def test_casts(source: DType, target: DType, names: list[str]) -> None:
    unit, builder, _ = begin()
    builder.end_kernel()
    (value,) = builder.begin_kernel("cast", [("v", ScalarType(source), at(1))], at(1))
    assert builder.cast(value, target, at(2)).type.dtype.bits in (target.bits, 1)
    builder.end_kernel()
    assert unit.verify() == []
    assert [item.name for item in unit.decode("cast")[0].walk()] == names


def test_arithmetic_on_an_unknown_type_is_kept_as_such() -> None:
    unit, builder, _ = begin()
    builder.end_kernel()
    (value,) = builder.begin_kernel("k", [("v", ScalarType(DType.UNKNOWN), at(1))], at(1))
    total = builder.arith("addf", [value, builder.constant(1, DType.INT32, at(2))], DType.UNKNOWN, at(2))
    builder.cast(total, DType.INT32, at(3))
    builder.end_kernel()
    assert unit.verify() == []
    first, second = unit.decode("k")[0].walk()
    assert (first.name, first.attr("what")) == ("unknown_scalar", "arith.addf")
    assert second.attr("what") == "cast"


def test_a_program_is_plain_picklable_data() -> None:
    unit, builder, params = begin()
    builder.op("subIndex", [params["t"], params["n"]], results=[params["t"].type], span=at(2), names=["part"])
    builder.end_kernel()
    (program,) = unit.decode()
    unit.close()
    (op,) = program.walk()
    assert isinstance(op, Op)
    assert op.name == "subIndex"
    assert plain(pickle.loads(pickle.dumps(program))) == plain(program)
