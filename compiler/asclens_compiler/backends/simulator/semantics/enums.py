# SPDX-License-Identifier: Apache-2.0
"""Enum fields of parameter structs, which arrive as a member's number or name."""

from __future__ import annotations

from functools import cache
from typing import Any

from asclens_compiler.opset.registry import opset


@cache
def _names(enum: str) -> dict[int, str]:
    return {value: name for name, value in opset().enums[enum].members}


def member(enum: str, value: Any) -> str:
    """Return the member's name for a number, a name, or `Enum.NAME`."""
    if isinstance(value, str):
        return value.rpartition(".")[2]
    return _names(enum)[int(value)]
