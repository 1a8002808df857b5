# SPDX-License-Identifier: Apache-2.0
"""Handles to SSA values: all that other packages see of MLIR."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asclens_compiler.ascir.types import AscType
from asclens_compiler.errors import InternalError

if TYPE_CHECKING:
    from asclens_compiler.ascir.unit import Unit


class IRValue:
    """Stand for one SSA value of a unit; keeps the unit alive.

    Equal handles stand for the same value. Using one after its unit is closed is an internal error.
    """

    __slots__ = ("_unit", "_value", "type")

    def __init__(self, unit: Unit, value: Any, type_: AscType) -> None:
        self._unit = unit
        self._value = value
        self.type = type_

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IRValue) and self._unit is other._unit and self._value == other._value

    def __hash__(self) -> int:
        return hash(self._value)

    def __repr__(self) -> str:
        return f"IRValue({self.type})"

    def mlir(self, unit: Unit) -> Any:
        """Return the MLIR value for use in `unit` (for modules of `ascir/` only)."""
        if self._unit is not unit:
            raise InternalError("a value of another unit is used")
        if unit.closed:
            raise InternalError("a value of a closed unit is used")
        return self._value
