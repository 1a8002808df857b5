# SPDX-License-Identifier: Apache-2.0
"""Walk one path of a program, with numbers where they are known."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import lcm

from asclens_compiler.analysis.affine import Affine
from asclens_compiler.analysis.verifier.core import Core, Setup
from asclens_compiler.analysis.verifier.handles import HANDLERS
from asclens_compiler.analysis.verifier.numbers import (
    Atoms,
    Num,
    Predicate,
    add,
    arithmetic,
    scale,
    subtract,
)
from asclens_compiler.analysis.verifier.objects import GlobalHandle, Tensor
from asclens_compiler.analysis.verifier.operands import WalkValues
from asclens_compiler.analysis.verifier.paths import Choices
from asclens_compiler.ascir.program import Block, Branch, Const, Loop, Op, Operand, Program, Reg, While, walk
from asclens_compiler.ascir.types import AscType, GlobalType, HandleType, LocalType, PointerType, ScalarType
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Memory
from asclens_compiler.opset.model import OpRow
from asclens_compiler.opset.registry import opset

# One value in a whole launch of a core.
_FIXED = frozenset(
    {
        "get_block_idx", "get_block_num", "get_sub_block_idx", "get_sub_block_num", "get_task_ratio",
        "get_data_block_size_in_bytes", "ascend_is_aic", "ascend_is_aiv", "get_arch_version", "get_sys_workspace_ptr",
    }
)  # fmt: skip
_COUNTS = frozenset({"get_block_idx", "get_sub_block_idx"})
_CHECKED = frozenset({"set_flag", "wait_flag", "pipe_barrier"})
_CYCLES = frozenset({"arith.remsi", "arith.remui", "arith.andi"})
# What `sizeof` of an element type that only the launch knows gives.
_ELEMENT_SIZE = ("unknown_scalar", 0)
_TRIPS = (2, 3, 1, 0)
MAX_STEPS = 2500
LOOP_STEPS = 400
SHORT_TRIPS = 5
WHILE_TRIPS = 2


class OutOfStepsError(Exception):
    """Tell that a walk took too long; what it found so far counts."""


class ProgramFacts:
    """What all walks of a program share."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.rows: dict[str, OpRow] = opset().ops
        self.atoms = Atoms()
        self._sizes: dict[int, int] = {}

    def size(self, loop: Loop) -> int:
        """Return how many nodes a loop's body has."""
        found = self._sizes.get(loop.index)
        if found is None:
            found = self._sizes[loop.index] = sum(1 for _ in walk(loop.body))
        return found

    @cached_property
    def period(self) -> int:
        """Return after how many trips values derived from a loop's counter repeat, as far as constants tell."""
        period = 1
        for loop in self.program.walk():
            if not isinstance(loop, Loop):
                continue
            for node in walk(loop.body):
                if isinstance(node, Op) and node.name in _CYCLES:
                    period = lcm(period, *_moduli(node))
        return period


def _moduli(op: Op) -> list[int]:
    extra = 1 if op.name == "arith.andi" else 0
    values = [operand.value for operand in op.operands if isinstance(operand, Const)]
    return [value + extra for value in values if isinstance(value, int) and 1 <= value <= 64]


class Walk:
    """Execute the ops of one path; `exact` tells that no trip of a loop was left out."""

    def __init__(self, facts: ProgramFacts, setup: Setup, choices: Choices) -> None:
        self.core = Core(setup)
        self.exact = True
        self.choices = choices
        self._facts = facts
        self._program = facts.program
        self._atoms = facts.atoms
        self._env: list[object] = [None] * len(facts.program.reg_types)
        self._steps = 0
        self._visits = 0

    def run(self) -> None:
        """Walk the whole kernel and check its end."""
        for param in self._program.params:
            self._env[param.reg.index] = self._parameter(param.reg.index, param.type)
        try:
            self._block(self._program.body)
        except OutOfStepsError:
            self.core.setup.usage.blind = True
            return
        if not self.exact or self.core.hazards.is_blind():
            self.core.setup.usage.blind = True
        self.core.flags.end(exact=self.exact)
        self.core.queues.end(exact=self.exact)

    def _parameter(self, register: int, kind: AscType) -> object:
        if isinstance(kind, PointerType | GlobalType):
            tensor = Tensor(("parameter", register), Memory.GM, 0, None, kind.dtype)
            if isinstance(kind, PointerType):
                return tensor
            handle = GlobalHandle(kind.dtype)
            handle.view = tensor
            return handle
        return self._unknown(kind, ("parameter", register))

    # -- what handlers need -------------------------------------------------------------------------
    def result_type(self, op: Op) -> AscType:
        """Return the type of an op's result."""
        return self._program.reg_types[op.results[0].index] if op.results else HandleType("")

    def name_of(self, op: Op) -> str:
        """Return the Python name of an op's result."""
        names = self._program.names.get(op.results[0].index, ()) if op.results else ()
        return f"`{names[0]}`" if names else ""

    def bytes_of(self, count: Num, dtype: DType) -> Num | None:
        """Return the bytes of `count` elements; an unknown element type has one unknown size."""
        if dtype is not DType.UNKNOWN:
            return scale(count, dtype.size_bytes) if dtype.bits % 8 == 0 else None
        found = arithmetic("muli", (count, self._atoms.of(_ELEMENT_SIZE)), "", self._atoms)
        return found if isinstance(found, int | Affine) else None

    def put(self, register: int, value: object) -> None:
        """Give a register a value."""
        self._env[register] = value

    # -- operands -----------------------------------------------------------------------------------
    def _value(self, operand: Operand | tuple[Operand, ...] | None) -> object:
        if isinstance(operand, Reg):
            return self._env[operand.index]
        if isinstance(operand, Const):
            value = operand.value
            return int(value) if isinstance(value, bool) else value
        if isinstance(operand, tuple):
            return tuple(self._value(item) for item in operand)
        return None

    def _number(self, operand: Operand) -> Num | None:
        value = self._value(operand)
        return self.choices.value(value) if isinstance(value, int | Affine) else None

    # -- control ------------------------------------------------------------------------------------
    def _block(self, block: Block) -> None:
        for node in block.nodes:
            if isinstance(node, Op):
                self._op(node)
            elif isinstance(node, Loop):
                self._loop(node)
            elif isinstance(node, Branch):
                self._branch(node)
            else:
                self._while(node)

    def _assign(self, registers: tuple[Reg, ...], values: list[object]) -> None:
        for register, value in zip(registers, values, strict=True):
            self._env[register.index] = value

    def _branch(self, node: Branch) -> None:
        taken = self.choices.holds(self._value(node.condition))
        self._block(node.then if taken else node.orelse)
        yields = node.then_yields if taken else node.else_yields
        self._assign(node.results, [self._value(item) for item in yields])

    def _loop(self, node: Loop) -> None:
        lower, upper, step = (self._number(item) for item in (node.lower, node.upper, node.step))
        carried = [self._value(item) for item in node.inits]
        trips, whole = self._trips(node, lower, upper, step)
        contents = self.core.contents
        begin, expected = len(contents.writes), 0
        for trip in trips:
            if trip != expected:
                contents.forget_since(begin)
            expected = trip + 1
            counter: Num | None = None
            if lower is not None and isinstance(step, int):
                counter = add(lower, scale(trip, step))
            self._env[node.induction.index] = counter if counter is not None else self._fresh(node.induction.index)
            self._assign(node.carried, carried)
            self._block(node.body)
            carried = [self._value(item) for item in node.yields]
        if not whole:
            contents.forget_since(begin)
        self._assign(node.results, carried)

    def _trips(self, node: Loop, lower: Num | None, upper: Num | None, step: Num | None) -> tuple[Sequence[int], bool]:
        """Return the trips to walk, and whether these are all; some in the middle of a long loop are left out."""
        if lower is None or upper is None or not isinstance(step, int) or step <= 0:
            self.exact = False
            return range(self.choices.choose(_TRIPS)), False
        extent = subtract(upper, lower)
        if not isinstance(extent, int):
            extent = self.choices.value(extent)
        if not isinstance(extent, int):
            return range(self._chosen_trips(extent, step)), False
        count = max(0, -(-extent // step))
        if count <= SHORT_TRIPS:
            return range(count), True
        most = max(SHORT_TRIPS, LOOP_STEPS // (self._facts.size(node) + 1))
        kept = 4 + (count - 4) % self._facts.period
        if kept <= most and not node.carried:
            return (*range(kept - 2), count - 2, count - 1), kept == count
        if count <= most:
            return range(count), True
        self.exact = False
        return range(4), False

    def _chosen_trips(self, extent: Num, step: int) -> int:
        """Choose a number of trips and remember what it says about the bounds."""
        low, high = self.choices.range_of(extent)
        options = tuple(
            count
            for count in _TRIPS
            if (high is None or (count - 1) * step < high or (count == 0 and high <= 0))
            and (low is None or count * step >= low)
        )
        count = self.choices.choose(options or (2,))
        self.choices.limit(extent, (count - 1) * step + 1 if count else None, count * step)
        return count

    def _while(self, node: While) -> None:
        carried = [self._value(item) for item in node.inits]
        passed: list[object] = []
        for trip in range(WHILE_TRIPS + 1):
            self._assign(node.carried, carried)
            self._block(node.before)
            passed = [self._value(item) for item in node.passed]
            if trip == WHILE_TRIPS:
                self.exact = False
                break
            if not self.choices.holds(self._value(node.condition)):
                break
            self._assign(node.body_args, passed)
            self._block(node.body)
            carried = [self._value(item) for item in node.yields]
        self._assign(node.results, passed)

    # -- ops ----------------------------------------------------------------------------------------
    def _op(self, op: Op) -> None:
        self._steps += 1
        if self._steps > MAX_STEPS:
            raise OutOfStepsError
        items = tuple(self._value(item) for item in op.operands)
        name = op.name
        if name.startswith("arith."):
            predicate = op.attr("predicate")
            value = arithmetic(name[6:], items, str(predicate), self._atoms) if op.results else None
            self._finish(op, value)
            return
        handler = HANDLERS.get(name)
        if handler is not None:
            if name in _CHECKED:
                self._check_only(op, items)
            self._finish(op, handler(self, op, items))
            return
        row = self._facts.rows.get(name)
        if row is not None:
            if any(isinstance(item, GlobalHandle) for item in items):
                items = tuple(item.view if isinstance(item, GlobalHandle) else item for item in items)
            self.core.instruction(op, row, items)
        self._finish(op, None)

    def _check_only(self, op: Op, items: tuple[object, ...]) -> None:
        row = self._facts.rows[op.name]
        self.core.setup.limits.instruction(op, row, WalkValues(op, row, items))

    def _finish(self, op: Op, value: object) -> None:
        if not op.results:
            return
        if len(op.results) == 1 and value is not None:
            self._env[op.results[0].index] = value
            return
        for place, register in enumerate(op.results):
            key: object = (op.name, place)
            if op.name not in _FIXED and op.attr("what") != "sizeof":
                self._visits += 1
                key = (register.index, self._visits)
            kind = self._program.reg_types[register.index]
            found = self._unknown(kind, key)
            if op.name in _COUNTS and isinstance(found, Affine):
                self.choices.limit(found, 0, None)
            self._env[register.index] = found

    def _fresh(self, register: int) -> object:
        self._visits += 1
        return self._unknown(self._program.reg_types[register], (register, self._visits))

    def _unknown(self, kind: AscType, key: object) -> object:
        """Return a value about which nothing is known, equal to others of the same key."""
        if isinstance(kind, ScalarType):
            if kind.dtype is DType.INT1:
                return Predicate("atom", self._atoms.of(key))
            return self._atoms.of(key) if not kind.dtype.is_float else None
        if isinstance(kind, LocalType):
            return Tensor(("any", key), kind.position.memory, None, None, kind.dtype, aligned=False)
        if isinstance(kind, GlobalType | PointerType):
            return Tensor(("any", key), Memory.GM, None, None, kind.dtype, aligned=False)
        return None
