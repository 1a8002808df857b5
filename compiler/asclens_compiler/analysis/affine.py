# SPDX-License-Identifier: Apache-2.0
"""Integer registers as affine forms: what offsets, lengths and loop bounds have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from asclens_compiler.analysis.definitions import Definitions
from asclens_compiler.ascir.program import Const, Loop, Op, Operand, Reg

# Casts that keep the value of an index in range.
_SAME_VALUE = frozenset(
    {"arith.extsi", "arith.extui", "arith.trunci", "arith.index_cast", "arith.index_castui", "arith.bitcast"}
)
_MINIMA = frozenset({"arith.minsi", "arith.minui"})
MAX_DEPTH = 64


@dataclass(frozen=True, slots=True)
class Affine:
    """`constant + sum(factor * register)`; `terms` are sorted by register and have no zero factor."""

    constant: int = 0
    terms: tuple[tuple[int, int], ...] = ()

    @property
    def is_constant(self) -> bool:
        """Tell whether no register takes part."""
        return not self.terms

    def plus(self, other: Affine) -> Affine:
        """Return the sum."""
        if not other.terms:
            return Affine(self.constant + other.constant, self.terms)
        factors = dict(self.terms)
        for register, factor in other.terms:
            factors[register] = factors.get(register, 0) + factor
        return Affine(self.constant + other.constant, _sorted(factors))

    def times(self, factor: int) -> Affine:
        """Return the product with a number."""
        if factor == 0:
            return Affine()
        return Affine(self.constant * factor, tuple((register, old * factor) for register, old in self.terms))

    def minus(self, other: Affine) -> Affine:
        """Return the difference."""
        return self.plus(other.times(-1))


def _sorted(factors: dict[int, int]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted((register, factor) for register, factor in factors.items() if factor))


class AffineForms:
    """Compute and remember the affine forms of the integer registers of one program."""

    def __init__(self, definitions: Definitions) -> None:
        self.definitions = definitions
        self._known: dict[int, Affine] = {}

    def of(self, operand: Operand | None) -> Affine | None:
        """Return the form of an operand; None when there is none or it is no integer."""
        if operand is None:
            return None
        return self._of(operand, 0)

    def constant(self, operand: Operand | tuple[Operand, ...] | None) -> int | None:
        """Return the number an operand always has, None when that is not known."""
        if operand is None or isinstance(operand, tuple):
            return None
        form = self.of(operand)
        return form.constant if form is not None and form.is_constant else None

    def upper_bound(self, operand: Operand) -> int | None:
        """Return a number the operand never exceeds, seen through `min`; None when none is found."""
        form = self.of(operand)
        if form is None:
            return None
        return self._bound(form)

    def _bound(self, form: Affine) -> int | None:
        if form.is_constant:
            return form.constant
        best: int | None = None
        for register, factor in form.terms:
            if factor < 0:
                continue
            for choice in self._choices(register):
                rest = form.plus(choice.minus(Affine(0, ((register, 1),))).times(factor))
                bound = self._bound(rest) if rest.terms != form.terms else None
                if bound is not None and (best is None or bound < best):
                    best = bound
        if best is not None:
            return best
        return self._range_bound(form)

    def _choices(self, register: int) -> list[Affine]:
        node = self.definitions.definition(register)
        if not isinstance(node, Op) or node.name not in _MINIMA:
            return []
        forms = [self.of(item) for item in node.operands if not isinstance(item, tuple)]
        return [form for form in forms if form is not None]

    def _range_bound(self, form: Affine) -> int | None:
        total = form.constant
        for register, factor in form.terms:
            bounds = self.induction_range(register)
            if bounds is None:
                return None
            total += factor * (bounds[1] if factor > 0 else bounds[0])
        return total

    def induction_range(self, register: int) -> tuple[int, int] | None:
        """Return the first and last value of an induction variable with constant bounds."""
        loop = self.definitions.induction(register)
        if loop is None:
            return None
        trips = self.trip_count(loop)
        lower, step = self.constant(loop.lower), self.constant(loop.step)
        if not trips or lower is None or step is None:
            return None
        return lower, lower + (trips - 1) * step

    def trip_count(self, loop: Loop) -> int | None:
        """Return how often a loop runs, None when only the launch knows."""
        lower, upper, step = (self.constant(item) for item in (loop.lower, loop.upper, loop.step))
        if lower is None or upper is None or not step or step < 0:
            return None
        return max(0, -(-(upper - lower) // step))

    def _of(self, operand: Operand, depth: int) -> Affine | None:
        if isinstance(operand, Const):
            return Affine(int(operand.value)) if isinstance(operand.value, int) else None
        known = self._known.get(operand.index)
        if known is None:
            known = self._compute(operand, depth) or Affine(0, ((operand.index, 1),))
            self._known[operand.index] = known
        return known

    def _compute(self, reg: Reg, depth: int) -> Affine | None:
        node = self.definitions.definition(reg.index)
        if not isinstance(node, Op) or depth > MAX_DEPTH:
            return None
        if node.name in _SAME_VALUE and isinstance(node.operands[0], Reg | Const):
            return self._of(node.operands[0], depth + 1)
        rule = _RULES.get(node.name)
        if rule is None:
            return None
        left, right = (self._of(item, depth + 1) for item in node.operands if isinstance(item, Reg | Const))
        return rule(left, right) if left is not None and right is not None else None


def _product(left: Affine, right: Affine) -> Affine | None:
    if left.is_constant:
        return right.times(left.constant)
    return left.times(right.constant) if right.is_constant else None


_RULES: dict[str, Callable[[Affine, Affine], Affine | None]] = {
    "arith.addi": Affine.plus,
    "arith.subi": Affine.minus,
    "arith.muli": _product,
}
