# SPDX-License-Identifier: Apache-2.0
"""What the device compiler's automatic synchronisation (`auto_sync=True`) orders by itself.

Source: CANN guide on in-core synchronisation, tables 1-3 of the key features page, for the option
`--cce-auto-sync`: V after V, and V, MTE2 and MTE3 against the scalar unit, both ways. Measured on a
910B4: nothing between MTE2, V and MTE3. Nothing is automatic on M, MTE1 and FIX.
"""

from __future__ import annotations

from enum import Enum

from asclens_compiler.hardware.pipes import Pipe


class Cover(Enum):
    """Say what stands behind a dependency that the program itself does not order."""

    ORDERED = "ordered"  # silent: every toolchain default orders it
    ADVICE = "advice"  # ordered by auto_sync only: worth a word, never an error
    NONE = "none"  # nothing orders it: an error


_SCALAR_PARTNERS = frozenset({Pipe.V, Pipe.MTE2, Pipe.MTE3})


def cover(first: Pipe, second: Pipe, *, auto_sync: bool) -> Cover:
    """Return what orders an access on `second` after one on `first` without flag or barrier.

    Instructions of the scalar unit itself run in program order.
    """
    if first is Pipe.S and second is Pipe.S:
        return Cover.ORDERED
    if not auto_sync:
        return Cover.NONE
    if first is Pipe.V and second is Pipe.V:
        return Cover.ORDERED
    if (first is Pipe.S and second in _SCALAR_PARTNERS) or (second is Pipe.S and first in _SCALAR_PARTNERS):
        return Cover.ADVICE
    return Cover.NONE
