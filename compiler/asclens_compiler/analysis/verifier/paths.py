# SPDX-License-Identifier: Apache-2.0
"""Which way a walk takes where the values do not say: consistent choices, and all paths in turn."""

from __future__ import annotations

from collections import deque

from asclens_compiler.analysis.affine import Affine
from asclens_compiler.analysis.verifier.numbers import Num, Predicate

Terms = tuple[tuple[int, int], ...]


class Choices:
    """Make the choices of one walk; the first ones are given, the rest take their first option.

    `open` lists, per further choice, the options not taken.
    """

    def __init__(self, given: tuple[int, ...]) -> None:
        self.taken: list[int] = []
        self.open: list[tuple[int, tuple[int, ...]]] = []
        self._given = given
        self._decided: dict[object, bool] = {}
        self._bounds: dict[Terms, tuple[int | None, int | None]] = {}

    def choose(self, options: tuple[int, ...]) -> int:
        """Return one of the options, the first unless this path was asked to differ."""
        place = len(self.taken)
        option = self._given[place] if place < len(self._given) else options[0]
        if place >= len(self._given) and len(options) > 1:
            self.open.append((place, options[1:]))
        self.taken.append(option)
        return option

    def holds(self, condition: object) -> bool:
        """Tell whether a condition holds on this path; equal conditions get equal answers."""
        if isinstance(condition, int):
            return bool(condition)
        if isinstance(condition, Predicate):
            return self._holds(condition)
        return bool(self.choose((1, 0)))

    def _holds(self, condition: Predicate) -> bool:
        if condition.kind == "not":
            return not self.holds(condition.left)
        if condition.kind == "and":
            return self.holds(condition.left) and self.holds(condition.right)
        if condition.kind == "or":
            return self.holds(condition.left) or self.holds(condition.right)
        known = self._decided.get(condition)
        if known is None:
            known = self._implied(condition)
            if known is None:
                known = bool(self.choose((1, 0)))
                self._learn(condition, known)
            self._decided[condition] = known
        return known

    def value(self, number: Num) -> Num:
        """Return the integer that the choices so far force a number to be, else the number."""
        if isinstance(number, int):
            return number
        low, high = self.range_of(number)
        return low if low is not None and low == high else number

    def range_of(self, number: Num) -> tuple[int | None, int | None]:
        """Return what is known about the least and the greatest value of a number."""
        if isinstance(number, int):
            return number, number
        terms, sign = _normal(number.terms)
        low, high = self._bounds.get(terms, (None, None))
        if sign < 0:
            low, high = (None if high is None else -high), (None if low is None else -low)
        shift = number.constant
        return (None if low is None else low + shift), (None if high is None else high + shift)

    def limit(self, number: Num, least: int | None, most: int | None) -> None:
        """Remember that a number lies in `least..most`."""
        if isinstance(number, int):
            return
        terms, sign = _normal(number.terms)
        least = None if least is None else least - number.constant
        most = None if most is None else most - number.constant
        if sign < 0:
            least, most = (None if most is None else -most), (None if least is None else -least)
        low, high = self._bounds.get(terms, (None, None))
        if least is not None:
            low = least if low is None else max(low, least)
        if most is not None:
            high = most if high is None else min(high, most)
        self._bounds[terms] = (low, high)

    def _implied(self, condition: Predicate) -> bool | None:
        if not isinstance(condition.left, int | Affine):
            return None
        low, high = self.range_of(condition.left)
        if condition.kind == "less":
            if high is not None and high < 0:
                return True
            return False if low is not None and low >= 0 else None
        if condition.kind == "zero":
            if low == high == 0:
                return True
            return False if (low is not None and low > 0) or (high is not None and high < 0) else None
        return None

    def _learn(self, condition: Predicate, holds: bool) -> None:
        if not isinstance(condition.left, int | Affine):
            return
        if condition.kind == "less":
            self.limit(condition.left, None if holds else 0, -1 if holds else None)
        elif condition.kind == "zero" and holds:
            self.limit(condition.left, 0, 0)


def _normal(terms: Terms) -> tuple[Terms, int]:
    """Return terms whose first factor is positive, and the sign taken out."""
    if terms[0][1] > 0:
        return terms, 1
    return tuple((atom, -factor) for atom, factor in terms), -1


class Paths:
    """Go through the paths of a program, those that differ early from the first path first."""

    def __init__(self, limit: int) -> None:
        self.complete = True
        self._queue: deque[tuple[int, ...]] = deque([()])
        self._left = limit

    def next(self) -> Choices | None:
        """Return the choices of the next path, None when there is none or enough were walked."""
        if not self._queue:
            return None
        if self._left == 0:
            self.complete = False
            return None
        self._left -= 1
        return Choices(self._queue.popleft())

    def done(self, choices: Choices) -> None:
        """Note the other options of a walked path."""
        for place, options in choices.open:
            for option in options:
                self._queue.append((*choices.taken[:place], option))
