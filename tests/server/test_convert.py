# SPDX-License-Identifier: Apache-2.0
"""Positions in code points and in UTF-16."""

from __future__ import annotations

from asclens_server.lsp.convert import from_utf16, to_utf16
from hypothesis import given
from hypothesis import strategies as st


@given(st.text(alphabet=st.sampled_from("ab 求🚀é𝔘"), max_size=12), st.data())
def test_round_trip(line: str, data: st.DataObject):
    column = data.draw(st.integers(1, len(line) + 1))
    assert from_utf16(line, to_utf16(line, column)) == column


def test_emoji_counts_two_units():
    assert to_utf16("🚀x", 2) == 2
    assert from_utf16("🚀x", 2) == 2
    assert from_utf16("求x", 1) == 2
