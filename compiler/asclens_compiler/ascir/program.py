# SPDX-License-Identifier: Apache-2.0
"""Decoded programs: what the simulator, analyses and emitters read instead of MLIR.

A program is a tree of frozen nodes. Scalars and tensor handles live in numbered registers (SSA:
each register has one defining node). Everything here is picklable plain data.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from asclens_compiler.ascir.types import AscType
from asclens_compiler.source.span import Span

AttrValue = bool | int | float | str | tuple["AttrValue", ...]


@dataclass(frozen=True, slots=True)
class Reg:
    """A register: `index` is unique in the program."""

    index: int


@dataclass(frozen=True, slots=True)
class Const:
    """A literal operand (`arith.constant` is folded into its uses)."""

    value: int | float | bool
    type: AscType


Operand = Reg | Const


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Op:
    """One operation.

    `name` is an opset op without the `ascir.` prefix (`add_l2`), or a scalar op with its dialect
    (`arith.addi`). `operands` follow the opset row's order; an absent optional operand is None,
    a variadic operand is a tuple in place. `attrs` follow the row too. `index` numbers
    the nodes of a program in source order. `calls` is the call-site chain, innermost call first.
    """

    index: int
    name: str
    operands: tuple[Operand | tuple[Operand, ...] | None, ...]
    results: tuple[Reg, ...]
    attrs: tuple[tuple[str, AttrValue], ...]
    span: Span
    calls: tuple[Span, ...] = ()

    def attr(self, name: str, default: AttrValue | None = None) -> AttrValue | None:
        """Return an attribute by name."""
        for key, value in self.attrs:
            if key == name:
                return value
        return default


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Loop:
    """`scf.for`: `induction` runs from `lower` to `upper` (exclusive) by `step`.

    `carried[i]` starts as `inits[i]`, becomes `yields[i]` after each trip and ends in `results[i]`.
    """

    index: int
    induction: Reg
    lower: Operand
    upper: Operand
    step: Operand
    carried: tuple[Reg, ...]
    inits: tuple[Operand, ...]
    body: Block
    yields: tuple[Operand, ...]
    results: tuple[Reg, ...]
    span: Span
    calls: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Branch:
    """`scf.if` with a one-bit `condition`."""

    index: int
    condition: Operand
    then: Block
    orelse: Block
    then_yields: tuple[Operand, ...]
    else_yields: tuple[Operand, ...]
    results: tuple[Reg, ...]
    span: Span
    calls: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class While:
    """`scf.while`: `before` computes `condition` from `carried`; `body` runs while it holds.

    `passed` are the operands of scf.condition, seen by `body` as `body_args` and, at the end, by
    `results`; `yields` become the next `carried`.
    """

    index: int
    carried: tuple[Reg, ...]
    inits: tuple[Operand, ...]
    before: Block
    condition: Operand
    passed: tuple[Operand, ...]
    body_args: tuple[Reg, ...]
    body: Block
    yields: tuple[Operand, ...]
    results: tuple[Reg, ...]
    span: Span
    calls: tuple[Span, ...] = ()


Node = Op | Loop | Branch | While


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """A straight list of nodes."""

    nodes: tuple[Node, ...] = ()


class CoreKind(Enum):
    """Say which cores a kernel runs on."""

    AIV = "AIV"
    AIC = "AIC"
    MIX = "MIX"


@dataclass(frozen=True, slots=True, kw_only=True)
class Param:
    """A kernel parameter: its register, its Python name, and its type.

    `shape` is given for staged GLOBAL tensors when known (elements).
    """

    reg: Reg
    name: str
    type: AscType
    span: Span
    shape: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Program:
    """A kernel after decoding.

    `reg_types[r]` is the type of register r; `names[r]` are the Python variable names that held
    register r (for messages and the debugger). `auto_sync` tells whether the toolchain's automatic
    synchronisation may be assumed (real pyasc's default). `staged` marks the staged surface.
    """

    kernel: str
    span: Span
    params: tuple[Param, ...]
    body: Block
    reg_types: tuple[AscType, ...]
    names: dict[int, tuple[str, ...]]
    core_kind: CoreKind
    auto_sync: bool = True
    staged: bool = False

    def walk(self) -> Iterator[Node]:
        """Yield every node, outer before inner, in source order."""
        yield from walk(self.body)


def walk(block: Block) -> Iterator[Node]:
    """Yield the nodes of a block and of the blocks inside, outer before inner."""
    for node in block.nodes:
        yield node
        match node:
            case Loop():
                yield from walk(node.body)
            case Branch():
                yield from walk(node.then)
                yield from walk(node.orelse)
            case While():
                yield from walk(node.before)
                yield from walk(node.body)
            case Op():
                pass
