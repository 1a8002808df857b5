# SPDX-License-Identifier: Apache-2.0
"""Printed AscIR parses back to the same unit, and copies are independent."""

from __future__ import annotations

import pytest
from asclens_compiler.ascir.unit import Unit
from hypothesis import HealthCheck, given, settings
from ir_samples import STATEMENTS, RandomKernel, plain

pytestmark = pytest.mark.usefixtures("fake_opset")
_SETTINGS = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@_SETTINGS
@given(statements=STATEMENTS)
def test_text_and_program_survive_printing(statements: list) -> None:
    unit = RandomKernel(statements).unit
    assert unit.verify() == []
    again = Unit.parse(unit.text())
    assert again.text() == unit.text()
    assert plain(again.decode()) == plain(unit.decode())


@_SETTINGS
@given(statements=STATEMENTS)
def test_a_clone_is_equal_and_independent(statements: list) -> None:
    unit = RandomKernel(statements).unit
    copy = unit.clone()
    text = unit.text()
    assert copy.text() == text
    unit.close()
    assert copy.text() == text


def test_a_file_name_with_quotes_and_other_scripts_survives() -> None:
    unit = RandomKernel([("literal", 1), ("printf", 'a"b\\n\u6838\x00')], file='dir "x"\\\u6838.py').unit
    again = Unit.parse(unit.text())
    assert plain(again.decode()) == plain(unit.decode())


def test_text_without_locations_still_parses() -> None:
    unit = RandomKernel([("arith", "addi")]).unit
    assert "loc(" not in unit.text(locations=False)
    assert Unit.parse(unit.text(locations=False)).kernels() == ["kern"]


@pytest.mark.parametrize("text", ["func.func @k( {", "%0 = ", "module { foo.bar }", "\x00", "(" * 5000, "<" * 5000])
def test_malformed_text_is_refused_with_words(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        Unit.parse(text)
