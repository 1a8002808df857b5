# SPDX-License-Identifier: Apache-2.0
"""Sets of integers that a difference of offsets can take: arithmetic progressions and their sums."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spread:
    """The numbers `low, low + step, ... high`; a bound is None when there is none.

    `step` 0 means that only the bounds are known: some numbers between them may be missing.
    """

    low: int | None
    high: int | None
    step: int = 1

    def plus(self, other: Spread) -> Spread:
        """Return the sums of one number of each."""
        low = None if self.low is None or other.low is None else self.low + other.low
        high = None if self.high is None or other.high is None else self.high + other.high
        return Spread(low, high, _joint_step(self, other))

    def holds_between(self, least: int, most: int) -> bool | None:
        """Tell whether a number of the set lies in `least..most`; None when that is not certain."""
        if (self.low is not None and self.low > most) or (self.high is not None and self.high < least):
            return False
        if self.step == 0 or self.low is None:
            return None
        first = self.low if self.low >= least else self.low + -(-(least - self.low) // self.step) * self.step
        return first <= most and (self.high is None or first <= self.high)


def single(number: int) -> Spread:
    """Return the set of one number."""
    return Spread(number, number)


def _joint_step(one: Spread, two: Spread) -> int:
    if _is_single(one):
        return two.step
    if _is_single(two):
        return one.step
    fine, coarse = (one, two) if one.step <= two.step else (two, one)
    if fine.step == 0 or coarse.step % fine.step:
        return 0
    if fine.low is None or fine.high is None:
        return fine.step
    return fine.step if coarse.step <= fine.high - fine.low + fine.step else 0


def _is_single(spread: Spread) -> bool:
    return spread.low is not None and spread.low == spread.high
