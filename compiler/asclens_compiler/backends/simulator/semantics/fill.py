# SPDX-License-Identifier: Apache-2.0
"""Filling and copying inside the unified buffer: duplicate, brcb, masked copy."""

from __future__ import annotations

from typing import Any

import numpy as np

from asclens_compiler.backends.simulator.semantics.api import Array, Index, Kernel, OpContext, Site, elementwise, full
from asclens_compiler.backends.simulator.semantics.blocks import ALL_BITS, BLOCK_BYTES, BLOCKS, Active, elems_per_repeat


@elementwise("duplicate")
def build_duplicate(_site: Site) -> Kernel:
    """Write a scalar to every element."""

    def kernel(value: Any, *, out: Array) -> None:
        np.copyto(out, value, casting="unsafe")

    return kernel


@full("brcb")
def brcb(ctx: OpContext) -> None:
    """Spread each of 8 source elements per iteration over one 32-byte block; no mask.

    Source: CCE guide, vbrcb. Block and iteration strides of dst count 32-byte blocks.
    """
    repeat = int(ctx.scalar("repeatTimes"))
    params = ctx.struct("repeatParams")
    lanes = BLOCK_BYTES // ctx.dtype("dst").size_bytes
    values = ctx.read("src0", repeat * BLOCKS)
    rows = np.arange(repeat)[:, None] * params.get("dst_rep_stride") + np.arange(BLOCKS) * params.get("dst_blk_stride")
    into = rows[..., None] * lanes + np.arange(lanes)
    ctx.scatter("dst", np.reshape(into, (-1, lanes)), np.repeat(values[:, None], lanes, axis=1))


@full("copy")
def copy(ctx: OpContext) -> None:
    """Copy the active elements of each iteration.

    In counter mode the mask counts the elements of every iteration and `repeatTime` still holds
    (vendor page Copy); elsewhere counter mode counts the whole instruction.
    """
    dtype = ctx.dtype("src")
    params = ctx.struct("repeatParams")
    area = _copy_area(ctx, elems_per_repeat(dtype))
    size = dtype.size_bytes
    values = ctx.gather("src", _copy_index(area, size, params.get("src_stride"), params.get("src_repeat_size")))
    ctx.scatter("dst", _copy_index(area, size, params.get("dst_stride"), params.get("dst_repeat_size")), values)


def _copy_area(ctx: OpContext, elems: int) -> Active:
    repeat = int(ctx.scalar("repeatTime"))
    state = ctx.state
    given = bool(ctx.scalar("isSetMask", True))
    words = ctx.scalars("mask") if given else (state.mask_low, state.mask_high)
    if state.mask_counter:
        count = int(words[0])
        return Active(repeat, count, np.ones((repeat, count), np.bool_))
    # The `_l1` form of the real dialect takes a count, `_l0` takes bit words.
    counted = given and ctx.op.endswith("_l1")
    row = np.arange(elems) < int(words[0]) if counted else mask_row(words, elems)
    return Active(repeat, elems, np.broadcast_to(row, (repeat, elems)))


def mask_row(words: tuple[int, ...], elems: int) -> Array:
    """Return one iteration's active elements from 64-bit words, low word first."""
    raw = b"".join((int(word) & ALL_BITS).to_bytes(8, "little") for word in words)
    row = np.zeros(max(elems, 8 * len(raw)), np.bool_)
    row[: 8 * len(raw)] = np.unpackbits(np.frombuffer(raw, np.uint8), bitorder="little")
    return row[:elems]


def _copy_index(area: Active, size: int, blk_stride: int, rep_stride: int) -> Index:
    lanes = BLOCK_BYTES // size
    elem = np.arange(area.elems)
    rows = np.arange(area.repeat)[:, None] * rep_stride + elem // lanes * blk_stride
    return (rows * lanes + elem % lanes)[area.bits]
