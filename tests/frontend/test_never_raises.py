# SPDX-License-Identifier: Apache-2.0
"""Damaged kernel texts are analysed without an exception, and findings lie inside the text."""

from __future__ import annotations

import random

from asclens_compiler.source.text import SourceText
from frontend_cases import analyse, cases
from hypothesis import given, settings
from hypothesis import strategies as st

TEXTS = [case.text for case in cases()]
WORDS = "n x asc ( ) [ ] : = + - * // None asc.float16 'text' 1.5 0 return . , not and lambda:0 while for if"
TOKENS = [*WORDS.split(), "\n", "    ", " "]


def damage(text: str, seed: int, times: int) -> str:
    generator = random.Random(seed)
    for _ in range(times):
        at = generator.randrange(len(text))
        end = min(len(text), at + generator.randrange(12))
        text = text[:at] + generator.choice(TOKENS) + text[end:]
    return text


@settings(max_examples=150, deadline=None, print_blob=True)
@given(st.sampled_from(TEXTS), st.integers(0, 2**32), st.integers(1, 3))
def test_damaged_texts(text: str, seed: int, times: int) -> None:
    damaged = damage(text, seed, times)
    source = SourceText("case.py", damaged)
    for item in analyse(damaged, facts=True).diagnostics:
        assert 1 <= item.span.line <= len(source.lines)
        assert item.span.column >= 1


@settings(max_examples=100, deadline=None, print_blob=True)
@given(st.sampled_from(TEXTS), st.integers(0, 2**32))
def test_names_exchanged(text: str, seed: int) -> None:
    """Exchanging two words keeps most texts parsable and makes odd uses of every value."""
    generator = random.Random(seed)
    lines = text.splitlines(keepends=True)
    words = sorted(
        {word for line in lines for word in line.replace("(", " ").replace(")", " ").split() if word.isidentifier()}
    )
    first, second = generator.choice(words), generator.choice(words)
    analyse("".join(line.replace(first, second) for line in lines))
