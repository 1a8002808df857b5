# SPDX-License-Identifier: Apache-2.0
"""Addresses of buffers: aligned, apart while both live, side by side when all fit."""

from __future__ import annotations

from itertools import pairwise

from asclens_compiler.passes.placement import Buffer, peak, place
from hypothesis import given
from hypothesis import strategies as st

BUFFERS = st.lists(
    st.tuples(st.integers(1, 700), st.integers(0, 20), st.integers(0, 8)).map(
        lambda item: {"size_bytes": item[0], "begin": item[1], "end": item[1] + item[2]}
    ),
    min_size=1,
    max_size=12,
).map(lambda rows: [Buffer(ident=number, **row) for number, row in enumerate(rows)])


@given(BUFFERS, st.integers(0, 200), st.sampled_from([32, 256]), st.integers(0, 100))
def test_buffers_that_live_together_lie_apart(buffers, capacity, alignment, start):
    placement = place(buffers, capacity, alignment, start)
    for buffer in buffers:
        address = placement.addresses[buffer.ident]
        assert address % alignment == 0
        assert address >= start
        assert address + buffer.size_bytes <= placement.end_bytes
        for other in buffers:
            if other.ident < buffer.ident and other.lives_with(buffer):
                place_of_other = placement.addresses[other.ident]
                assert place_of_other + other.size_bytes <= address or address + buffer.size_bytes <= place_of_other


@given(BUFFERS)
def test_all_lie_side_by_side_when_memory_suffices(buffers):
    placement = place(buffers, 1_000_000, 32)
    spans = sorted((placement.addresses[item.ident], item.size_bytes) for item in buffers)
    assert all(first + size <= second for (first, size), (second, _) in pairwise(spans))


@given(BUFFERS)
def test_the_peak_is_what_some_moment_needs(buffers):
    needed, living = peak(buffers, 1)
    assert needed == sum(item.size_bytes for item in living)
    assert all(one.lives_with(two) for one in living for two in living)


def test_lives_that_do_not_meet_share():
    buffers = [Buffer(ident=number, size_bytes=100, begin=number * 10, end=number * 10 + 9) for number in range(5)]
    placement = place(buffers, 128, 32)
    assert set(placement.addresses.values()) == {0}
    assert placement.end_bytes <= 128
