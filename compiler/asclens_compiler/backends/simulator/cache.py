# SPDX-License-Identifier: Apache-2.0
"""Scalar stores to global memory that still lie in a core's data cache."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from asclens_compiler.hardware.chips import CACHE_LINE_BYTES

if TYPE_CHECKING:
    from asclens_compiler.backends.simulator.shadow import Access


@dataclass(slots=True)
class DataCache:
    """Lines that a core wrote and did not write back: line -> (core, address of the store)."""

    lines: dict[int, tuple[int, int]] = field(default_factory=dict[int, tuple[int, int]])

    def store(self, core: int, access: Access, pc: int) -> tuple[int, int] | None:
        """Note a scalar store; return (core, address) of another core's store that the line still holds."""
        line = access.lo // CACHE_LINE_BYTES
        before = self.lines.get(line)
        self.lines[line] = (core, pc)
        return before if before is not None and before[0] != core else None

    def clean(self, core: int, address: int | None) -> None:
        """Forget the line of an address, or all lines of a core."""
        if address is not None:
            self.lines.pop(address // CACHE_LINE_BYTES, None)
            return
        self.lines = {line: store for line, store in self.lines.items() if store[0] != core}

    def stale(self, core: int, access: Access, *, scalar: bool) -> int | None:
        """Return the address of a store that `access` cannot see, or None."""
        first, last = access.lo // CACHE_LINE_BYTES, (access.hi - 1) // CACHE_LINE_BYTES
        for line, (writer, pc) in self.lines.items():
            if first <= line <= last and not (scalar and writer == core):
                return pc
        return None
