# SPDX-License-Identifier: Apache-2.0
"""Region proposals: eight elements of which number 4 is the score.

These instructions exist on earlier chips only; A2 / A3 report them as unsupported. The meaning is
that of the vendor pages ProposalConcat, ProposalExtract, RpSort16 and MrgSort4.
"""

from __future__ import annotations

import numpy as np

from asclens_compiler.backends.simulator.semantics.api import OpContext, full
from asclens_compiler.backends.simulator.semantics.sort import descending, merge

_FIELDS = 8
_SCORE = 4
_GROUP = 16


@full("proposal_concat")
def proposal_concat(ctx: OpContext) -> None:
    """Put 16 elements per iteration into field `modeNumber` of proposals."""
    count = int(ctx.scalar("repeatTime")) * _GROUP
    places = np.arange(count) * _FIELDS + int(ctx.scalar("modeNumber"))
    ctx.scatter("dst", places, ctx.read("src", count))


@full("proposal_extract")
def proposal_extract(ctx: OpContext) -> None:
    """Take field `modeNumber` out of 16 proposals per iteration."""
    count = int(ctx.scalar("repeatTime")) * _GROUP
    places = np.arange(count) * _FIELDS + int(ctx.scalar("modeNumber"))
    ctx.write("dst", count)[:] = ctx.gather("src", places)


@full("rp_sort16")
def rp_sort16(ctx: OpContext) -> None:
    """Sort each 16 proposals by score, highest first."""
    repeat = int(ctx.scalar("repeatTime"))
    groups = np.reshape(ctx.read("src", repeat * _GROUP * _FIELDS), (repeat, _GROUP, _FIELDS))
    order = descending(groups[:, :, _SCORE])
    ctx.write("dst", groups.size)[:] = np.ravel(np.take_along_axis(groups, order[:, :, None], axis=1))


@full("mrg_sort4")
def mrg_sort4(ctx: OpContext) -> None:
    """Merge up to four sorted lists of proposals; iterations move on by all four lengths."""
    info = ctx.struct("params")
    lengths = [int(value) for value in info.get("element_lengths")]
    names, valid, stride = ctx.tensors("src"), int(info.get("valid_bit")), sum(lengths) * _FIELDS
    used = [i for i in range(len(names)) if valid >> i & 1]
    for step in range(int(info.get("repeat_times"))):
        lists = [
            np.reshape(ctx.read(names[i], lengths[i] * _FIELDS, step * stride), (lengths[i], _FIELDS)) for i in used
        ]
        suspend = bool(info.get("if_exhausted_suspension", False))
        order, taken = merge([rows[:, _SCORE] for rows in lists], suspend=suspend)
        merged = np.concatenate(lists)[order]
        ctx.write("dst", merged.size, step * stride)[:] = np.ravel(merged)
        counts = [0, 0, 0, 0]
        for i, count in zip(used, taken, strict=True):
            counts[i] = count
        ctx.state.mrg_sort_counts = tuple(counts)
