# SPDX-License-Identifier: Apache-2.0
"""Where new ops go: a stack of insertion points and of inlined calls, with depth limits."""

from __future__ import annotations

from typing import Any

from asclens_compiler.ascir import bindings
from asclens_compiler.ascir.locations import chained
from asclens_compiler.ascir.unit import Unit
from asclens_compiler.errors import InternalError
from asclens_compiler.source.span import Span

# MLIR itself dies at about 10,000 nested regions and consumers walk programs recursively.
MAX_REGION_DEPTH = 128
MAX_CALL_DEPTH = 500


class NestingTooDeep(Exception):  # noqa: N818  a limit of the language, not a defect
    """Tell that blocks or inlined calls nest deeper than `limit`, at `span`."""

    def __init__(self, what: str, limit: int, span: Span) -> None:
        super().__init__(f"{what} nest deeper than {limit}")
        self.what = what
        self.limit = limit
        self.span = span


class Cursor:
    """Hold the current insertion point and call chain of a builder."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._context = unit.session.context
        self._points: list[Any] = []
        self._callers: list[Any] = []

    @property
    def point(self) -> Any:
        """Return the current insertion point."""
        if self._unit.closed:
            raise InternalError("a closed unit is used")
        if not self._points:
            raise InternalError("an op is created outside a kernel")
        return self._points[-1]

    @property
    def depth(self) -> int:
        """Return how many blocks are open."""
        return len(self._points)

    def location(self, span: Span) -> Any:
        """Return the location of `span` under the current call chain."""
        return chained(self._context, span, self._callers[-1] if self._callers else None)

    def push_call(self, span: Span) -> None:
        """Enter a helper inlined at the call expression `span`."""
        if len(self._callers) >= MAX_CALL_DEPTH:
            raise NestingTooDeep("inlined calls", MAX_CALL_DEPTH, span)
        self._callers.append(self.location(span))

    def pop_call(self) -> None:
        """Leave the helper entered last."""
        self._callers.pop()

    def enter(self, block: Any, span: Span) -> None:
        """Append to `block` from now on."""
        if len(self._points) >= MAX_REGION_DEPTH:
            raise NestingTooDeep("blocks", MAX_REGION_DEPTH, span)
        self._points.append(bindings.ir.InsertionPoint(block))

    def enter_point(self, point: Any) -> None:
        """Insert at an MLIR insertion point from now on."""
        self._points.append(point)

    def leave(self) -> None:
        """Return to the block that was open before."""
        self._points.pop()
