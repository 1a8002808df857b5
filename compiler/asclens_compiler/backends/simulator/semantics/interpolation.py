# SPDX-License-Identifier: Apache-2.0
"""Bilinear interpolation: weighted sums of blocks taken at offsets.

Source: vendor page BilinearInterpolation (a chain of Gatherb, Brcb, Mul, Add and Adds).
"""

from __future__ import annotations

import numpy as np

from asclens_compiler.backends.simulator.dtypes import numpy_dtype
from asclens_compiler.backends.simulator.semantics.api import Array, OpContext, full
from asclens_compiler.backends.simulator.semantics.blocks import BLOCK_BYTES, BLOCKS, active, reset_mask, scatter_active
from asclens_compiler.hardware.dtypes import DType


@full("bilinear_interpolation")
def bilinear_interpolation(ctx: OpContext) -> None:
    """Sum `hRepeat` weighted groups of 8 blocks for each of `vRepeat` results.

    With `repeatMode` each block has a weight of its own, else the 8 blocks of a group share one.
    Products round to the element type and add up in order; the mask gates all but the products.
    """
    across, down = int(ctx.scalar("hRepeat")), int(ctx.scalar("vRepeat"))
    dtype = numpy_dtype(ctx.dtype("dst"))
    lanes = BLOCK_BYTES // dtype.itemsize
    groups = across * down
    offsets = ctx.read("src0Offset", groups * BLOCKS, dtype=DType.UINT32).astype(np.int64) // BLOCK_BYTES
    blocks = ctx.gather("src0", offsets[:, None] * lanes + np.arange(lanes))
    own = bool(ctx.scalar("repeatMode"))
    weights = ctx.read("src1", groups * BLOCKS if own else groups)
    spread = weights if own else np.repeat(weights, BLOCKS)
    products = np.reshape(blocks * spread[:, None], (down, across, BLOCKS * lanes))
    total: Array = products[:, 0]
    for step in range(1, across):
        total = products[:, step] + total
    total = total + dtype.type(0)
    area = active(ctx, down, ctx.dtype("dst"))
    strides = int(ctx.scalar("dstBlkStride")), int(ctx.scalar("vROffset")) * dtype.itemsize // BLOCK_BYTES
    scatter_active(ctx, "dst", area, strides, total[area.bits])
    reset_mask(ctx.state)
