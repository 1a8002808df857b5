# SPDX-License-Identifier: Apache-2.0
"""Pipes, memories, positions and hard events of an AI Core."""

from __future__ import annotations

from enum import Enum, IntEnum


class Pipe(IntEnum):
    """Name an instruction queue; ALL selects every pipe in a barrier.

    Source: CANN `pipe_t` values as listed for NPU architecture 2201.
    """

    S = 0
    V = 1
    M = 2
    MTE1 = 3
    MTE2 = 4
    MTE3 = 5
    ALL = 6
    FIX = 10


class Memory(Enum):
    """Name a physical memory."""

    GM = "GM"
    UB = "UB"
    L1 = "L1"
    L0A = "L0A"
    L0B = "L0B"
    L0C = "L0C"
    BT = "BT"
    FB = "FB"


class Position(Enum):
    """Name a logical position (`asc.TPosition`)."""

    GM = "GM"
    A1 = "A1"
    A2 = "A2"
    B1 = "B1"
    B2 = "B2"
    C1 = "C1"
    C2 = "C2"
    CO1 = "CO1"
    CO2 = "CO2"
    VECIN = "VECIN"
    VECOUT = "VECOUT"
    VECCALC = "VECCALC"
    SPM = "SPM"
    TSCM = "TSCM"
    C2PIPE2GM = "C2PIPE2GM"

    @property
    def memory(self) -> Memory:
        """Return the physical memory of this position on NPU architecture 2201."""
        return _MEMORY[self]


# CANN Ascend C programming guide, table "TPosition and physical memory" for architecture 2201.
_MEMORY = {
    Position.GM: Memory.GM, Position.CO2: Memory.GM, Position.SPM: Memory.GM,
    Position.A1: Memory.L1, Position.B1: Memory.L1, Position.C1: Memory.L1, Position.TSCM: Memory.L1,
    Position.A2: Memory.L0A, Position.B2: Memory.L0B, Position.CO1: Memory.L0C, Position.C2: Memory.BT,
    Position.C2PIPE2GM: Memory.FB,
    Position.VECIN: Memory.UB, Position.VECOUT: Memory.UB, Position.VECCALC: Memory.UB,
}  # fmt: skip


class HardEvent(Enum):
    """Name a flag direction `<set by>_<waited by>` (`asc.HardEvent`); members in the vendor's order."""

    MTE2_MTE1 = (Pipe.MTE2, Pipe.MTE1)
    MTE1_MTE2 = (Pipe.MTE1, Pipe.MTE2)
    MTE1_M = (Pipe.MTE1, Pipe.M)
    M_MTE1 = (Pipe.M, Pipe.MTE1)
    MTE2_V = (Pipe.MTE2, Pipe.V)
    V_MTE2 = (Pipe.V, Pipe.MTE2)
    MTE3_V = (Pipe.MTE3, Pipe.V)
    V_MTE3 = (Pipe.V, Pipe.MTE3)
    M_V = (Pipe.M, Pipe.V)
    V_M = (Pipe.V, Pipe.M)
    V_V = (Pipe.V, Pipe.V)
    MTE3_MTE1 = (Pipe.MTE3, Pipe.MTE1)
    MTE1_MTE3 = (Pipe.MTE1, Pipe.MTE3)
    MTE1_V = (Pipe.MTE1, Pipe.V)
    MTE2_M = (Pipe.MTE2, Pipe.M)
    M_MTE2 = (Pipe.M, Pipe.MTE2)
    V_MTE1 = (Pipe.V, Pipe.MTE1)
    M_FIX = (Pipe.M, Pipe.FIX)
    FIX_M = (Pipe.FIX, Pipe.M)
    MTE3_MTE2 = (Pipe.MTE3, Pipe.MTE2)
    MTE2_MTE3 = (Pipe.MTE2, Pipe.MTE3)
    S_V = (Pipe.S, Pipe.V)
    V_S = (Pipe.V, Pipe.S)
    S_MTE2 = (Pipe.S, Pipe.MTE2)
    MTE2_S = (Pipe.MTE2, Pipe.S)
    S_MTE3 = (Pipe.S, Pipe.MTE3)
    MTE3_S = (Pipe.MTE3, Pipe.S)
    MTE2_FIX = (Pipe.MTE2, Pipe.FIX)
    FIX_MTE2 = (Pipe.FIX, Pipe.MTE2)
    FIX_S = (Pipe.FIX, Pipe.S)
    M_S = (Pipe.M, Pipe.S)
    FIX_MTE3 = (Pipe.FIX, Pipe.MTE3)
    MTE1_FIX = (Pipe.MTE1, Pipe.FIX)
    FIX_MTE1 = (Pipe.FIX, Pipe.MTE1)
    FIX_FIX = (Pipe.FIX, Pipe.FIX)

    @property
    def source(self) -> Pipe:
        """Return the pipe that sets the flag."""
        return self.value[0]

    @property
    def target(self) -> Pipe:
        """Return the pipe that waits for the flag."""
        return self.value[1]
