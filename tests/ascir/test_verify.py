# SPDX-License-Identifier: Apache-2.0
"""Verification finds every structural error, each at its Python range."""

from __future__ import annotations

import pytest
from asclens_compiler.ascir.types import StructType
from asclens_compiler.ascir.unit import Unit
from ir_samples import at, begin

pytestmark = pytest.mark.usefixtures("fake_opset")

BROKEN = """
#a = loc("kernel.py":3:1 to :9)
#b = loc("kernel.py":5:1 to :9)
#c = loc("kernel.py":7:1 to :9)
module {
  func.func @k(%t: !ascir.local<f32, "VECIN", unit>, %g: !ascir.global<f32, unit>, %n: i32, %c: i1)
      attributes {ascir.kernel} {
    scf.if %c {
      ATTR
    }
    ARGS
    return
  } loc(#c)
} loc(#c)
"""


def _tile_types(count: int) -> str:
    return ", ".join(['!ascir.local<f32, "VECIN", unit>'] * count)


def test_a_good_unit_has_no_errors() -> None:
    unit, builder, params = begin()
    tile = params["t"]
    builder.op("add_l2", [tile, tile, tile, params["n"]], span=at(2))
    builder.end_kernel()
    assert unit.verify() == []


def test_several_structural_errors_come_at_once() -> None:
    unit, builder, params = begin()
    tile, n = params["t"], params["n"]
    builder.op("add_l2", [tile, tile, params["y"], n], span=at(3))
    flag = builder.arith("cmpi", [n, n], params["n"].type.dtype, at(4), "eq")
    assert flag is not None
    builder.op("add_l2", [n, tile, tile, n], span=at(5))
    builder.end_kernel()
    found = unit.verify()
    assert [(item.code, item.span.line) for item in found] == [("ASC191", 3), ("ASC191", 4), ("ASC191", 5)]
    assert found[0].span == at(3)
    assert "ascir.add_l2" in found[0].message


def test_an_error_inside_a_block_is_reported_once() -> None:
    unit, builder, params = begin()
    one = builder.constant(1, params["n"].type.dtype, at(2))
    with builder.loop(one, params["n"], one, [], at(3)):
        builder.op("add_l2", [params["y"]] * 3 + [one], span=at(4))
    builder.end_kernel()
    assert [item.span.line for item in unit.verify()] == [4]


def test_kinds_of_operands() -> None:
    unit, builder, params = begin()
    builder.op("copy", [params["n"], params["t"], [params["t"]], None, None], span=at(3))
    (struct,) = builder.op("construct", [[]], attrs={"type": "Other"}, results=[StructType("Other")], span=at(4))
    builder.op("copy", [params["t"], params["t"], [], None, struct], span=at(5))
    builder.end_kernel()
    found = unit.verify()
    assert [(item.code, item.span.line) for item in found] == [("ASC192", 3), ("ASC192", 5)]
    assert found[0].message == "operand dst of ascir.copy is a scalar, it must be a tensor"
    assert "Other" in found[1].message
    assert "CopyParams" in found[1].message


def test_unknown_enum_members() -> None:
    unit, builder, params = begin()
    builder.op("set_flag", [params["n"]], attrs={"event": "V_V_V"}, span=at(3))
    builder.end_kernel()
    (found,) = unit.verify()
    assert (found.code, found.span) == ("ASC193", at(3))
    assert "'V_V_V'" in found.message


@pytest.mark.parametrize(
    ("markers", "lines"),
    [
        ("(V )V", []),
        ("(V )C", [2, 3]),
        ("(V", [2]),
        (")V", [2]),
        ("(V (C )C", [2]),
        ("(V )V (C )C", []),
    ],
)
def test_stage_markers_pair_in_their_block(markers: str, lines: list[int]) -> None:
    unit, builder, _ = begin()
    for line, text in enumerate(markers.split(), start=2):
        builder.op("stage_start" if text[0] == "(" else "stage_end", attrs={"unit": text[1]}, span=at(line))
    builder.end_kernel()
    assert sorted(item.span.line for item in unit.verify()) == lines


def test_text_by_hand_is_verified_too() -> None:
    types = f"({_tile_types(3)}, i32) -> ()"
    good = f'"ascir.add_l2"(%t, %t, %t, %n) : {types} loc(#a)'
    unit = Unit.parse(BROKEN.replace("ATTR", good).replace("ARGS", good.replace("#a", "#b")))
    assert unit.verify() == []
    with pytest.raises(ValueError, match="operand"):
        Unit.parse(BROKEN.replace("ATTR", '"ascir.add_l2"(%n) : (i32) -> ()').replace("ARGS", ""))
