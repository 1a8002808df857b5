# SPDX-License-Identifier: Apache-2.0
"""What a node (op, loop or branch) touches, as seen by its neighbours in a block."""

from __future__ import annotations

from dataclasses import dataclass

from asclens_compiler.analysis.accesses import Access, Accesses
from asclens_compiler.analysis.tensors import BaseKind
from asclens_compiler.ascir.program import Block, Branch, Loop, Node, Op, Program, While, walk
from asclens_compiler.hardware.pipes import Pipe


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """Accesses of a node and of everything inside; `end` is one more than the last index inside."""

    accesses: tuple[Access, ...]
    end: int


class Summaries:
    """Compute summaries of all nodes of a program once.

    Tensors of queues and buffers keep their own synchronisation and are left out.
    """

    def __init__(self, accesses: Accesses) -> None:
        self.accesses = accesses
        self._known: dict[int, Summary] = {}
        self._collect(accesses.program)

    def of(self, node: Node) -> Summary:
        """Return the summary of a node."""
        return self._known[node.index]

    def first_op(self, node: Node, pipe: Pipe) -> int | None:
        """Return the first op of a pipe in a node, by index."""
        found = [access.op.index for access in self.of(node).accesses if access.pipe is pipe]
        return min(found) if found else None

    def _collect(self, program: Program) -> None:
        for node in reversed(list(walk(program.body))):
            if isinstance(node, Op):
                kept = tuple(item for item in self.accesses.of(node) if item.base.kind is not BaseKind.OBJECT)
                self._known[node.index] = Summary(kept, node.index + 1)
                continue
            found: list[Access] = []
            end = node.index + 1
            for block in inner_blocks(node):
                for inner in block.nodes:
                    summary = self._known[inner.index]
                    found += summary.accesses
                    end = max(end, summary.end)
            self._known[node.index] = Summary(tuple(found), end)


def inner_blocks(node: Node) -> tuple[Block, ...]:
    """Return the blocks inside a node."""
    match node:
        case Loop():
            return (node.body,)
        case Branch():
            return (node.then, node.orelse)
        case While():
            return (node.before, node.body)
        case Op():
            return ()
