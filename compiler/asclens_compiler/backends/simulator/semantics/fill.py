# SPDX-License-Identifier: Apache-2.0
"""Filling and copying inside the unified buffer: duplicate, brcb, masked copy."""

from __future__ import annotations

from typing import Any

import numpy as np

from asclens_compiler.backends.simulator.semantics.api import Array, Kernel, OpContext, Site, elementwise, full
from asclens_compiler.backends.simulator.semantics.blocks import (
    BLOCK_BYTES,
    BLOCKS,
    REPEAT_BYTES,
    Active,
    active_elements,
    elems_per_repeat,
    gather_active,
    repeat_index,
    scatter_active,
    strides_of,
)


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
    if not repeat:
        return
    params = ctx.struct("repeatParams")
    size = ctx.dtype("dst").size_bytes
    values = ctx.read("src0", repeat * BLOCKS)
    spread = np.reshape(np.repeat(values, BLOCK_BYTES // size), (repeat, -1))
    strides = strides_of(params, "dst")
    if strides == (1, BLOCKS):
        ctx.write("dst", spread.size)[:] = np.ravel(spread)
    else:
        ctx.scatter("dst", repeat_index(size, repeat, *strides, REPEAT_BYTES // size), spread)


@full("copy")
def copy(ctx: OpContext) -> None:
    """Copy the active elements of each iteration.

    In counter mode the mask counts the elements of every iteration and `repeatTime` still holds
    (vendor page Copy); elsewhere counter mode counts the whole instruction.
    """
    params = ctx.struct("repeatParams")
    area = _copy_area(ctx, elems_per_repeat(ctx.dtype("src")))
    if not area.any:
        return
    values = gather_active(ctx, "src", area, (int(params.get("src_stride")), int(params.get("src_repeat_size"))))
    target = int(params.get("dst_stride")), int(params.get("dst_repeat_size"))
    scatter_active(ctx, "dst", area, target, values)


def _copy_area(ctx: OpContext, elems: int) -> Active:
    repeat, state = int(ctx.scalar("repeatTime")), ctx.state
    given = bool(ctx.scalar("isSetMask", True))
    words = tuple(int(word) for word in ctx.scalars("mask")) if given else (state.mask_low, state.mask_high)
    if state.mask_counter:
        return active_elements((words[0],), True, False, words[0], repeat)
    # The `_l1` form of the real dialect takes a count, `_l0` takes bit words.
    return active_elements(words, given and ctx.op.endswith("_l1"), False, elems, repeat)
