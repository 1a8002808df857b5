# SPDX-License-Identifier: Apache-2.0
"""Pass `coalesce-tensors`: a copy between two tensors that are never needed at once makes them one.

Copies come from names that loops and branches rebind, and from functions in destination form. A
copy `d <- s` goes when `s` is not touched afterwards and `d` not between the first touch of `s` and
the copy; an op that first touches `s` may read `d` when it works element by element.
"""

from __future__ import annotations

from dataclasses import dataclass

from asclens_compiler.analysis.accesses import Accesses
from asclens_compiler.analysis.tensors import BaseKind, View
from asclens_compiler.ascir.program import Branch, Node, Op, Program
from asclens_compiler.ascir.rewrite import IROp, Rewriter
from asclens_compiler.passes.local_copies import is_copy
from asclens_compiler.passes.numbering import kernels_with_programs, ops_by_index

# Calls in count form whose element i depends on elements i only.
_ELEMENTWISE = frozenset(
    f"{name}_l2"
    for name in (
        "add", "sub", "mul", "div", "max", "min", "adds", "muls", "maxs", "mins", "relu", "abs", "exp", "ln", "sqrt",
        "rsqrt", "reciprocal", "and", "or", "not",
    )
)  # fmt: skip
MAX_ROUNDS = 64


@dataclass(frozen=True, slots=True, eq=False)
class _Merge:
    """Replace tensor `removed` by `kept` (nodes that declare them, maybe one) and erase the copy."""

    copy: Op
    kept: Op
    removed: Op


def coalesce_tensors(rewriter: Rewriter) -> None:
    """Remove the copies of all staged kernels that can go."""
    for _ in range(MAX_ROUNDS):
        merges = [
            (ops_by_index(rewriter, kernel, program), merge)
            for kernel, program in kernels_with_programs(rewriter)
            if program.staged
            for merge in _Search(program).merges()
        ]
        if not merges:
            return
        for ops, merge in merges:
            _apply(rewriter, ops, merge)


def _apply(rewriter: Rewriter, ops: dict[int, IROp], merge: _Merge) -> None:
    kept, removed = ops[merge.kept.index].results[0], ops[merge.removed.index].results[0]
    names = rewriter.names(removed)
    rewriter.erase(ops[merge.copy.index])
    if merge.kept is merge.removed:
        return
    rewriter.replace_uses(removed, kept)
    rewriter.erase(ops[merge.removed.index])
    for name in names:
        rewriter.builder.set_name(kept, name)


class _Search:
    """Find copies that can go, with tensors that no other of them touches."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._accesses = Accesses(program)
        self._declared: dict[int, Op] = {}
        self._touches: dict[int, list[Op]] = {}
        self._collect()

    def merges(self) -> list[_Merge]:
        """Return independent merges; a later round finds those that depend on them."""
        found: list[_Merge] = []
        busy: set[int] = set()
        for node in self._program.walk():
            if not isinstance(node, Op) or not is_copy(node):
                continue
            merge = self._merge(node)
            if merge is not None and not busy & {merge.kept.index, merge.removed.index}:
                busy |= {merge.kept.index, merge.removed.index}
                found.append(merge)
        return found

    def _collect(self) -> None:
        for node in self._program.walk():
            if not isinstance(node, Op):
                continue
            if node.name == "local_tensor_auto":
                self._declared[node.index] = node
            for ident in {item.base.ident for item in self._accesses.of(node) if item.base.kind is BaseKind.AUTO}:
                self._touches.setdefault(ident, []).append(node)

    def _merge(self, copy: Op) -> _Merge | None:
        target, source = (self._whole(copy, position) for position in (0, 1))
        if target is None or source is None:
            return None
        if target is source:
            return _Merge(copy, target, source)
        types = [self._program.reg_types[item.results[0].index] for item in (target, source)]
        if types[0] != types[1] or self._loops(source) != self._loops(copy):
            return None
        if self._touches[source.index][-1].index > copy.index or not self._unused_between(target, source, copy):
            return None
        kept, removed = (target, source) if target.index < source.index else (source, target)
        return _Merge(copy, kept, removed) if self._reaches(kept, removed) else None

    def _whole(self, copy: Op, position: int) -> Op | None:
        """Return the declaration of the automatic tensor that an operand shows from its start."""
        view: View | None = self._accesses.views.of(copy.operands[position])
        if view is None or view.base.kind is not BaseKind.AUTO or view.offset is None:
            return None
        if not view.offset.is_constant or view.offset.constant:
            return None
        return self._declared.get(view.base.ident)

    def _unused_between(self, target: Op, source: Op, copy: Op) -> bool:
        """Tell whether the target is left alone from the first touch of the source, on any path, to the copy."""
        touches = self._touches[source.index]
        for op in self._touches.get(target.index, ()):
            if not touches[0].index <= op.index < copy.index:
                continue
            before = [item for item in touches if item.index < op.index and not self._exclusive(item, op)]
            makes_it = op in touches and op.name in _ELEMENTWISE and self._loops(op) == self._loops(copy)
            if before or not makes_it:
                return False
        return True

    def _exclusive(self, one: Op, two: Op) -> bool:
        """Tell whether two ops stand in different arms of a branch."""
        definitions = self._accesses.definitions
        around = definitions.ancestors(two)
        for node in definitions.ancestors(one):
            if isinstance(node, Branch) and node in around and node.orelse.nodes:
                edge = node.orelse.nodes[0].index
                if (one.index < edge) != (two.index < edge):
                    return True
        return False

    def _loops(self, node: Node) -> tuple[int, ...]:
        around = self._accesses.definitions.ancestors(node)
        return tuple(item.index for item in around if not isinstance(item, Branch))

    def _reaches(self, kept: Op, removed: Op) -> bool:
        """Tell whether the block of the declaration that stays encloses all uses of the other."""
        around = [item.index for item in self._accesses.definitions.ancestors(kept)]
        return all(
            [item.index for item in self._accesses.definitions.ancestors(op)][: len(around)] == around
            and op.index > kept.index
            for op in self._touches.get(removed.index, ())
        )
