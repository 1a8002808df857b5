# SPDX-License-Identifier: Apache-2.0
"""The state of one core in a walk: clocks, flags, queues, contents, and what is checked on each instruction."""

from __future__ import annotations

from dataclasses import dataclass, field

from asclens_compiler.analysis.verifier.accesses import TOUCHED, Touch, touch_of
from asclens_compiler.analysis.verifier.capacity import Capacity
from asclens_compiler.analysis.verifier.clocks import Clocks
from asclens_compiler.analysis.verifier.contents import Contents
from asclens_compiler.analysis.verifier.findings import Findings
from asclens_compiler.analysis.verifier.flags import Flags
from asclens_compiler.analysis.verifier.hazards import Hazards
from asclens_compiler.analysis.verifier.limits import Limits
from asclens_compiler.analysis.verifier.objects import Tensor
from asclens_compiler.analysis.verifier.operands import WalkValues
from asclens_compiler.analysis.verifier.queues import Queues
from asclens_compiler.analysis.verifier.usage import Usage
from asclens_compiler.ascir.program import Op, Program
from asclens_compiler.hardware.chips import Target
from asclens_compiler.hardware.paths import copy_path
from asclens_compiler.hardware.pipes import Memory, Pipe
from asclens_compiler.opset.model import OpRow, PipeRule, Role


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Setup:
    """What all walks of one program share; `ordered` tells that the compiler places no flags itself."""

    program: Program
    target: Target
    findings: Findings
    limits: Limits
    atomics: bool
    ordered: bool
    usage: Usage


@dataclass(slots=True, eq=False)
class Core:
    """One core on one path."""

    setup: Setup
    clocks: Clocks = field(init=False)
    flags: Flags = field(init=False)
    queues: Queues = field(init=False)
    hazards: Hazards = field(init=False)
    contents: Contents = field(init=False)
    capacity: Capacity = field(init=False)

    def __post_init__(self) -> None:
        setup, auto_sync = self.setup, self.setup.program.auto_sync
        self.clocks = Clocks(setup.usage.used, auto_sync=auto_sync)
        self.flags = Flags(self.clocks, setup.findings, setup.program.core_kind, setup.usage.pairs)
        self.queues = Queues(self.clocks, setup.findings)
        self.hazards = Hazards(self.clocks, setup.findings, auto_sync=auto_sync, atomics=setup.atomics)
        self.contents = Contents(setup.findings)
        self.capacity = Capacity(setup.target, setup.findings)

    def instruction(self, op: Op, row: OpRow, items: tuple[object, ...]) -> None:
        """Execute an instruction: check its operands, order and contents."""
        values = WalkValues(op, row, items)
        sound = self.setup.limits.instruction(op, row, values)
        pipe = _pipe(row, items)
        if pipe is None:
            self.setup.usage.blind = self.setup.usage.blind or any(isinstance(item, Tensor) for item in items)
            self._note_unknown(row, items)
            return
        number = self.clocks.issue(pipe)
        touches: list[Touch] = []
        for operand, item in zip(row.operands, items, strict=False):
            if operand.role not in TOUCHED:
                continue
            for tensor in item if isinstance(item, tuple) else (item,):  # pyright: ignore[reportUnknownVariableType]
                if not isinstance(tensor, Tensor):
                    continue
                fine = self.queues.use(op, tensor)
                touch = touch_of(op, row, operand, tensor, values, pipe, number) if fine else None
                if tensor.start is None:
                    self.setup.usage.blind = True
                if touch is not None:
                    touches.append(touch)
                elif operand.role is not Role.SRC:
                    self.contents.unknown_write(tensor)
        if self.setup.ordered and sound:
            self.hazards.instruction(touches, values)
        self.contents.instruction(touches, judge=sound and values.attr("isSetMask") is not False)

    def _note_unknown(self, row: OpRow, items: tuple[object, ...]) -> None:
        for operand, item in zip(row.operands, items, strict=False):
            for tensor in item if isinstance(item, tuple) else (item,):  # pyright: ignore[reportUnknownVariableType]
                if isinstance(tensor, Tensor) and operand.role is not Role.SRC:
                    self.contents.unknown_write(tensor)


def _pipe(row: OpRow, items: tuple[object, ...]) -> Pipe | None:
    if isinstance(row.pipe, Pipe):
        return row.pipe
    if row.pipe is PipeRule.NONE:
        return None
    ends: dict[Role, Memory] = {}
    for operand, item in zip(row.operands, items, strict=False):
        if isinstance(item, Tensor) and operand.role in TOUCHED:
            ends.setdefault(operand.role, item.memory)
    target, source = ends.get(Role.DST) or ends.get(Role.INOUT), ends.get(Role.SRC)
    if target is None or source is None:
        return None
    path = copy_path(source, target)
    return path.pipe if path is not None else None
