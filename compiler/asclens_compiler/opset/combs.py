# SPDX-License-Identifier: Apache-2.0
"""Sets of bytes as combs: blocks at a stride, repeated at a second stride."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

BLOCK_BYTES = 32
REPEAT_BYTES = 256


@dataclass(frozen=True, slots=True)
class Comb:
    """`repeats` x `blocks` pieces of `block_bytes`, in bytes from the start of the tensor."""

    start_byte: int
    block_bytes: int
    blocks: int = 1
    block_stride_bytes: int = 0
    repeats: int = 1
    repeat_stride_bytes: int = 0

    @property
    def end_byte(self) -> int:
        """Return the byte after the last one (strides are not negative)."""
        last = (self.repeats - 1) * self.repeat_stride_bytes + (self.blocks - 1) * self.block_stride_bytes
        return self.start_byte + last + self.block_bytes

    def pieces(self) -> Iterator[tuple[int, int]]:
        """Yield (start, end) of every piece, in order of execution."""
        for repeat in range(self.repeats):
            base = self.start_byte + repeat * self.repeat_stride_bytes
            for block in range(self.blocks):
                start = base + block * self.block_stride_bytes
                yield start, start + self.block_bytes


Combs = tuple[Comb, ...]


def run(start_byte: int, length_bytes: int) -> Combs:
    """Return one run of bytes, or nothing when it is empty."""
    return (Comb(start_byte, length_bytes),) if length_bytes > 0 else ()


def rows(start_byte: int, length_bytes: int, count: int, stride_bytes: int) -> Combs:
    """Return `count` runs of `length_bytes`, `stride_bytes` from head to head."""
    if count <= 0 or length_bytes <= 0:
        return ()
    if count > 1 and stride_bytes == length_bytes:
        return (Comb(start_byte, length_bytes * count),)
    return (Comb(start_byte, length_bytes, 1, 0, count, stride_bytes),)


def bounding(combs: Sequence[Comb]) -> tuple[int, int]:
    """Return the smallest range (start, end) that holds all bytes; (0, 0) for none."""
    if not combs:
        return 0, 0
    return min(comb.start_byte for comb in combs), max(comb.end_byte for comb in combs)


def lane_runs(bits: int, elems: int) -> Iterator[tuple[int, int]]:
    """Yield (first, length) of each run of 1 bits among the lowest `elems` bits."""
    first = 0
    while first < elems:
        if not bits >> first & 1:
            first += 1
            continue
        end = first
        while end < elems and bits >> end & 1:
            end += 1
        yield first, end - first
        first = end


def strided(bits: int, elems: int, elem_bytes: int, *, repeats: int, blk_stride: int, rep_stride: int) -> Combs:
    """Return the bytes of the mask / repeat / stride form.

    `bits` marks the active elements among the `elems` of one repeat; strides count 32-byte blocks.
    """
    if repeats <= 0:
        return ()
    lanes = BLOCK_BYTES // elem_bytes
    found: list[Comb] = []
    for first, length in lane_runs(bits, elems):
        found += _split_run(first, length, lanes, elem_bytes, blk_stride)
    step = rep_stride * BLOCK_BYTES
    return tuple(
        Comb(item.start_byte, item.block_bytes, item.blocks, item.block_stride_bytes, repeats, step)
        for item in _merged(found)
    )


def _split_run(first: int, length: int, lanes: int, elem_bytes: int, blk_stride: int) -> list[Comb]:
    """Cut a run of lanes at block borders: a head, whole blocks, a tail."""
    stride = blk_stride * BLOCK_BYTES
    pieces: list[Comb] = []
    block, lane = divmod(first, lanes)
    if lane:
        take = min(length, lanes - lane)
        pieces.append(Comb(block * stride + lane * elem_bytes, take * elem_bytes))
        length -= take
        block += 1
    whole, rest = divmod(length, lanes)
    if whole:
        pieces.append(Comb(block * stride, BLOCK_BYTES, whole, stride))
    if rest:
        pieces.append(Comb((block + whole) * stride, rest * elem_bytes))
    return pieces


def _merged(combs: list[Comb]) -> list[Comb]:
    """Join blocks that touch (block stride 1): one piece instead of eight."""
    joined: list[Comb] = []
    for comb in combs:
        item = comb
        if item.blocks > 1 and item.block_stride_bytes == item.block_bytes:
            item = Comb(item.start_byte, item.block_bytes * item.blocks)
        last = joined[-1] if joined else None
        if last is not None and last.blocks == item.blocks == 1 and last.end_byte == item.start_byte:
            joined[-1] = Comb(last.start_byte, last.block_bytes + item.block_bytes)
        else:
            joined.append(item)
    return joined
