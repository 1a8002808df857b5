# SPDX-License-Identifier: Apache-2.0
"""Ranges of counts, repeats, masks and parameter fields, from the constraints of a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from asclens_compiler.backends.simulator.rules import operand_range
from asclens_compiler.backends.simulator.values import StructValue, Tensor
from asclens_compiler.hardware.chips import REPEAT_BYTES
from asclens_compiler.opset.model import ConstraintKind, OpRow

if TYPE_CHECKING:
    from asclens_compiler.backends.simulator.core import Core

_REPEATS = frozenset({"repeatTimes", "repeatTime"})


@dataclass(frozen=True, slots=True)
class Limit:
    """A range of one operand, or of one field of a struct operand; `tensors` bound a mask instead."""

    index: int
    field: str
    label: str
    low: int
    high: int
    tensors: tuple[int, ...] = ()


def limits_of(row: OpRow) -> tuple[Limit, ...]:
    """Return the limits that a row states."""
    names = {item.name: index for index, item in enumerate(row.operands)}
    found: list[Limit] = []
    for item in row.constraints:
        operand, _, field = item.operands[0].partition(".") if item.operands else ("", "", "")
        if operand not in names:
            continue
        index, label = names[operand], item.operands[0]
        if item.kind is ConstraintKind.RANGE_IN:
            found.append(Limit(index, field, label, item.low, item.high))
        elif item.kind is ConstraintKind.MASK_IN_REPEAT:
            tensors = tuple(names[name] for name in item.operands[1:] if name in names)
            found.append(Limit(index, "", label, 0, 0, tensors))
    return tuple(found)


def check_limits(core: Core, pc: int, limits: tuple[Limit, ...], values: list[Any]) -> None:
    """Report every value that is out of its range, and cut it to the range for what follows."""
    for limit in limits:
        struct = value = values[limit.index]
        if limit.field and isinstance(struct, StructValue):
            value = struct.get(limit.field, limit.low)
        if isinstance(value, bool) or not isinstance(value, int):
            continue
        high = limit.high
        if limit.tensors:
            sizes = [values[index].size for index in limit.tensors if isinstance(values[index], Tensor)]
            high = REPEAT_BYTES // max(sizes, default=1)
        if limit.low <= value <= high or (core.vs.mask_counter and (limit.tensors or limit.label in _REPEATS)):
            continue
        reports = core.machine.reports
        reports.at(
            core, pc, operand_range.RULE, key=limit.label, operand=limit.label, op=reports.op(pc), value=value,
            low=limit.low, high=high,
        )  # fmt: skip
        cut = min(max(value, limit.low), high)
        values[limit.index] = struct.having(limit.field, cut) if isinstance(struct, StructValue) else cut
