# SPDX-License-Identifier: Apache-2.0
"""Loaded MLIR contexts: made once, shared by units, renewed before they grow.

Loading the dialect costs tens of milliseconds for several hundred ops and a context keeps every
type, attribute and location it has ever seen, so one context serves `UNITS_PER_CONTEXT` units.
"""

from __future__ import annotations

from typing import Any

from asclens_compiler.ascir import bindings
from asclens_compiler.ascir.attributes import AttrTable
from asclens_compiler.ascir.dialect import dialect_rows, dialect_text
from asclens_compiler.ascir.locations import PlaceTable
from asclens_compiler.ascir.typemap import TypeTable
from asclens_compiler.errors import InternalError

UNITS_PER_CONTEXT = 200


class Session:
    """Own one context with the dialect loaded and its memo tables."""

    def __init__(self) -> None:
        self.context: Any = bindings.new_context()
        self.unknown: Any = bindings.ir.Location.unknown(self.context)
        try:
            module = bindings.ir.Module.parse(dialect_text(dialect_rows()), context=self.context)
            bindings.irdl.load_dialects(module)
        except (bindings.MLIRError, RuntimeError) as error:
            raise InternalError(f"the dialect made from the opset does not load: {error}") from error
        self.types = TypeTable(self.context)
        self.attrs = AttrTable(self.context)
        self.places = PlaceTable()


class _Pool:
    session: Session | None = None
    units: int = 0


def current_session() -> Session:
    """Return the session for a new unit."""
    if _Pool.session is None or _Pool.units >= UNITS_PER_CONTEXT:
        _Pool.session, _Pool.units = Session(), 0
    _Pool.units += 1
    return _Pool.session


def renew() -> None:
    """Give the next unit a new session; units made before keep theirs."""
    _Pool.session = None
