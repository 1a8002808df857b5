# SPDX-License-Identifier: Apache-2.0
"""A small opset of its own, so that these tests do not move with the real rows."""

from __future__ import annotations

import pytest
from asclens_compiler.ascir import dialect, session, verify
from asclens_compiler.hardware.pipes import Memory
from asclens_compiler.opset.model import AttrRow, EnumRow, OperandRow, OpRow, Role
from asclens_compiler.opset.registry import Opset

UB = frozenset({Memory.UB})


def _operand(name: str, role: Role, **more: object) -> OperandRow:
    return OperandRow(name=name, role=role, **more)


ROWS = (
    OpRow(
        name="add_l2",
        cpp="Add",
        operands=(
            _operand("dst", Role.DST, memories=UB),
            _operand("src0", Role.SRC, memories=UB),
            _operand("src1", Role.SRC, memories=UB),
            _operand("calCount", Role.SCALAR),
        ),
    ),
    OpRow(
        name="set_flag",
        cpp="SetFlag",
        operands=(_operand("eventId", Role.SCALAR),),
        attrs=(AttrRow(name="event", enum="HardEvent"),),
    ),
    OpRow(
        name="printf",
        cpp="printf",
        operands=(_operand("args", Role.SCALAR, variadic=True),),
        attrs=(AttrRow(name="desc"),),
    ),
    OpRow(
        name="copy",
        cpp="Copy",
        operands=(
            _operand("dst", Role.DST),
            _operand("src", Role.SRC),
            _operand("mask", Role.SCALAR, variadic=True),
            _operand("count", Role.SCALAR, optional=True),
            _operand("params", Role.PARAMS, struct="CopyParams", optional=True),
        ),
        attrs=(
            AttrRow(name="isSetMask", kind=bool),
            AttrRow(name="scale", kind=float),
            AttrRow(name="ids", kind=tuple),
        ),
    ),
    OpRow(
        name="subIndex",
        cpp="",
        operands=(_operand("tensor", Role.TENSOR), _operand("index", Role.SCALAR)),
        results=("LocalTensor",),
        pure=True,
    ),
    OpRow(name="construct", cpp="", operands=(_operand("fields", Role.SCALAR, variadic=True),),
          attrs=(AttrRow(name="type"),), results=("struct",), pure=True),
    OpRow(name="stage_start", cpp="", operands=(), attrs=(AttrRow(name="unit"),)),
    OpRow(name="stage_end", cpp="", operands=(), attrs=(AttrRow(name="unit"),)),
)  # fmt: skip
ENUMS = (EnumRow(name="HardEvent", members=(("MTE2_V", 0), ("V_MTE3", 1))),)
FAKE = Opset(
    ops={row.name: row for row in ROWS},
    apis={},
    structs={},
    enums={row.name: row for row in ENUMS},
    family_of={},
)


@pytest.fixture
def fake_opset(monkeypatch: pytest.MonkeyPatch):
    """Build the dialect from the small opset during one test."""
    monkeypatch.setattr(dialect, "opset", lambda: FAKE)
    monkeypatch.setattr(verify, "opset", lambda: FAKE)
    _forget()
    yield FAKE
    monkeypatch.undo()
    _forget()


def _forget() -> None:
    dialect.op_shapes.cache_clear()
    dialect.row_names.cache_clear()
    session.renew()
