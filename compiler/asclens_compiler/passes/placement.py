# SPDX-License-Identifier: Apache-2.0
"""Addresses for buffers: distinct where memory suffices, shared by lifetime where it does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Buffer:
    """A tensor to place: `begin`..`end` (inclusive) is its life in op numbers."""

    ident: int
    size_bytes: int
    begin: int
    end: int

    def lives_with(self, other: Buffer) -> bool:
        """Tell whether two lives meet."""
        return self.begin <= other.end and other.begin <= self.end


@dataclass(frozen=True, slots=True)
class Placement:
    """Byte address of every buffer, and where the last one ends."""

    addresses: dict[int, int]
    end_bytes: int


def place(buffers: Sequence[Buffer], capacity_bytes: int, alignment_bytes: int, start_bytes: int = 0) -> Placement:
    """Place buffers from `start_bytes` on; the result may end beyond the capacity when nothing fits.

    Buffers get addresses of their own when all fit side by side, so that no synchronisation is
    needed between them; else those whose lives do not meet share, the largest placed first.
    """
    apart = _side_by_side(buffers, alignment_bytes, start_bytes)
    if apart.end_bytes <= capacity_bytes:
        return apart
    return _by_lifetime(buffers, alignment_bytes, start_bytes)


def peak(buffers: Sequence[Buffer], alignment_bytes: int) -> tuple[int, list[Buffer]]:
    """Return the most bytes that live at one time, and the buffers that do."""
    most, living = 0, list[Buffer]()
    for moment in sorted({buffer.begin for buffer in buffers}):
        now = [buffer for buffer in buffers if buffer.begin <= moment <= buffer.end]
        total = sum(_rounded(buffer.size_bytes, alignment_bytes) for buffer in now)
        if total > most:
            most, living = total, now
    return most, living


def _rounded(size: int, alignment: int) -> int:
    return -(-size // alignment) * alignment


def _side_by_side(buffers: Sequence[Buffer], alignment: int, start: int) -> Placement:
    addresses: dict[int, int] = {}
    end = _rounded(start, alignment)
    for buffer in buffers:
        addresses[buffer.ident] = end
        end += _rounded(buffer.size_bytes, alignment)
    return Placement(addresses, end)


def _by_lifetime(buffers: Sequence[Buffer], alignment: int, start: int) -> Placement:
    addresses: dict[int, int] = {}
    placed: list[Buffer] = []
    total = start
    for buffer in sorted(buffers, key=lambda item: (-item.size_bytes, item.begin)):
        size = _rounded(buffer.size_bytes, alignment)
        taken = sorted(
            (addresses[other.ident], addresses[other.ident] + _rounded(other.size_bytes, alignment))
            for other in placed
            if other.lives_with(buffer)
        )
        address = _rounded(start, alignment)
        for low, high in taken:
            if address + size <= low:
                break
            address = max(address, high)
        addresses[buffer.ident] = address
        placed.append(buffer)
        total = max(total, address + size)
    return Placement(addresses, total)
