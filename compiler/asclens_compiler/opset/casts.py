# SPDX-License-Identifier: Apache-2.0
"""Which casts exist on architecture 2201, and with which round modes.

Source: CANN Cast page, table for Atlas A2/A3. int32 -> half ignores the mode and needs SetDeqScale.
"""

from __future__ import annotations

from functools import cache

from asclens_compiler.hardware.dtypes import DType

_ROUNDING = "RINT FLOOR CEIL ROUND TRUNC"
_ALL = _ROUNDING + " NONE"
_SHORT = {"half": "float16", "float": "float32", "bf16": "bfloat16"}

# source, destination, modes
_ROWS = (
    ("int4", "half", "NONE"),
    ("int8", "half", "NONE"),
    ("uint8", "half", "NONE"),
    ("int16", "half", _ALL),
    ("int16", "float", "NONE"),
    ("half", "int4", _ALL),
    ("half", "int8", _ALL),
    ("half", "uint8", _ALL),
    ("half", "int16", _ROUNDING),
    ("half", "int32", _ROUNDING),
    ("half", "float", "NONE"),
    ("bf16", "int32", _ROUNDING),
    ("bf16", "float", "NONE"),
    ("int32", "int16", "NONE"),
    ("int32", "half", _ALL + " ODD"),
    ("int32", "float", _ALL),
    ("int32", "int64", "NONE"),
    ("float", "int16", _ROUNDING),
    ("float", "half", _ALL + " ODD"),
    ("float", "bf16", _ROUNDING),
    ("float", "int32", _ROUNDING),
    ("float", "float", _ROUNDING),
    ("float", "int64", _ROUNDING),
    ("int64", "int32", "NONE"),
    ("int64", "float", _ROUNDING),
)


@cache
def cast_modes() -> dict[tuple[DType, DType], frozenset[str]]:
    """Return the legal `RoundMode` member names by (source, destination)."""
    return {
        (_dtype(source), _dtype(target)): frozenset(f"CAST_{mode}" for mode in modes.split())
        for source, target, modes in _ROWS
    }


def _dtype(name: str) -> DType:
    return DType(_SHORT.get(name, name))


def legal_modes(source: DType, target: DType) -> frozenset[str]:
    """Return the legal round modes of a cast; empty when the cast does not exist."""
    return cast_modes().get((source, target), frozenset())
