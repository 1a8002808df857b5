# SPDX-License-Identifier: Apache-2.0
"""The builder refuses misuse with its own errors and keeps the unit printable."""

from __future__ import annotations

import pytest
from asclens_compiler.ascir.builder import Builder
from asclens_compiler.ascir.insertion import MAX_CALL_DEPTH, MAX_REGION_DEPTH, NestingTooDeep
from asclens_compiler.ascir.unit import Unit
from asclens_compiler.errors import InternalError
from asclens_compiler.hardware.dtypes import DType
from ir_samples import TILE, at, begin

pytestmark = pytest.mark.usefixtures("fake_opset")


def test_blocks_nest_only_so_deep() -> None:
    _, builder, params = begin()
    one = builder.constant(1, DType.INT32, at(2))

    def nested(line: int) -> None:
        with builder.loop(one, params["n"], one, [], at(line)):
            nested(line + 1)

    with pytest.raises(NestingTooDeep) as caught:
        nested(3)
    assert caught.value.limit == MAX_REGION_DEPTH
    assert caught.value.span.line > 100
    builder.end_kernel()


def test_the_deepest_allowed_nesting_works_through_all_steps() -> None:
    unit, builder, params = begin()
    one = builder.constant(1, DType.INT32, at(2))
    loops = []
    for line in range(MAX_REGION_DEPTH - 1):
        loops.append(builder.loop(one, params["n"], one, [], at(line + 3)))
        loops[-1].__enter__()
    for loop in reversed(loops):
        loop.__exit__(None, None, None)
    builder.end_kernel()
    assert unit.verify() == []
    assert Unit.parse(unit.text()).text() == unit.text()
    assert len(list(unit.decode()[0].walk())) == MAX_REGION_DEPTH - 1


def test_calls_nest_only_so_deep() -> None:
    unit, builder, params = begin()
    for line in range(MAX_CALL_DEPTH):
        builder.push_call(at(line + 1))
    with pytest.raises(NestingTooDeep):
        builder.push_call(at(9))
    builder.arith("addi", [params["n"], params["n"]], DType.INT32, at(9))
    builder.end_kernel()
    assert len(unit.decode()[0].body.nodes[0].calls) == MAX_CALL_DEPTH


@pytest.mark.parametrize("kind", ["loop", "then", "orelse", "before", "body"])
def test_an_exception_inside_a_block_leaves_a_printable_unit(kind: str) -> None:
    unit, builder, params = begin()
    n = params["n"]
    one = builder.constant(1, DType.INT32, at(2))
    flag = builder.arith("cmpi", [n, one], DType.INT1, at(2), "eq")
    if kind == "loop":
        scope = builder.loop(one, n, one, [n], at(3))
    elif kind in ("then", "orelse"):
        scope = getattr(builder.branch(flag, None, at(3)), kind)()
    else:
        repeat = builder.while_loop([n], at(3))
        if kind == "body":
            with repeat.before():
                repeat.condition(flag)
        scope = getattr(repeat, kind)()
    with pytest.raises(ZeroDivisionError), scope:
        raise ZeroDivisionError
    builder.end_kernel()
    assert "func.func @kern" in unit.text()


def test_misuse_is_an_internal_error() -> None:
    unit, builder, params = begin()
    other_unit, other, foreign = begin("other")
    tile, n = params["t"], params["n"]
    cases = [
        lambda: builder.op("no_such_op", span=at(2)),
        lambda: builder.op("add_l2", [tile], span=at(2)),
        lambda: builder.op("add_l2", [tile, tile, tile, None], span=at(2)),
        lambda: builder.op("add_l2", [tile, tile, tile, [n]], span=at(2)),
        lambda: builder.op("add_l2", [tile, tile, foreign["t"], n], span=at(2)),
        lambda: builder.op("set_flag", [n], attrs={"evnt": "MTE2_V"}, span=at(2)),
        lambda: builder.op("set_flag", [n], attrs={"event": object()}, span=at(2)),
        lambda: builder.op("set_flag", [n], attrs={"event": 2**70}, span=at(2)),
        lambda: builder.arith("addi", [tile, n], DType.INT32, at(2)),
        lambda: builder.constant(1, DType.UNKNOWN, at(2)),
        lambda: builder.begin_kernel("inner", [], at(2)),
        lambda: builder.op("printf", [[n, builder.constant(0.5, DType.FLOAT32, at(2))] * 9], span=at(2)),
        lambda: Builder(Unit.new("x")).constant(1, DType.INT32, at(1)),
        lambda: Builder(Unit.new("x")).end_kernel(),
    ]
    for case in cases:
        with pytest.raises(InternalError):
            case()
    builder.end_kernel()
    other.end_kernel()
    assert unit.verify() == []
    assert other_unit.verify() == []


def test_a_loop_that_forgets_to_yield_is_an_internal_error() -> None:
    _, builder, params = begin()
    one = builder.constant(1, DType.INT32, at(2))
    with pytest.raises(InternalError, match="yields nothing"), builder.loop(one, one, one, [params["n"]], at(3)):
        pass


def test_a_branch_with_results_needs_both_sides() -> None:
    _, builder, params = begin()
    flag = builder.arith("cmpi", [params["n"], params["n"]], DType.INT1, at(2), "eq")
    branch = builder.branch(flag, None, at(3))
    with branch.then():
        branch.yield_([params["n"]])
    with pytest.raises(InternalError, match="both blocks"):
        assert branch.results


def test_a_closed_unit_refuses_use() -> None:
    unit, builder, params = begin()
    unit.close()
    with pytest.raises(InternalError):
        unit.text()
    with pytest.raises(InternalError):
        builder.op("add_l2", [params["t"]] * 3 + [params["n"]], span=at(2))


def test_handles_compare_by_value() -> None:
    _, builder, params = begin()
    (first,) = builder.op("subIndex", [params["t"], params["n"]], results=[TILE], span=at(2))
    (second,) = builder.op("subIndex", [params["t"], params["n"]], results=[TILE], span=at(2))
    assert first != second
    assert len({first, second, params["t"]}) == 3
