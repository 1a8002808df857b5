# SPDX-License-Identifier: Apache-2.0
"""Programs as step functions: `steps[pc](core)` runs one instruction and returns the next address.

Steps come from factories that are generated once per shape of instruction and shared by all
programs. A straight-line run is compiled to one function when it is hot; it is made from the same
lines, so both granularities compute the same bits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, NoReturn, cast

from asclens_compiler.ascir.program import Const, Op, Program, Reg
from asclens_compiler.ascir.types import LocalType
from asclens_compiler.backends.simulator.core import Blocked
from asclens_compiler.backends.simulator.emit.arith import emit_scalar
from asclens_compiler.backends.simulator.emit.emitter import Emitter, Lines, Variant
from asclens_compiler.backends.simulator.emit.memory import emit_memory
from asclens_compiler.backends.simulator.emit.sync import FlagUse, barrier_lane, emit_barrier, emit_flag, flag_use
from asclens_compiler.backends.simulator.flatten import Do, Flat, Halt, flatten
from asclens_compiler.backends.simulator.lanes import SCALAR
from asclens_compiler.backends.simulator.ops.cross import cross_lane
from asclens_compiler.backends.simulator.ops.registry import Call, Handler, handlers
from asclens_compiler.backends.simulator.plans.base import MemoryPlan
from asclens_compiler.backends.simulator.plans.choose import plan_for
from asclens_compiler.backends.simulator.plans.full import FullPlan
from asclens_compiler.errors import InternalError
from asclens_compiler.hardware.pipes import Memory
from asclens_compiler.opset.model import OpRow
from asclens_compiler.opset.registry import opset

Step = Callable[[Any], int]
HOT = 1000  # starts of a run before it is compiled; compiling pays after 350 (scalar) to 2,100 (vector) starts
RUN_FILE = "<asclens run>"
_SUBINDEX = frozenset(
    {"local_tensor_subindex", "local_tensor_bracket", "global_tensor_subindex", "global_tensor_bracket"}
)
_WORKSPACE = "get_sys_workspace_ptr"
_CROSS_SETS = frozenset({"cross_core_set_flag", "ffts_cross_core_sync"})


class Shared:
    """What all variants of one program share: flat form, plans, lanes, flags."""

    def __init__(self, flat: Flat, rows: Mapping[str, OpRow]) -> None:
        self.flat = flat
        self.rows = rows
        self.plans: dict[int, MemoryPlan] = {}
        self.calls: dict[int, tuple[Handler, Call]] = {}
        self.flags: dict[int, FlagUse] = {}
        self.lanes = [SCALAR] * len(flat.instrs)
        self.drains: set[int] = {len(flat.instrs) - 1}  # where all pipes must be empty
        self.faults: dict[int, InternalError] = {}
        self.static_ends = _static_ends(flat)
        self.needs_workspace = any(isinstance(item, Do) and item.op.name == _WORKSPACE for item in flat.instrs)
        emitter = Emitter(flat, Variant(), literal=True)
        for pc, instr in enumerate(flat.instrs):
            if isinstance(instr, Do):
                try:
                    self._do(pc, instr, emitter)
                except InternalError as error:
                    self.faults[pc] = error
        self.n_slots = len(self.plans)

    def _do(self, pc: int, instr: Do, emitter: Emitter) -> None:
        op = instr.op
        use = flag_use(emitter, instr)
        if use is not None:
            self.flags[pc], self.lanes[pc] = use, use.lane
            return
        if op.name == "pipe_barrier":
            lane = barrier_lane(op)
            self.lanes[pc] = SCALAR if lane is None else lane
            if lane is None:
                self.drains.add(pc)
            return
        if op.name in _SUBINDEX or "." in op.name:
            return
        if self._handled(pc, op):
            return
        row = self.rows.get(op.name)
        if row is None:
            raise InternalError("the simulator does not know this operation", op=op.name, span=op.span)
        plan = plan_for(op, row, pc, len(self.plans), self.flat.program.reg_types)
        self.plans[pc], self.lanes[pc] = plan, plan.lane

    def _handled(self, pc: int, op: Op) -> bool:
        found = handlers().get(op.name)
        row = self.rows.get(op.name)
        if found is None and row is not None and row.semantics == "machine.no_effect":
            found = handlers()["noop"]
        if found is None:
            return False
        program = self.flat.program
        types = tuple(program.reg_types[operand.index] if isinstance(operand, Reg) else None for operand in op.operands)
        name = program.names.get(op.results[0].index, ("",))[0] if op.results else ""
        names = tuple(item.name for item in row.operands) if row is not None else ()
        results = tuple(program.reg_types[reg.index] for reg in op.results)
        call = Call(pc=pc, op=op, name=name, operand_names=names, operand_types=types, result_types=results)
        self.calls[pc] = (found, call)
        if op.name in _CROSS_SETS:
            self.lanes[pc] = cross_lane(op)
        if op.name.startswith(("sync_all", "ib_", "notify_", "wait_pre", "pipe_reset", "pipe_destroy")):
            self.drains.add(pc)
        return True


def _static_ends(flat: Flat) -> dict[Memory, int]:
    """Return the first byte of each memory behind all tensors with a literal address."""
    ends: dict[Memory, int] = {}
    for instr in flat.instrs:
        if not isinstance(instr, Do) or instr.op.name != "local_tensor_v2":
            continue
        address, size = instr.op.operands
        kind = flat.program.reg_types[instr.op.results[0].index]
        if isinstance(address, Const) and isinstance(size, Const) and isinstance(kind, LocalType):
            memory, end = kind.position.memory, int(address.value) + int(size.value) * kind.dtype.size_bytes
            ends[memory] = max(ends.get(memory, 0), end)
    return ends


class Code:
    """The step functions of one program in one variant."""

    def __init__(self, shared: Shared, variant: Variant) -> None:
        self.shared, self.flat, self.variant = shared, shared.flat, variant
        self.n_slots = shared.n_slots
        emitter = Emitter(self.flat, variant, literal=False)
        self.literal = Emitter(self.flat, variant, literal=True)
        self.steps: list[Step] = [self._step(emitter, pc) for pc in range(len(self.flat.instrs))]
        self.runs: list[tuple[Step, int]] = [(step, 1) for step in self.steps]
        self.run_lines: dict[int, list[int]] = {}  # start of a run -> address of each of its source lines
        leaders = self.flat.leaders | self.shared.drains
        for pc in leaders:
            end = pc + 1
            while end < len(self.steps) and end not in leaders:
                end += 1
            if end > pc + 1 and not any(at in shared.faults for at in range(pc, end)):
                self.runs[pc] = (self._counting(pc, end), 1)

    def lines(self, emit: Emitter, pc: int) -> Lines:
        """Return the source lines of one instruction."""
        instr = self.flat.instrs[pc]
        if not isinstance(instr, Do):
            return emit.control(pc, instr) or ["pass"]
        op = instr.op
        use = self.shared.flags.get(pc)
        if use is not None:
            return emit_flag(emit, pc, use)
        if op.name == "pipe_barrier":
            return emit_barrier(emit, barrier_lane(op))
        if op.name in _SUBINDEX:
            return self._subindex(emit, op)
        call = self.shared.calls.get(pc)
        if call is not None:
            return self._call(emit, instr, *call)
        plan = self.shared.plans.get(pc)
        if isinstance(plan, FullPlan):
            return self._full(emit, op, plan)
        return emit_memory(emit, pc, op, plan) if plan is not None else emit_scalar(emit, pc, op)

    @staticmethod
    def _subindex(emit: Emitter, op: Op) -> Lines:
        tensor, index = op.operands[0], op.operands[1]
        if isinstance(tensor, tuple) or isinstance(index, tuple):
            raise InternalError("an index is no list", op=op.name, span=op.span)
        return emit.tick(
            [
                f"h = {emit.val(tensor)}; x = {emit.val(index)}",
                f"{emit.reg(op.results[0])} = h.children.get(x) or h.at(x)",
            ]
        )

    @staticmethod
    def _values(emit: Emitter, op: Op) -> str:
        texts: list[str] = []
        for operand in op.operands:
            if isinstance(operand, tuple):
                texts.append("(" + "".join(f"{emit.val(item)}, " for item in operand) + ")")
            else:
                texts.append(emit.val(operand))
        return ", ".join(texts)

    def _call(self, emit: Emitter, instr: Do, found: Handler, call: Call) -> Lines:
        op = instr.op
        targets = [emit.reg(reg) for reg in op.results]
        if found.assigns:
            operand = op.operands[call.operand_names.index(found.assigns) if call.operand_names else 0]
            targets = [emit.reg(operand)] if isinstance(operand, Reg) else []
        if instr.key is not None:  # a queue call: (tensor, flag)
            names = self.shared.rows[op.name].operands if op.name in self.shared.rows else ()
            in_place = op.name.endswith("_in_place")
            tensor = op.operands[[item.name for item in names].index("tensor") if names else 1] if in_place else None
            first = [emit.reg(tensor)] if isinstance(tensor, Reg) else targets or ["x"]
            targets = [*first, emit.reg(instr.key)]
        left = ", ".join(targets) + " = " if targets else ""
        return emit.tick([f"{left}{emit.k(found.run)}({emit.k(call)}, c, {self._values(emit, op)})"])

    def _full(self, emit: Emitter, op: Op, plan: FullPlan) -> Lines:
        left = ", ".join(emit.reg(reg) for reg in op.results)
        call = f"{emit.k(plan.caller(self.variant))}(c, {self._values(emit, op)})"
        return [f"{left} = {call}" if left else call]

    # -- assembly -------------------------------------------------------------------------------------
    def _step(self, emitter: Emitter, pc: int) -> Step:
        fault = self.shared.faults.get(pc)
        emitter.params = []
        try:
            if fault is not None:
                raise fault
            body = "\n  ".join(self.lines(emitter, pc))
        except InternalError as error:
            self.shared.faults[pc] = error
            return _faulty(error)
        return _factory(body, len(emitter.params))(*emitter.params, pc + 1)

    def _counting(self, pc: int, end: int) -> Step:
        step, seen = self.steps[pc], 0

        def count(core: Any) -> int:
            nonlocal seen
            seen += 1
            if seen == HOT:
                self.runs[pc] = (self._compile(pc, end), end - pc)
            return step(core)

        return count

    def _compile(self, pc: int, end: int) -> Step:
        lines: Lines = []
        table = [pc, pc]  # the two lines of the header
        for at in range(pc, end):
            found = self.lines(self.literal, at)
            lines += found
            table += [at] * len(found)
        self.run_lines[pc] = table
        text = f"def run(c):\n r = c.regs\n {chr(10).join(lines).replace(chr(10), chr(10) + ' ')}\n return {end}"
        return cast("Step", _load(text, "run", f"{RUN_FILE}{pc}", self.literal.space))


def _faulty(error: InternalError) -> Step:
    def step(_core: Any) -> NoReturn:
        raise error

    return step


def _load(text: str, name: str, file: str, space: Mapping[str, Any]) -> Any:
    scope: dict[str, Any] = {"Blocked": Blocked, **space}
    exec(compile(text, file, "exec"), scope)  # text made by the emitters from decoded programs
    return scope[name]


@lru_cache(maxsize=4096)
def _factory(body: str, n_params: int) -> Callable[..., Step]:
    """Compile one shape of instruction; the parameters are its constants and the next address."""
    params = ", ".join([*(f"p{n}" for n in range(n_params)), "after"])
    text = f"def make({params}):\n def step(c):\n  r = c.regs\n  {body}\n  return after\n return step"
    return cast("Callable[..., Step]", _load(text, "make", "<asclens step>", {}))


class CodeBook:
    """All variants of one program's code, made when asked for."""

    def __init__(self, program: Program, rows: Mapping[str, OpRow]) -> None:
        self.shared = Shared(flatten(program), rows)
        self._made: dict[Variant, Code] = {}

    def code(self, variant: Variant) -> Code:
        """Return the code of a variant."""
        found = self._made.get(variant)
        if found is None:
            found = self._made[variant] = Code(self.shared, variant)
        return found

    def replay(self, variant: Variant) -> Code:
        """Return the code that repeats what was checked and traced before."""
        return self.code(replace(variant, hazards=False, checks=False, trace=False))


@lru_cache(maxsize=64)
def code_book(program: Program) -> CodeBook:
    """Return the code of a program; cached, so later launches share it."""
    return CodeBook(program, opset().ops)


def is_halt(flat: Flat, pc: int) -> bool:
    """Tell whether an address is the end of the kernel."""
    return isinstance(flat.instrs[pc], Halt)
