# SPDX-License-Identifier: Apache-2.0
"""Chips: cores, memories and clocks per name, and the lookup of a chip by the name users write.

Sources of the numbers: core counts, UB, L1, L0 and alignment from the target table of
Ascend/AscendNPU-IR (`NPUTargetSpec.td`); bias table and fixpipe buffer from the CANN simulator
configuration `A2A3.ini`; clocks, GM and L2 bandwidth and per-core maxima from the device tables of
Ascend/msopprof; L2 sizes from its cache model. Ascend910_93xx clocks follow the 910B class that
msopprof maps the name to.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from asclens_compiler.errors import AscLensError
from asclens_compiler.hardware.pipes import Memory, Pipe

DEFAULT_SOC = "Ascend910B1"  # what real pyasc uses for its Model backend
DATA_BLOCK_BYTES = 32
REPEAT_BYTES = 256
MAX_REPEAT = 255
UB_SCRATCH_OFFSET = 188416  # the top 8 KiB of UB serve library calls as scratch (asc-devkit TMP_UB_OFFSET)
CACHE_LINE_BYTES = 64  # data cache of the scalar unit
ISSUE_QUEUE_DEPTH = 32  # instructions that wait in a pipe before issue blocks (MTE1, M documented)
TPIPE_MAX_BUFFERS = 64
EVENT_IDS = 8
CROSS_CORE_FLAGS = 16

# Bytes per core (UB per vector core, the others per cube core); the same on all dav-c220 chips.
_MEMORY_BYTES = {
    Memory.UB: 196608,
    Memory.L1: 524288,
    Memory.L0A: 65536,
    Memory.L0B: 65536,
    Memory.L0C: 131072,
    Memory.BT: 1024,
    Memory.FB: 7168,
}

# Start addresses of operands. CANN general constraints page; FB from the page on hardware constraints
# of architecture 2201, which is stricter. GM copies need the element size only.
_ALIGNMENT_BYTES = {
    Memory.GM: 1,
    Memory.UB: 32,
    Memory.L1: 32,
    Memory.L0A: 512,
    Memory.L0B: 512,
    Memory.L0C: 64,
    Memory.BT: 64,
    Memory.FB: 128,
}

AIV_PIPES = frozenset({Pipe.S, Pipe.V, Pipe.MTE2, Pipe.MTE3})
AIC_PIPES = frozenset({Pipe.S, Pipe.M, Pipe.MTE1, Pipe.MTE2, Pipe.MTE3, Pipe.FIX})


def alignment_bytes(memory: Memory) -> int:
    """Return what the start address of an operand in `memory` must be a multiple of."""
    return _ALIGNMENT_BYTES[memory]


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One chip (or die, for the 910_93 family).

    `aic` cube cores, `aiv` vector cores, two of them beside each cube core. Bandwidths are of the
    whole chip, in bytes per second; 0 where no source states one.
    """

    soc: str
    family: str
    aic: int
    aiv: int
    clock_mhz: int
    l2_bytes: int
    gm_bytes: int
    gm_bytes_per_second: float
    l2_bytes_per_second: float
    source: str

    def memory_bytes(self, memory: Memory) -> int:
        """Return the size of one core's memory (of the whole chip for GM)."""
        return self.gm_bytes if memory is Memory.GM else _MEMORY_BYTES[memory]

    def alignment_bytes(self, memory: Memory) -> int:
        """Return what the start address of an operand in `memory` must be a multiple of."""
        return _ALIGNMENT_BYTES[memory]

    def microseconds(self, cycles: float) -> float:
        """Turn core cycles into microseconds."""
        return cycles / self.clock_mhz


_MIB = 1 << 20
_GIB = 1 << 30
_A2 = "AscendNPU-IR NPUTargetSpec.td; msopprof device_defs.h"
_A3 = "AscendNPU-IR NPUTargetSpec.td; clock of the 910B class that msopprof maps the name to"

# soc, family, cube cores, vector cores, MHz, L2 MiB, GM TB/s, L2 TB/s, source
_ROWS = (
    ("Ascend910B1", "A2", 24, 48, 1850, 192, 1.8, 8.0, _A2),
    ("Ascend910B2", "A2", 24, 48, 1800, 192, 1.75, 7.78, _A2),
    ("Ascend910B2C", "A2", 24, 48, 1800, 192, 1.75, 7.78, _A2),
    ("Ascend910B3", "A2", 20, 40, 1800, 192, 1.75, 7.78, _A2),
    ("Ascend910B4", "A2", 20, 40, 1650, 96, 0.8, 4.0, _A2),
    ("Ascend910B4-1", "A2", 20, 40, 1650, 168, 0.8, 4.0, _A2),
    ("Ascend910_9362", "A3", 20, 40, 1650, 168, 1.76, 0.0, _A3),
    ("Ascend910_9372", "A3", 20, 40, 1800, 192, 1.76, 0.0, _A3),
    ("Ascend910_9381", "A3", 24, 48, 1800, 192, 1.76, 0.0, _A3),
    ("Ascend910_9382", "A3", 24, 48, 1800, 192, 1.76, 0.0, _A3),
    ("Ascend910_9391", "A3", 24, 48, 1850, 192, 1.76, 0.0, _A3),
    ("Ascend910_9392", "A3", 24, 48, 1850, 192, 1.76, 0.0, _A3),
)  # fmt: skip

# Names of the first-generation 910 (DaVinci cube and vector in one core, architecture 1001).
_FIRST_GENERATION = frozenset({"ascend910", "ascend910a", "ascend910proa", "ascend910prob", "ascend910premiuma"})


@cache
def targets() -> dict[str, Target]:
    """Return all supported chips by name."""
    return {
        soc: Target(
            soc=soc,
            family=family,
            aic=aic,
            aiv=aiv,
            clock_mhz=mhz,
            l2_bytes=l2 * _MIB,
            gm_bytes=64 * _GIB,
            gm_bytes_per_second=gm * 1e12,
            l2_bytes_per_second=l2_rate * 1e12,
            source=source,
        )
        for soc, family, aic, aiv, mhz, l2, gm, l2_rate, source in _ROWS
    }


def chip_for(soc: str | None) -> Target:
    """Return the chip that a user's name means; None and "" mean the default, Ascend910B1.

    Spelling is free in case, "-" for "_" and the prefix "Ascend". Raises AscLensError for
    first-generation 910 chips and for unknown names.
    """
    if not soc:
        return targets()[DEFAULT_SOC]
    key = _normalised(soc)
    for name, target in targets().items():
        if _normalised(name) == key:
            return target
    known = ", ".join(targets())
    if key in _FIRST_GENERATION:
        raise AscLensError(
            f"{soc} is a first-generation Ascend 910; kernels run on the 910B and 910C families only.",
            help=f"Name the chip that the kernel is for: {known}.",
        )
    raise AscLensError(f"Chip {soc!r} is not known.", help=f"Supported chips: {known}.")


def _normalised(soc: str) -> str:
    key = soc.strip().lower().replace("-", "_")
    return key if key.startswith("ascend") else f"ascend{key}"
