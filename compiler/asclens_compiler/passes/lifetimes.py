# SPDX-License-Identifier: Apache-2.0
"""From which op to which op the automatically placed tensors of a program hold something needed."""

from __future__ import annotations

from dataclasses import dataclass

from asclens_compiler.analysis.accesses import Accesses
from asclens_compiler.analysis.tensors import BaseKind
from asclens_compiler.ascir.program import Node, Op, Reg
from asclens_compiler.ascir.types import LocalType


@dataclass(slots=True, eq=False)
class Life:
    """Uses of one automatic tensor: node `ident` declares `reg` of type `type`."""

    ident: int
    op: Op
    reg: Reg
    type: LocalType
    begin: int = -1
    end: int = -1

    @property
    def used(self) -> bool:
        """Tell whether any op touches the tensor."""
        return self.begin >= 0

    def cover(self, begin: int, end: int) -> None:
        """Extend the life."""
        self.begin = begin if self.begin < 0 else min(self.begin, begin)
        self.end = max(self.end, end)


def lives(accesses: Accesses) -> list[Life]:
    """Return the lives of all automatic tensors, in order of their declarations.

    A tensor that is declared outside a loop and used inside lives through the whole loop.
    """
    program = accesses.program
    found: dict[int, Life] = {}
    ends = _ends(accesses)
    for node in program.walk():
        if not isinstance(node, Op):
            continue
        if node.name == "local_tensor_auto":
            kind = program.reg_types[node.results[0].index]
            if isinstance(kind, LocalType):
                found[node.index] = Life(node.index, node, node.results[0], kind)
            continue
        for ident in _touched(accesses, node):
            life = found.get(ident)
            if life is not None:
                life.cover(*_span(accesses, life.op, node, ends))
    return list(found.values())


def _touched(accesses: Accesses, op: Op) -> set[int]:
    idents: set[int] = set()
    for operand in op.operands:
        for item in operand if isinstance(operand, tuple) else (operand,):
            view = accesses.views.of(item)
            if view is not None and view.base.kind is BaseKind.AUTO:
                idents.add(view.base.ident)
    return idents


def _span(accesses: Accesses, declared: Op, user: Op, ends: dict[int, int]) -> tuple[int, int]:
    around_declaration = {node.index for node in accesses.definitions.ancestors(declared)}
    for node in accesses.definitions.ancestors(user):
        if node.index not in around_declaration and not _is_branch(node):
            return node.index, ends[node.index]
    return user.index, user.index


def _is_branch(node: Node) -> bool:
    return hasattr(node, "then")


def _ends(accesses: Accesses) -> dict[int, int]:
    """Return the last index inside each loop and branch."""
    ends: dict[int, int] = {}
    for node in accesses.program.walk():
        for outer in accesses.definitions.ancestors(node):
            ends[outer.index] = max(ends.get(outer.index, outer.index), node.index)
        ends.setdefault(node.index, node.index)
    return ends
