# SPDX-License-Identifier: Apache-2.0
"""Where registers are defined and which blocks enclose a node of a decoded program."""

from __future__ import annotations

from asclens_compiler.ascir.program import Block, Branch, Loop, Node, Op, Program, While


class Definitions:
    """Index a program: register -> defining node, node -> enclosing nodes."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._node: dict[int, Node] = {}
        self._induction: dict[int, Loop] = {}
        self._region_args: dict[int, Node] = {}
        self._parents: dict[int, Node | None] = {}
        self._collect(program.body, None)

    def definition(self, register: int) -> Node | None:
        """Return the node whose result a register is; None for parameters and block arguments."""
        return self._node.get(register)

    def induction(self, register: int) -> Loop | None:
        """Return the loop whose induction variable a register is."""
        return self._induction.get(register)

    def is_region_argument(self, register: int) -> bool:
        """Tell whether a register is carried by a loop (its value changes from trip to trip)."""
        return register in self._region_args

    def parent(self, node: Node) -> Node | None:
        """Return the loop or branch around a node, None at the top."""
        return self._parents[node.index]

    def ancestors(self, node: Node) -> tuple[Node, ...]:
        """Return the loops and branches around a node, outermost first."""
        chain: list[Node] = []
        current = self._parents[node.index]
        while current is not None:
            chain.append(current)
            current = self._parents[current.index]
        return tuple(reversed(chain))

    def varies_in(self, register: int, node: Node) -> bool:
        """Tell whether a register may change while `node` (a loop or branch) runs."""
        owner = self._node.get(register) or self._induction.get(register) or self._region_args.get(register)
        if owner is None:
            return False
        if owner is node:
            return register not in {reg.index for reg in node.results}
        return node in self.ancestors(owner)

    def _collect(self, block: Block, parent: Node | None) -> None:
        for node in block.nodes:
            self._parents[node.index] = parent
            for reg in node.results:
                self._node[reg.index] = node
            match node:
                case Loop():
                    self._induction[node.induction.index] = node
                    self._region_args.update((reg.index, node) for reg in node.carried)
                    self._collect(node.body, node)
                case Branch():
                    self._collect(node.then, node)
                    self._collect(node.orelse, node)
                case While():
                    self._region_args.update((reg.index, node) for reg in (*node.carried, *node.body_args))
                    self._collect(node.before, node)
                    self._collect(node.body, node)
                case Op():
                    pass
