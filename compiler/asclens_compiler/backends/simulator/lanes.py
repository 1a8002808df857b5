# SPDX-License-Identifier: Apache-2.0
"""Pipes as small numbers, and flags as keys, for the inner loops."""

from __future__ import annotations

from asclens_compiler.hardware.pipes import HardEvent, Pipe

LANES = (Pipe.S, Pipe.V, Pipe.M, Pipe.MTE1, Pipe.MTE2, Pipe.MTE3, Pipe.FIX)
LANE: dict[Pipe, int] = {pipe: index for index, pipe in enumerate(LANES)}
N_LANES = len(LANES)
SCALAR = LANE[Pipe.S]

# Source: CANN Ascend C API reference, SetFlag/WaitFlag: 8 ids per event on Atlas A2.
EVENT_IDS = 8


def flag_base(event: HardEvent) -> int:
    """Return the key of id 0 of an event; the keys of its ids follow."""
    return LANE[event.source] << 6 | LANE[event.target] << 3


def flag_source(key: int) -> int:
    """Return the lane that sets a flag."""
    return key >> 6


def flag_target(key: int) -> int:
    """Return the lane that waits for a flag."""
    return key >> 3 & 7


def flag_name(key: int) -> str:
    """Return the name of a flag for messages: `MTE2_V id 0`."""
    return f"{LANES[key >> 6].name}_{LANES[key >> 3 & 7].name} id {key & 7}"
