# SPDX-License-Identifier: Apache-2.0
"""Fingerprints change exactly when a kernel's result can change."""

from __future__ import annotations

import pytest
from asclens_compiler.frontend.driver import analyse_file
from asclens_compiler.source.text import SourceText

TEXT = """import asc
import numpy as np

TILE = 8
OTHER = 4
BASE = TILE * 2


@asc.jit
def helper(n: int):
    asc.printf("%d", n + BASE)


@asc.jit
def kernel(n: int):
    helper(n)


@asc.jit
def second(n: int):
    asc.printf("%d", n)


kernel[1](3)
second[1](3)
# end
"""


def marks(text: str, **options: object) -> dict[str, str]:
    analysis = analyse_file(SourceText("case.py", text), **options)
    return {kernel.kernel: kernel.fingerprint for kernel in analysis.kernels}


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("OTHER = 4", "OTHER = 5", set()),
        ("# end", "# the end", set()),
        ("TILE = 8", "TILE = 9", {"kernel"}),
        ('"%d", n + BASE', '"%i", n + BASE', {"kernel"}),
        ('printf("%d", n)', 'printf("%i", n)', {"second"}),
        ("second[1](3)", "second[1](3.0)", {"second"}),
        ("OTHER = 4", "OTHER = 4\nMORE = 5", {"kernel", "second"}),
    ],
)
def test_what_changes_a_fingerprint(old: str, new: str, changed: set[str]) -> None:
    before, after = marks(TEXT), marks(TEXT.replace(old, new))
    assert {name for name in before if before[name] != after[name]} == changed


def test_chip_and_facts_count() -> None:
    assert marks(TEXT) != marks(TEXT, soc="Ascend910B4")
    assert marks(TEXT) != marks(TEXT, facts=True)


def test_known_kernels_are_not_compiled_again() -> None:
    known = marks(TEXT)
    analysis = analyse_file(SourceText("case.py", TEXT), known={known["kernel"]})
    first, second = analysis.kernels
    assert (first.kernel, first.reused, first.unit) == ("kernel", True, None)
    assert (second.kernel, second.reused) == ("second", False)
    assert second.unit is not None
