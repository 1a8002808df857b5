# SPDX-License-Identifier: Apache-2.0
"""Image-to-column loads: a feature map in L1 becomes rows of patches in L0A or L0B.

The map is NC1HWC0 with C0 = 32 bytes. Row m of the patch matrix is output position (ho, wo), column
k runs over (c1, filter row, filter column, c0). L0A gets the rows `m_start_pt ..` and columns
`k_start_pt ..` as a left matrix (transposed when asked); L0B gets them with m as the k direction.
Places past the last output position are filled with zero: unspecified. Source: vendor page LoadData 3D
and its reference script.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from asclens_compiler.backends.simulator.dtypes import numpy_dtype
from asclens_compiler.backends.simulator.semantics.api import Array, OpContext, Struct, full
from asclens_compiler.backends.simulator.semantics.fractal import chunk_elems, zn_index, zz_index
from asclens_compiler.errors import AscLensError
from asclens_compiler.hardware.pipes import Memory

_WIDE_FILTER = 256
_REPEAT = "load_data_repeat_"  # state.more: fields of SetLoadDataRepeat


@dataclass(frozen=True, slots=True, kw_only=True)
class Patches:
    """Geometry of an image-to-column load, sizes in elements."""

    height: int
    width: int
    pads: tuple[int, int, int, int]  # left, right, top, bottom
    strides: tuple[int, int]  # height, width
    filters: tuple[int, int]
    dilations: tuple[int, int]
    start: tuple[int, int]  # m, k
    extent: tuple[int, int]

    @property
    def outputs(self) -> tuple[int, int]:
        """Return output height and width."""
        sizes: list[int] = []
        for axis, size, before, after in (
            (0, self.height, self.pads[2], self.pads[3]),
            (1, self.width, self.pads[0], self.pads[1]),
        ):
            reach = (self.filters[axis] - 1) * self.dilations[axis] + 1
            sizes.append((size + before + after - reach) // self.strides[axis] + 1)
        return sizes[0], sizes[1]


def patch_index(patches: Patches, chunk: int) -> tuple[Array, Array, Array]:
    """Return element indexes (m, k) in L1, where they are inside the map, and which rows exist."""
    m = patches.start[0] + np.arange(patches.extent[0])[:, None]
    k = patches.start[1] + np.arange(patches.extent[1])
    rows_out, columns_out = patches.outputs
    filter_h, filter_w = patches.filters
    place, channel = k // chunk, k % chunk
    plane, tap = place // (filter_h * filter_w), place % (filter_h * filter_w)
    row = m // max(columns_out, 1) * patches.strides[0] - patches.pads[2] + tap // filter_w * patches.dilations[0]
    column = m % max(columns_out, 1) * patches.strides[1] - patches.pads[0] + tap % filter_w * patches.dilations[1]
    inside = (row >= 0) & (row < patches.height) & (column >= 0) & (column < patches.width)
    index = (plane * patches.height * patches.width + row * patches.width + column) * chunk + channel
    exists = np.broadcast_to(m < rows_out * columns_out, index.shape)
    return index, inside & exists, exists


@full("load_data_3d_v2")
def load_data_3d_v2(ctx: OpContext) -> None:
    """Load a block of the patch matrix, padding with `pad_value`."""
    params = ctx.struct("loadDataParams")
    filters = [int(params.get(f"filter_{axis}")) for axis in "hw"]
    for i, axis in enumerate("hw"):
        filters[i] += _WIDE_FILTER if params.get(f"filter_size_{axis}") else 0
    pads = tuple(int(value) for value in params.get("pad_list"))
    patches = Patches(
        height=int(params.get("l1_h")),
        width=int(params.get("l1_w")),
        pads=(pads[0], pads[1], pads[2], pads[3]),
        strides=(int(params.get("stride_h")), int(params.get("stride_w"))),
        filters=(filters[0], filters[1]),
        dilations=(int(params.get("dilation_filter_h")), int(params.get("dilation_filter_w"))),
        start=(int(params.get("m_start_pt")), int(params.get("k_start_pt"))),
        extent=(int(params.get("m_extension")), int(params.get("k_extension"))),
    )
    _load(ctx, patches, params.get("pad_value"), transpose=bool(params.get("en_transpose")))


def _load(ctx: OpContext, patches: Patches, pad_value: float, *, transpose: bool) -> None:
    if not patches.extent[0] or not patches.extent[1]:
        return
    dtype = numpy_dtype(ctx.dtype("src"))
    chunk = chunk_elems(dtype.itemsize)
    index, inside, exists = patch_index(patches, chunk)
    matrix: Array = np.zeros(index.shape, dtype)
    matrix[exists] = np.array([pad_value]).astype(dtype)[0]
    matrix[inside] = ctx.gather("src", index[inside])
    m, k = patches.extent
    if ctx.memory("dst") is Memory.L0B:
        ctx.scatter("dst", zn_index(m, k, chunk), matrix)
    elif transpose:
        ctx.scatter("dst", zz_index(k, m, chunk), np.transpose(matrix))
    else:
        ctx.scatter("dst", zz_index(m, k, chunk), matrix)


@full("load_data_3d_v2pro")
def load_data_3d_v2pro(ctx: OpContext) -> None:
    """Load a block of the patch matrix with packed parameters.

    `ext_config`: k and m extent, k and m start, 16 bits each; `filter_config`: strides, filter and
    dilation, width first, 8 bits each. The map is one row of as many places as the source holds: its
    size comes from SetFmatrix, which pyasc 1.1.1 does not offer.
    """
    params = ctx.struct("loadDataParams")
    extent, shape = int(params.get("ext_config")), int(params.get("filter_config"))
    fields = [extent >> (16 * i) & 0xFFFF for i in range(4)]
    steps = [shape >> (8 * i) & 0xFF for i in range(6)]
    chunk = chunk_elems(ctx.dtype("src").size_bytes)
    planes = max(-(-int(params.get("channel_size")) // chunk), 1)
    patches = Patches(
        height=1,
        width=ctx.size("src") // (chunk * planes),
        pads=(0, 0, 0, 0),
        strides=(steps[1], steps[0]),
        filters=(steps[3], steps[2]),
        dilations=(steps[5], steps[4]),
        start=(fields[3], fields[2]),
        extent=(fields[1], fields[0]),
    )
    _load(ctx, patches, 0, transpose=bool(params.get("en_transpose")))


@full("load_data_3d_v1")
def load_data_3d_v1(_ctx: OpContext) -> None:
    """Report that the first form of this load does not exist on A2 / A3."""
    raise AscLensError(
        "load_data with LoadData3DParamsV1 does not exist on this chip", help="use LoadData3DParamsV2 instead"
    )


@full("set_load_data_boundary")
def set_load_data_boundary(ctx: OpContext) -> None:
    """Set the size after which image loads wrap around in L1; 0 means none."""
    ctx.state.more["load_data_boundary"] = int(ctx.scalar("value"))


@full("set_load_data_padding_value")
def set_load_data_padding_value(ctx: OpContext) -> None:
    """Set the padding register; loads here take the value of their own params."""
    ctx.state.more["load_data_padding"] = ctx.scalar("padValue")


@full("set_load_data_repeat")
def set_load_data_repeat(ctx: OpContext) -> None:
    """Set the repeat register of image loads."""
    _keep(ctx, ctx.struct("repeatParams"))


def _keep(ctx: OpContext, params: Struct) -> None:
    for field in ("repeat_time", "repeat_stride", "repeat_mode"):
        ctx.state.more[_REPEAT + field] = int(params.get(field))
