# SPDX-License-Identifier: Apache-2.0
"""Lower the tree of a program to a list of instructions addressed by a program counter."""

from __future__ import annotations

from dataclasses import dataclass, replace

from asclens_compiler.ascir.program import Block, Branch, Loop, Node, Op, Operand, Program, Reg, While
from asclens_compiler.source.span import Span

Operands = tuple[Operand, ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Instr:
    """One step of the machine; `scope` names the blocks around it, outermost first.

    `quiet` steps belong to no statement of their own: nobody stops there.
    """

    span: Span
    calls: tuple[Span, ...]
    scope: tuple[int, ...]
    quiet: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Do(Instr):
    """Execute an operation. `part` > 0 is the flag half of a queue call, with `key` as its register."""

    op: Op
    part: int = 0
    key: Reg | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Move(Instr):
    """Copy all sources, then go on; `inner` is the scope that sees the targets."""

    inner: tuple[int, ...]
    targets: tuple[Reg, ...]
    sources: Operands


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Jump(Instr):
    """Go to `target`."""

    target: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Unless(Instr):
    """Go to `target` unless the condition holds."""

    condition: Operand
    target: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LoopTest(Instr):
    """Enter the loop that starts behind, or go to `target` when it has no trip."""

    induction: Reg
    upper: Operand
    target: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LoopNext(Instr):
    """End a trip: hand over the carried values, advance, and go to `body` for the next trip."""

    induction: Reg
    step: Operand
    upper: Operand
    carried: tuple[Reg, ...]
    yields: Operands
    body: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Halt(Instr):
    """End of the kernel."""


# Queue calls that wait for or set a flag after they changed the queue's state.
QUEUE_FLAGS = {
    "que_bind_alloc_tensor": "wait-free",
    "que_bind_alloc_tensor_in_place": "wait-free",
    "que_bind_enque_tensor": "set-full",
    "que_bind_enque_tensor_pos": "set-full",
    "que_bind_deque_tensor": "wait-full",
    "que_bind_deque_tensor_in_place": "wait-full",
    "que_bind_deque_tensor_pos": "wait-full",
    "que_bind_free_tensor": "set-free",
}


@dataclass(frozen=True, slots=True, eq=False)
class Flat:
    """A flattened program; compared by identity. `n_regs` counts hidden registers too."""

    program: Program
    instrs: tuple[Instr, ...]
    n_regs: int

    @property
    def leaders(self) -> frozenset[int]:
        """Return the addresses where a straight-line run starts."""
        found = {0}
        for pc, instr in enumerate(self.instrs):
            match instr:
                case Jump() | Unless() | LoopTest():
                    found |= {instr.target, pc + 1}
                case LoopNext():
                    found |= {instr.body, pc + 1}
                case _:
                    pass
        return frozenset(found)


class _Flattener:
    def __init__(self, program: Program) -> None:
        self.out: list[Instr] = []
        self.n_regs = len(program.reg_types)
        self.n_scopes = 0

    def hidden(self) -> Reg:
        self.n_regs += 1
        return Reg(self.n_regs - 1)

    def inner(self, scope: tuple[int, ...]) -> tuple[int, ...]:
        self.n_scopes += 1
        return (*scope, self.n_scopes)

    def block(self, block: Block, scope: tuple[int, ...]) -> None:
        for node in block.nodes:
            self.node(node, scope)

    def node(self, node: Node, scope: tuple[int, ...]) -> None:
        match node:
            case Op():
                self.op(node, scope)
            case Loop():
                self.loop(node, scope)
            case Branch():
                self.branch(node, scope)
            case While():
                self.while_(node, scope)

    def op(self, op: Op, scope: tuple[int, ...]) -> None:
        if op.name not in QUEUE_FLAGS:
            self.out.append(Do(span=op.span, calls=op.calls, scope=scope, op=op))
            return
        key = self.hidden()
        self.out.append(Do(span=op.span, calls=op.calls, scope=scope, op=op, key=key))
        self.out.append(Do(span=op.span, calls=op.calls, scope=scope, op=op, part=1, key=key))

    def move(
        self, node: Node, scope: tuple[int, ...], targets: tuple[Reg, ...], sources: Operands, *,
        inner: tuple[int, ...] | None = None, quiet: bool = True,
    ) -> None:  # fmt: skip
        if targets:
            self.out.append(
                Move(span=node.span, calls=node.calls, scope=scope, quiet=quiet, targets=targets, sources=sources,
                     inner=scope if inner is None else inner)
            )  # fmt: skip

    def loop(self, node: Loop, scope: tuple[int, ...]) -> None:
        inside, span, calls = self.inner(scope), node.span, node.calls
        targets, sources = (node.induction, *node.carried), (node.lower, *node.inits)
        self.move(node, scope, targets, sources, inner=inside, quiet=False)
        test = len(self.out)
        self.out.append(
            LoopTest(span=span, calls=calls, scope=inside, induction=node.induction, upper=node.upper, target=-1)
        )
        self.block(node.body, inside)
        self.out.append(
            LoopNext(
                span=span, calls=calls, scope=inside, induction=node.induction, step=node.step, upper=node.upper,
                carried=node.carried, yields=node.yields, body=test + 1,
            )
        )  # fmt: skip
        self.patch(test)
        self.move(node, scope, node.results, node.carried)

    def branch(self, node: Branch, scope: tuple[int, ...]) -> None:
        span, calls = node.span, node.calls
        test = len(self.out)
        self.out.append(Unless(span=span, calls=calls, scope=scope, condition=node.condition, target=-1))
        inside = self.inner(scope)
        self.block(node.then, inside)
        self.move(node, inside, node.results, node.then_yields, inner=scope)
        if not node.orelse.nodes and not node.results:
            self.patch(test)
            return
        skip = len(self.out)
        self.out.append(Jump(span=span, calls=calls, scope=inside, target=-1, quiet=True))
        self.patch(test)
        inside = self.inner(scope)
        self.block(node.orelse, inside)
        self.move(node, inside, node.results, node.else_yields, inner=scope)
        self.patch(skip)

    def while_(self, node: While, scope: tuple[int, ...]) -> None:
        span, calls = node.span, node.calls
        inside = self.inner(scope)
        self.move(node, scope, node.carried, node.inits, inner=inside)
        head = len(self.out)
        self.block(node.before, inside)
        test = len(self.out)
        self.out.append(Unless(span=span, calls=calls, scope=inside, condition=node.condition, target=-1))
        self.move(node, inside, node.body_args, node.passed)
        body = self.inner(inside)
        self.block(node.body, body)
        self.move(node, body, node.carried, node.yields)
        self.out.append(Jump(span=span, calls=calls, scope=body, target=head, quiet=True))
        self.patch(test)
        self.move(node, scope, node.results, node.passed)

    def patch(self, at: int) -> None:
        instr = self.out[at]
        if isinstance(instr, Unless | Jump | LoopTest):
            self.out[at] = replace(instr, target=len(self.out))


def flatten(program: Program) -> Flat:
    """Return the flat form of a program; it ends with `Halt`."""
    work = _Flattener(program)
    work.block(program.body, ())
    work.out.append(Halt(span=program.span, calls=(), scope=()))
    return Flat(program, tuple(work.out), work.n_regs)
