# SPDX-License-Identifier: Apache-2.0
"""Numbers of a walk: integers, or sums of unknown atoms; equal expressions are equal values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from asclens_compiler.analysis.affine import Affine

Num = int | Affine


@dataclass(frozen=True, slots=True)
class Predicate:
    """A condition that the values at hand do not decide.

    `less`: `left` is below 0; `zero`: `left` is 0; `and`, `or`: of `left` and `right`; `not`: of `left`;
    `atom`: unknown, named by `left`.
    """

    kind: str
    left: Num | Predicate
    right: Predicate | None = None


Scalar = Num | Predicate | None


class Atoms:
    """Give each distinct unknown a number."""

    def __init__(self) -> None:
        self._known: dict[object, int] = {}

    def of(self, key: object) -> Affine:
        """Return the unknown that `key` names."""
        return Affine(0, ((self._known.setdefault(key, len(self._known)), 1),))


def add(left: Num, right: Num) -> Num:
    """Return the sum."""
    if isinstance(left, int):
        if isinstance(right, int):
            return left + right
        left, right = right, left
    if isinstance(right, int):
        return Affine(left.constant + right, left.terms)
    return plain(left.plus(right))


def scale(value: Num, factor: int) -> Num:
    """Return the product with a number."""
    return value * factor if isinstance(value, int) else plain(value.times(factor))


def subtract(left: Num, right: Num) -> Num:
    """Return the difference."""
    if isinstance(left, int) and isinstance(right, int):
        return left - right
    return add(left, scale(right, -1))


def plain(value: Affine) -> Num:
    """Return an integer for a sum without unknowns."""
    return value if value.terms else value.constant


def constant(value: object) -> int | None:
    """Return the integer that a value is, None for anything else."""
    return value if isinstance(value, int) else None


def terms_of(value: Num) -> tuple[tuple[int, int], ...]:
    """Return the unknown part of a number."""
    return () if isinstance(value, int) else value.terms


def offset_of(value: Num) -> int:
    """Return the known part of a number."""
    return value if isinstance(value, int) else value.constant


def divided(left: Num, divisor: int) -> Num | None:
    """Return an exact quotient of a sum, None where there is none."""
    if isinstance(left, int) or divisor == 0:
        return None
    if left.constant % divisor or any(factor % divisor for _, factor in left.terms):
        return None
    return Affine(left.constant // divisor, tuple((atom, factor // divisor) for atom, factor in left.terms))


def remainder(left: Num, divisor: int) -> int | None:
    """Return the remainder of a sum whose unknowns are all multiples of the divisor (taken not negative)."""
    if isinstance(left, int) or divisor <= 0 or any(factor % divisor for _, factor in left.terms):
        return None
    return left.constant % divisor


def _truncated(left: int, right: int) -> int:
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


_INTEGERS: Mapping[str, Callable[[int, int], int]] = {
    "divsi": _truncated,
    "divui": lambda a, b: a // b,
    "floordivsi": lambda a, b: a // b,
    "ceildivsi": lambda a, b: -(-a // b),
    "ceildivui": lambda a, b: -(-a // b),
    "remsi": lambda a, b: a - b * _truncated(a, b),
    "remui": lambda a, b: a % b,
    "andi": lambda a, b: a & b,
    "ori": lambda a, b: a | b,
    "xori": lambda a, b: a ^ b,
    "shli": lambda a, b: a << b if 0 <= b < 64 else 0,
    "shrsi": lambda a, b: a >> b if 0 <= b < 64 else 0,
    "shrui": lambda a, b: a >> b if 0 <= b < 64 else 0,
    "minsi": min,
    "minui": min,
    "maxsi": max,
    "maxui": max,
}
_DIVISIONS = frozenset({"divsi", "divui", "floordivsi", "ceildivsi", "ceildivui", "remsi", "remui"})
_EXACT = frozenset({"divsi", "divui", "floordivsi", "ceildivsi", "ceildivui"})
_COMMUTES = frozenset({"muli", "andi", "ori", "xori", "minsi", "maxsi", "minui", "maxui"})
_KEEPS = frozenset({"extsi", "extui", "trunci", "index_cast", "index_castui", "bitcast"})
_NEGATED = {"ne": "eq", "sge": "slt", "uge": "ult", "sle": "sgt", "ule": "ugt"}
_SIDES = {"slt": False, "ult": False, "sgt": True, "ugt": True}


def arithmetic(name: str, operands: tuple[object, ...], predicate: str, atoms: Atoms) -> object:
    """Return the result of an `arith` op (without the dialect); None for what is no integer."""
    if name in _KEEPS:
        return operands[0]
    if name == "cmpi":
        return _compare(predicate, operands)
    if name == "select":
        return _select(operands, atoms)
    if name in ("andi", "ori", "xori") and any(isinstance(item, Predicate) for item in operands):
        return _logic(name, operands)
    left, right = (operands[0], operands[1]) if len(operands) == 2 else (None, None)
    if not isinstance(left, int | Affine) or not isinstance(right, int | Affine):
        return None
    return _binary(name, left, right, atoms)


def _binary(name: str, left: Num, right: Num, atoms: Atoms) -> Num | None:
    if name == "addi":
        return add(left, right)
    if name == "subi":
        return subtract(left, right)
    if name == "muli" and (isinstance(left, int) or isinstance(right, int)):
        return scale(right, left) if isinstance(left, int) else scale(left, cast("int", right))
    if name not in _INTEGERS and name != "muli":
        return None
    if isinstance(left, int) and isinstance(right, int):
        if name in _DIVISIONS and right == 0:
            return None
        return _INTEGERS[name](left, right)
    if isinstance(right, int) and name in _DIVISIONS:
        exact = divided(left, right) if name in _EXACT else remainder(left, right)
        if exact is not None:
            return exact
    if name in _COMMUTES and repr(right) < repr(left):
        left, right = right, left
    return atoms.of((name, left, right))


def _compare(predicate: str, operands: tuple[object, ...]) -> object:
    left, right = operands
    if not isinstance(left, int | Affine) or not isinstance(right, int | Affine):
        return None
    if predicate in _NEGATED:
        inner = _compare(_NEGATED[predicate], operands)
        return negated(inner)
    if _SIDES.get(predicate):
        left, right = right, left
    difference = subtract(left, right)
    if isinstance(difference, int):
        return int(difference == 0 if predicate == "eq" else difference < 0)
    return Predicate("zero" if predicate == "eq" else "less", difference)


def negated(value: object) -> object:
    """Return the opposite of a condition."""
    if isinstance(value, int):
        return int(not value)
    return Predicate("not", value) if isinstance(value, Predicate) else None


def _logic(name: str, operands: tuple[object, ...]) -> object:
    left, right = operands
    if isinstance(left, int):
        left, right = right, left
    if not isinstance(left, Predicate):
        return None
    if isinstance(right, int):
        if name == "xori":
            return negated(left) if right & 1 else left
        if name == "andi":
            return left if right & 1 else 0
        return 1 if right & 1 else left
    if not isinstance(right, Predicate) or name == "xori":
        return None
    return Predicate("and" if name == "andi" else "or", left, right)


def _select(operands: tuple[object, ...], atoms: Atoms) -> object:
    condition, yes, no = operands
    if isinstance(condition, int):
        return yes if condition else no
    if yes == no:
        return yes
    if isinstance(yes, int | Affine) and isinstance(no, int | Affine):
        return atoms.of(("select", condition, yes, no))
    return None
