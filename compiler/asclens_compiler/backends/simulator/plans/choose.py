# SPDX-License-Identifier: Apache-2.0
"""Pick the plan of an instruction from its row."""

from __future__ import annotations

from asclens_compiler.ascir.program import Op
from asclens_compiler.ascir.types import AscType
from asclens_compiler.backends.simulator.plans.base import MemoryPlan
from asclens_compiler.backends.simulator.plans.copy import CopyPlan
from asclens_compiler.backends.simulator.plans.count import CountPlan
from asclens_compiler.backends.simulator.plans.element import ElementPlan
from asclens_compiler.backends.simulator.plans.full import FullPlan
from asclens_compiler.backends.simulator.plans.repeat import RepeatPlan
from asclens_compiler.backends.simulator.semantics.api import semantics
from asclens_compiler.errors import InternalError
from asclens_compiler.opset.model import FootprintKind, OpRow

_ELEMENT_OPS = frozenset(
    {"local_tensor_get_value", "local_tensor_set_value", "global_tensor_get_value", "global_tensor_set_value"}
)


def plan_for(op: Op, row: OpRow, pc: int, slot: int, reg_types: tuple[AscType, ...]) -> MemoryPlan:
    """Return the plan of an op that touches memory.

    Raises InternalError when its meaning is not implemented.
    """
    if op.name == "data_copy_l2":
        return CopyPlan(op, row, pc, slot, reg_types)
    if op.name in _ELEMENT_OPS:
        return ElementPlan(op, row, pc, slot, reg_types)
    meaning = semantics().get(row.semantics)
    if meaning is None:
        raise InternalError(f"the simulator has no meaning named {row.semantics!r}", op=op.name, span=op.span)
    if meaning.run is not None:
        return FullPlan(op, row, pc, slot, reg_types, meaning.run)
    if meaning.build is None:
        raise InternalError("a meaning is empty", op=op.name, span=op.span)
    if any(item.kind is FootprintKind.REPEAT for item in row.footprints):
        return RepeatPlan(op, row, pc, slot, reg_types, meaning.build)
    return CountPlan(op, row, pc, slot, reg_types, meaning.build)
