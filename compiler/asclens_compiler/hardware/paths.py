# SPDX-License-Identifier: Apache-2.0
"""Copy paths: which pipe moves data between two memories, and how fast.

Pipes: CANN Ascend C per-call "pipe type" fields and queue event table for architecture 2201; where
the pages of L0C->GM and L1->GM name MTE1, the queue events and the CCE guide (FIX, MTE3) win.
Times: cycles = max(floor, head + bytes / bytes_per_cycle) of one instruction on one core, fitted to
the measured tables of Ascend/mskpp for 910B1 and B3. There is no path L1->UB or L0C->UB on 2201.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from asclens_compiler.hardware.pipes import Memory, Pipe


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyPath:
    """A way from `source` to `target`; `core` is "AIV", "AIC" or "both"."""

    source: Memory
    target: Memory
    pipe: Pipe
    core: str
    floor_cycles: int
    head_cycles: int
    bytes_per_cycle: float

    def cycles(self, size_bytes: int) -> int:
        """Return the cycles of one copy instruction of `size_bytes`."""
        return max(self.floor_cycles, round(self.head_cycles + size_bytes / self.bytes_per_cycle))


_G, _U, _L, _A, _B, _C = Memory.GM, Memory.UB, Memory.L1, Memory.L0A, Memory.L0B, Memory.L0C

_ROWS = (
    (_G, _U, Pipe.MTE2, "AIV", 216, 197, 127.0),
    (_U, _G, Pipe.MTE3, "AIV", 155, 140, 66.0),
    (_U, _U, Pipe.V, "AIV", 4, 0, 256.0),
    (_G, _L, Pipe.MTE2, "AIC", 190, 190, 170.0),
    (_G, _A, Pipe.MTE2, "AIC", 207, 178, 150.0),
    (_G, _B, Pipe.MTE2, "AIC", 207, 174, 119.0),
    (_L, _A, Pipe.MTE1, "AIC", 6, 2, 256.0),
    (_L, _B, Pipe.MTE1, "AIC", 10, 2, 128.0),
    (_L, Memory.BT, Pipe.MTE1, "AIC", 3, 0, 32.0),
    (_L, Memory.FB, Pipe.MTE1, "AIC", 19, 15, 32.0),
    (_L, _G, Pipe.MTE3, "AIC", 155, 140, 128.0),
    (_C, _G, Pipe.FIX, "AIC", 85, 9, 118.0),
    (_C, _L, Pipe.FIX, "AIC", 85, 9, 128.0),
)


@cache
def copy_paths() -> dict[tuple[Memory, Memory], CopyPath]:
    """Return all hardware paths by (source, target)."""
    return {
        (source, target): CopyPath(
            source=source,
            target=target,
            pipe=pipe,
            core=core,
            floor_cycles=floor,
            head_cycles=head,
            bytes_per_cycle=rate,
        )
        for source, target, pipe, core, floor, head, rate in _ROWS
    }


def copy_path(source: Memory, target: Memory) -> CopyPath | None:
    """Return the path from `source` to `target`, or None when the hardware has none."""
    return copy_paths().get((source, target))
