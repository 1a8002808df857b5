# SPDX-License-Identifier: Apache-2.0
"""Declared tensors in which nothing has been stored yet."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from asclens_compiler.frontend.values import KernelValue

if TYPE_CHECKING:
    from asclens_compiler.ascir.values import IRValue
    from asclens_compiler.frontend.context import Context


@dataclass(slots=True, eq=False)
class Empty(KernelValue):
    """The handles of empty tensors of one kernel."""

    handles: set[IRValue] = field(default_factory=set["IRValue"])
    kind = "empty tensors"


def _empty(ctx: Context) -> set[IRValue]:
    found = ctx.singletons.get("empty tensors")
    if found is not None and isinstance(found[0], Empty):
        return found[0].handles
    made = Empty()
    ctx.singletons["empty tensors"] = (made, ctx.frame.source.line_span(1))
    return made.handles


def declare(ctx: Context, handle: IRValue) -> None:
    """Note a tensor that has been allocated and not filled."""
    _empty(ctx).add(handle)


def stored(ctx: Context, handle: IRValue) -> None:
    """Note that something has been stored in a tensor."""
    _empty(ctx).discard(handle)


def is_empty(ctx: Context, handle: IRValue) -> bool:
    """Tell whether nothing has been stored in a tensor so far."""
    return handle in _empty(ctx)
