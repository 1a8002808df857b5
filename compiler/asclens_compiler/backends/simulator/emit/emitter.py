# SPDX-License-Identifier: Apache-2.0
"""Source lines of single steps: `f(c) -> next address`, `c` the core, `r` its registers.

The same lines serve single steps (constants are closure parameters, so that steps of one shape
share compiled code) and straight-line runs (constants are literals).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from asclens_compiler.ascir.program import Const, Operand, Reg
from asclens_compiler.ascir.types import AscType, ScalarType
from asclens_compiler.backends.simulator.flatten import Flat, Halt, Instr, Jump, LoopNext, LoopTest, Move, Unless
from asclens_compiler.hardware.dtypes import DType

Lines = list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """What the emitted code does besides computing values."""

    hazards: bool = True  # happens-before, initialisation, ownership
    checks: bool = True  # everything else that is reported
    trace: bool = False
    history: bool = False  # note written ranges, for stepping back


class Emitter:
    """Emit steps of one program in one variant; `literal` for straight-line runs."""

    def __init__(self, flat: Flat, variant: Variant, *, literal: bool) -> None:
        self.flat, self.variant, self.literal = flat, variant, literal
        self.params: list[Any] = []
        self.space: dict[str, Any] = {}

    # -- constants and operands -----------------------------------------------------------------------
    def k(self, value: Any) -> str:
        """Return text for a constant."""
        if not self.literal:
            self.params.append(value)
            return f"p{len(self.params) - 1}"
        if isinstance(value, int):
            return f"({value!r})" if value < 0 else repr(value)
        name = f"g{len(self.space)}"
        self.space[name] = value
        return name

    def val(self, operand: Operand | None) -> str:
        """Return text for the value of an operand."""
        if isinstance(operand, Reg):
            return f"r[{self.k(operand.index)}]"
        return self.k(operand.value if isinstance(operand, Const) else None)

    def reg(self, reg: Reg) -> str:
        """Return text for a register as a target."""
        return f"r[{self.k(reg.index)}]"

    def type_of(self, operand: object) -> AscType | None:
        """Return the type of an operand."""
        if isinstance(operand, Reg):
            types = self.flat.program.reg_types
            return types[operand.index] if operand.index < len(types) else None
        return operand.type if isinstance(operand, Const) else None

    def dtype_of(self, operand: object) -> DType:
        """Return the element type of a scalar operand, else UNKNOWN."""
        kind = self.type_of(operand)
        return kind.dtype if isinstance(kind, ScalarType) else DType.UNKNOWN

    # -- control flow -----------------------------------------------------------------------------------
    def tick(self, lines: Lines) -> Lines:
        """Add the time of one scalar instruction."""
        return ["c.clk[0] += 1", *lines]

    def assign(self, targets: tuple[Reg, ...], sources: tuple[Operand, ...]) -> Lines:
        """Copy values in parallel."""
        if not targets:
            return []
        left = ", ".join(self.reg(target) for target in targets)
        return [f"{left} = {', '.join(self.val(source) for source in sources)}"]

    def control(self, pc: int, instr: Instr) -> Lines:
        """Emit an instruction that is no operation."""
        match instr:
            case Move():
                return self.assign(instr.targets, instr.sources)
            case Jump():
                return self.tick([f"return {self.k(instr.target)}"])
            case Unless():
                test = self.val(instr.condition)
                return self.tick([f"return {self.k(pc + 1)} if {test} else {self.k(instr.target)}"])
            case LoopTest():
                test = f"{self.reg(instr.induction)} < {self.val(instr.upper)}"
                return self.tick([f"return {self.k(pc + 1)} if {test} else {self.k(instr.target)}"])
            case LoopNext():
                lines = self.assign(instr.carried, instr.yields)
                induction = self.reg(instr.induction)
                lines.append(f"x = {induction} = {induction} + {self.val(instr.step)}")
                lines.append(f"return {self.k(instr.body)} if x < {self.val(instr.upper)} else {self.k(pc + 1)}")
                return self.tick(lines)
            case Halt():
                return [f"raise Blocked({self.k(pc)}, -2)"]
            case _:
                raise TypeError(type(instr).__name__)


OpEmitter = Callable[[Emitter, int, Any], Lines]
