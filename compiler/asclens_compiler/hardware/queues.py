# SPDX-License-Identifier: Apache-2.0
"""Queues: the flags that EnQue and FreeTensor set for each pair of positions, and legal hard events.

Source: mirror-cann/asc-devkit `impl/basic_api/kernel_event.h` (GetQueEvt, hard event lists) for
architecture 2201. Depth 0 means in-place queues, 8 event ids per event bound the live buffers.
"""

from __future__ import annotations

from dataclasses import dataclass

from asclens_compiler.hardware.pipes import HardEvent, Memory, Position

_P = Position
_E = HardEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueEvents:
    """Flags of one queue: `enque` set by EnQue and awaited by DeQue, `free` set by FreeTensor and
    awaited by the next AllocTensor of that buffer.
    """

    enque: HardEvent
    free: HardEvent


# (source, destination) position of the queue -> events
_EVENTS = {
    (_P.GM, _P.VECIN): (_E.MTE2_V, _E.V_MTE2),
    (_P.GM, _P.VECCALC): (_E.MTE2_V, _E.V_MTE2),
    (_P.VECOUT, _P.GM): (_E.V_MTE3, _E.MTE3_V),
    (_P.VECCALC, _P.GM): (_E.V_MTE3, _E.MTE3_V),
    (_P.GM, _P.A1): (_E.MTE2_MTE1, _E.MTE1_MTE2),
    (_P.GM, _P.B1): (_E.MTE2_MTE1, _E.MTE1_MTE2),
    (_P.GM, _P.C1): (_E.MTE2_MTE1, _E.MTE1_MTE2),
    (_P.GM, _P.TSCM): (_E.MTE2_MTE1, _E.MTE1_MTE2),
    (_P.A1, _P.A2): (_E.MTE1_M, _E.M_MTE1),
    (_P.B1, _P.B2): (_E.MTE1_M, _E.M_MTE1),
    (_P.C1, _P.C2): (_E.MTE1_M, _E.M_MTE1),
    (_P.CO1, _P.CO2): (_E.M_FIX, _E.FIX_M),
    (_P.CO1, _P.GM): (_E.M_FIX, _E.FIX_M),
    (_P.B1, _P.C2PIPE2GM): (_E.MTE1_FIX, _E.FIX_MTE1),
    (_P.GM, _P.A2): (_E.MTE2_M, _E.M_MTE2),
    (_P.GM, _P.B2): (_E.MTE2_M, _E.M_MTE2),
    (_P.VECIN, _P.VECOUT): (_E.MTE2_MTE3, _E.MTE3_MTE2),
    (_P.VECOUT, _P.A1): (_E.MTE3_MTE1, _E.MTE1_MTE3),
    (_P.VECOUT, _P.B1): (_E.MTE3_MTE1, _E.MTE1_MTE3),
    (_P.VECOUT, _P.TSCM): (_E.MTE3_MTE1, _E.MTE1_MTE3),
    (_P.VECOUT, _P.VECIN): (_E.V_V, _E.V_V),
    (_P.VECIN, _P.VECCALC): (_E.V_V, _E.V_V),
    (_P.VECCALC, _P.VECOUT): (_E.V_V, _E.V_V),
    (_P.VECCALC, _P.VECCALC): (_E.V_V, _E.V_V),
    (_P.VECIN, _P.VECIN): (_E.V_V, _E.V_V),
    (_P.VECOUT, _P.VECOUT): (_E.V_V, _E.V_V),
}

# The one position of a TQue -> (source, destination).
_ENDS = {
    _P.VECIN: (_P.GM, _P.VECIN),
    _P.VECOUT: (_P.VECOUT, _P.GM),
    _P.VECCALC: (_P.VECCALC, _P.VECCALC),
    _P.A1: (_P.GM, _P.A1),
    _P.B1: (_P.GM, _P.B1),
    _P.C1: (_P.GM, _P.C1),
    _P.TSCM: (_P.GM, _P.TSCM),
    _P.A2: (_P.A1, _P.A2),
    _P.B2: (_P.B1, _P.B2),
    _P.C2: (_P.C1, _P.C2),
    _P.CO1: (_P.CO1, _P.CO2),
    _P.CO2: (_P.CO2, _P.GM),
    _P.C2PIPE2GM: (_P.B1, _P.C2PIPE2GM),
}

_AIC = (
    "MTE2_MTE1 MTE1_MTE2 MTE1_M M_MTE1 MTE3_MTE1 MTE1_MTE3 MTE2_M M_MTE2 M_FIX FIX_M MTE3_MTE2 MTE2_MTE3 "
    "S_MTE2 MTE2_S S_MTE3 MTE3_S MTE2_FIX FIX_MTE2 FIX_S M_S FIX_MTE3 MTE1_FIX FIX_MTE1 FIX_FIX"
)
_AIV = "MTE2_V V_MTE2 MTE3_V V_MTE3 V_V MTE3_MTE2 MTE2_MTE3 S_V V_S S_MTE2 MTE2_S S_MTE3 MTE3_S"

AIC_EVENTS = frozenset(HardEvent[name] for name in _AIC.split())
AIV_EVENTS = frozenset(HardEvent[name] for name in _AIV.split())


def queue_ends(position: Position) -> tuple[Position, Position]:
    """Return source and destination of a TQue at `position`; raise KeyError where no queue may be."""
    return _ENDS[position]


def queue_events(source: Position, target: Position) -> QueueEvents | None:
    """Return the flags of a queue from `source` to `target`, or None when the pair has none.

    GM stands for CO2 and SPM, which lie in global memory.
    """
    found = _EVENTS.get((source, target))
    return None if found is None else QueueEvents(enque=found[0], free=found[1])


def buffer_position(source: Position, target: Position) -> Position:
    """Return the position whose memory holds a queue's buffers: the source when the target is global."""
    return source if target.memory is Memory.GM else target
