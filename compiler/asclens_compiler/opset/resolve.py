# SPDX-License-Identifier: Apache-2.0
"""Overload resolution as the real dispatcher does it: the first overload whose names and kinds fit.

Arguments are of any type; `accepts` tells whether a parameter takes one. Keyword and positional
arguments mix as in Python; a parameter given twice, an unknown keyword or a missing one rules an
overload out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

from asclens_compiler.opset.model import NO_DEFAULT, ApiRow, Overload, ParamRow

Arg = TypeVar("Arg")
Accepts = Callable[[ParamRow, Arg], bool]


class Mismatch(Enum):
    """Say why an overload does not fit."""

    TOO_MANY = "too-many"
    UNKNOWN_KEYWORD = "unknown-keyword"
    GIVEN_TWICE = "given-twice"
    WRONG_KIND = "wrong-kind"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Failure:
    """The first thing that rules an overload out; `param` is the parameter or keyword."""

    reason: Mismatch
    param: str
    fitting: int


@dataclass(frozen=True, slots=True)
class Resolved(Generic[Arg]):
    """The overload that fits, with the arguments given for its parameters by name."""

    overload: Overload
    arguments: Mapping[str, Arg]


@dataclass(frozen=True, slots=True)
class Unresolved:
    """No overload fits: the nearest one, and why it does not."""

    nearest: Overload | None
    failure: Failure | None


def resolve(
    row: ApiRow, args: Sequence[Arg], kwargs: Mapping[str, Arg], accepts: Accepts[Arg]
) -> Resolved[Arg] | Unresolved:
    """Return the first overload of `row` that takes the arguments, else the nearest one."""
    nearest: Overload | None = None
    failure: Failure | None = None
    for overload in row.overloads:
        found = _fit(overload.params, args, kwargs, accepts)
        if not isinstance(found, Failure):
            return Resolved(overload, found)
        if failure is None or found.fitting > failure.fitting:
            nearest, failure = overload, found
    return Unresolved(nearest, failure)


def _fit(
    params: Sequence[ParamRow], args: Sequence[Arg], kwargs: Mapping[str, Arg], accepts: Accepts[Arg]
) -> dict[str, Arg] | Failure:
    given: dict[str, Arg] = {}
    if len(args) > len(params):
        return Failure(Mismatch.TOO_MANY, "", -1)
    for param, value in zip(params, args, strict=False):
        if not accepts(param, value):
            return Failure(Mismatch.WRONG_KIND, param.name, len(given))
        given[param.name] = value
    by_name = {param.name: param for param in params}
    for name, value in kwargs.items():
        if name in given:
            return Failure(Mismatch.GIVEN_TWICE, name, len(given))
        param = by_name.get(name)
        if param is None:
            return Failure(Mismatch.UNKNOWN_KEYWORD, name, len(given))
        if not accepts(param, value):
            return Failure(Mismatch.WRONG_KIND, name, len(given))
        given[name] = value
    for param in params:
        if param.name not in given and param.default == NO_DEFAULT:
            return Failure(Mismatch.MISSING, param.name, len(given))
    return given
