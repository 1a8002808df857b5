# SPDX-License-Identifier: Apache-2.0
"""Planted defects are found, equivalent changes are not reported."""

from __future__ import annotations

import pytest
from measure import Figures, kernels, measure

STATIC_RECALL = 0.95


@pytest.fixture(scope="module")
def figures() -> Figures:
    """Return the figures of the kernels of this repository."""
    return measure(kernels())


def test_defects_are_found(figures: Figures) -> None:
    missed = [f"{mutant.operator} at line {mutant.line} of {name}" for name, mutant in figures.missed]
    assert figures.recall >= STATIC_RECALL, missed


def test_equivalent_mutants_are_silent(figures: Figures) -> None:
    assert figures.equivalent > 0
    assert [(name, mutant.operator) for name, mutant in figures.alarms] == []


def test_every_operator_is_used(figures: Figures) -> None:
    assert min(figures.planted.values()) > 0
    assert len(figures.planted) == 18
