# SPDX-License-Identifier: Apache-2.0
"""Affine forms, spreads and overlaps: against brute force."""

from __future__ import annotations

from itertools import product

from asclens_compiler.analysis.accesses import Accesses
from asclens_compiler.analysis.affine import Affine
from asclens_compiler.analysis.spreads import Spread, single
from asclens_compiler.ascir.program import Loop, Op
from asclens_compiler.hardware.dtypes import DType
from hypothesis import given
from hypothesis import strategies as st
from pass_builders import TILE, Kernel

SMALL = st.integers(-4, 4)
PROGRESSION = st.tuples(SMALL, st.integers(1, 3), st.integers(1, 4))


def members(low: int, step: int, count: int) -> set[int]:
    return {low + step * number for number in range(count)}


@given(st.lists(PROGRESSION, min_size=1, max_size=3), SMALL, st.integers(0, 5))
def test_sums_of_progressions_hold_what_they_say(parts, least, width):
    total = single(0)
    exact = {0}
    for low, step, count in parts:
        total = total.plus(Spread(low, low + step * (count - 1), step))
        exact = {one + two for one, two in product(exact, members(low, step, count))}
    found = total.holds_between(least, least + width)
    truth = any(least <= number <= least + width for number in exact)
    assert found is None or found == truth


def test_unbounded_spreads():
    later = Spread(64, None, 64)
    assert later.holds_between(-63, 63) is False
    assert later.holds_between(-63, 64) is True
    assert Spread(None, -64, 64).holds_between(-63, 63) is False


@given(SMALL, SMALL, SMALL, SMALL)
def test_affine_arithmetic(a, b, c, d):
    one, two = Affine(a, ((1, b),) if b else ()), Affine(c, ((1, d),) if d else ())

    def value(form: Affine, register: int) -> int:
        return form.constant + sum(factor * register for _, factor in form.terms)

    for register in range(-3, 4):
        assert value(one.plus(two), register) == value(one, register) + value(two, register)
        assert value(one.minus(two), register) == value(one, register) - value(two, register)
        assert value(one.times(c), register) == value(one, register) * c


@given(st.integers(1, 5), st.integers(-2, 2), st.integers(0, 3), st.integers(-2, 2), st.integers(0, 3))
def test_overlaps_of_global_tiles_match_all_trips(trips, factor, start, factor_two, start_two):
    """Two stores to tiles `factor * i + start` of a loop: same trip, and a later one."""
    kernel = Kernel()
    builder, span = kernel.builder, kernel.span
    with kernel.loop(trips) as loop:
        for scale, base in ((factor, start), (factor_two, start_two)):
            index = builder.arith("muli", [loop.induction, kernel.number(scale)], DType.INT32, span)
            kernel.store(builder.arith("addi", [index, kernel.number(base)], DType.INT32, span), 0)
    program = kernel.finish().decode()[0]
    accesses = Accesses(program)
    around = next(node for node in program.walk() if isinstance(node, Loop))
    first, second = [
        access
        for node in program.walk()
        if isinstance(node, Op) and node.name == "data_copy_l2"
        for access in accesses.of(node)
        if access.write
    ]
    assert first.size_bytes == TILE * 4
    pairs = [(factor * i + start, factor_two * j + start_two, i, j) for i in range(trips) for j in range(trips)]
    same = any(one == two for one, two, i, j in pairs if i == j)
    later = any(one == two for one, two, i, j in pairs if j > i)
    assert accesses.may_overlap(first, second) or not same
    assert accesses.may_overlap(first, second, across=around) or not later
    if factor == factor_two and trips > 1:
        assert accesses.may_overlap(first, second) == same
        assert accesses.may_overlap(first, second, across=around) == later
