# SPDX-License-Identifier: Apache-2.0
"""Differences and upper bounds of run-time integers while a kernel is traced: lengths of slices."""

from __future__ import annotations

from dataclasses import dataclass

from asclens_compiler.ascir.rewrite import IROp, Rewriter
from asclens_compiler.ascir.unit import Unit
from asclens_compiler.ascir.values import IRValue

_SAME_VALUE = frozenset({"arith.extsi", "arith.extui", "arith.trunci", "arith.bitcast"})
_LESS = frozenset({"slt", "sle", "ult", "ule"})
_GREATER = frozenset({"sgt", "sge", "ugt", "uge"})
MAX_DEPTH = 48


@dataclass(frozen=True, slots=True, eq=False)
class Linear:
    """`constant + sum(factor * value)`."""

    constant: int
    terms: dict[IRValue, int]

    def plus(self, other: Linear, factor: int = 1) -> Linear:
        """Return `self + factor * other`."""
        terms = dict(self.terms)
        for value, own in other.terms.items():
            terms[value] = terms.get(value, 0) + factor * own
        return Linear(self.constant + factor * other.constant, {value: own for value, own in terms.items() if own})

    def times(self, factor: int) -> Linear:
        """Return the product with a number."""
        return Linear(0, {}).plus(self, factor)


class LinearForms:
    """Read run-time integers of a unit as linear forms."""

    def __init__(self, unit: Unit) -> None:
        self._rewriter = Rewriter(unit)

    def of(self, value: IRValue | int, depth: int = 0) -> Linear:
        """Return the form of a value; a value that is no sum is its own form."""
        if isinstance(value, int):
            return Linear(value, {})
        literal = self._rewriter.literal(value)
        if isinstance(literal, int):
            return Linear(int(literal), {})
        op = self._rewriter.definition(value)
        if op is None or depth > MAX_DEPTH:
            return Linear(0, {value: 1})
        return self._of_op(op, value, depth + 1)

    def _of_op(self, op: IROp, value: IRValue, depth: int) -> Linear:
        operands = op.flat_operands
        if op.name in _SAME_VALUE:
            return self.of(operands[0], depth)
        if op.name in ("arith.addi", "arith.subi"):
            right = self.of(operands[1], depth)
            return self.of(operands[0], depth).plus(right, 1 if op.name == "arith.addi" else -1)
        if op.name == "arith.muli":
            left, right = self.of(operands[0], depth), self.of(operands[1], depth)
            if not left.terms:
                return right.times(left.constant)
            if not right.terms:
                return left.times(right.constant)
        return Linear(0, {value: 1})

    def bound(self, form: Linear) -> int | None:
        """Return a number that a form never exceeds, seen through minima; None when none is found."""
        if not form.terms:
            return form.constant
        best: int | None = None
        for value, factor in form.terms.items():
            for choice in self._minimum(value) if factor == 1 else ():
                rest = form.plus(Linear(0, {value: 1}), -1).plus(choice)
                if not rest.terms and (best is None or rest.constant < best):
                    best = rest.constant
        return best

    def _minimum(self, value: IRValue) -> list[Linear]:
        """Return the forms whose minimum a value is: `min` or `a if a < b else b`."""
        op = self._rewriter.definition(value)
        if op is None:
            return []
        if op.name in ("arith.minsi", "arith.minui"):
            return [self.of(item) for item in op.flat_operands]
        if op.name == "arith.select":
            condition, yes, no = op.flat_operands
            return self._chosen(condition, yes, no)
        if op.name == "scf.if" and len(op.results) == 1 and len(op.blocks) == 2:
            yes, no = (block.ops[-1].flat_operands[0] for block in op.blocks)
            return self._chosen(op.flat_operands[0], yes, no)
        return []

    def _chosen(self, condition: IRValue, yes: IRValue, no: IRValue) -> list[Linear]:
        test = self._rewriter.definition(condition)
        if test is None or test.name != "arith.cmpi":
            return []
        left, right = (self.of(item) for item in test.flat_operands)
        predicate = test.attrs.get("predicate")
        if predicate in _GREATER:
            left, right = right, left
        elif predicate not in _LESS:
            return []
        chosen = [self.of(yes), self.of(no)]
        same = all(not one.plus(two, -1).terms and one.constant == two.constant
                   for one, two in zip(chosen, (left, right), strict=True))  # fmt: skip
        return chosen if same else []
