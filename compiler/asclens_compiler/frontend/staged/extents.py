# SPDX-License-Identifier: Apache-2.0
"""Shapes of staged tensors: each extent is a number, a run-time length with a bound, or unknown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from asclens_compiler.hardware.dtypes import DType

if TYPE_CHECKING:
    from asclens_compiler.ascir.values import IRValue
    from asclens_compiler.frontend.context import Context
    from asclens_compiler.source.span import Span


@dataclass(frozen=True, slots=True, eq=False)
class Extent:
    """One dimension: `size` when it is known, else the run-time `value` that never exceeds `bound`.

    All three are None when only a launch knows the dimension.
    """

    size: int | None = None
    value: IRValue | None = None
    bound: int | None = None

    @property
    def capacity(self) -> int | None:
        """Return the most elements there can be."""
        return self.size if self.size is not None else self.bound

    def text(self) -> str:
        """Return the number, or `?`."""
        if self.size is not None:
            return str(self.size)
        return f"<={self.bound}" if self.bound is not None else "?"


UNKNOWN_EXTENT = Extent()
Shape = tuple[Extent, ...]


def fixed(sizes: Sequence[int]) -> Shape:
    """Return a shape of numbers."""
    return tuple(Extent(size) for size in sizes)


def sizes_of(shape: Shape | None) -> tuple[int, ...] | None:
    """Return the numbers of a shape when all are known."""
    if shape is None:
        return None
    found = [extent.size for extent in shape if extent.size is not None]
    return tuple(found) if len(found) == len(shape) else None


def capacity_of(shape: Shape | None) -> tuple[int, ...] | None:
    """Return the sizes to allocate; None when a dimension has no bound."""
    if shape is None:
        return None
    found = [extent.capacity for extent in shape if extent.capacity is not None]
    return tuple(found) if len(found) == len(shape) else None


def elems_of(shape: Shape | None) -> int | None:
    """Return the number of elements when it is known."""
    sizes = sizes_of(shape)
    return None if sizes is None else prod(sizes)


def shape_text(shape: Shape | None) -> str:
    """Return for example `(1024,)`; `(?)` when nothing is known."""
    if shape is None:
        return "(?)"
    inner = ", ".join(extent.text() for extent in shape)
    return f"({inner},)" if len(shape) == 1 else f"({inner})"


def may_agree(left: Shape | None, right: Shape | None) -> bool:
    """Tell whether two shapes can be the same; what is unknown agrees with anything."""
    if left is None or right is None:
        return True
    if len(left) != len(right):
        return False
    return all(
        one.size is None or two.size is None or one.size == two.size for one, two in zip(left, right, strict=True)
    )


def merged(left: Shape | None, right: Shape | None) -> Shape | None:
    """Return the better known of two shapes that agree."""
    if left is None or right is None:
        return left if right is None else right
    return tuple(
        one if one.size is not None or (two.size is None and one.bound is not None) else two
        for one, two in zip(left, right, strict=True)
    )


def count_value(ctx: Context, shape: Shape | None, span: Span) -> IRValue:
    """Return the number of elements as an int32 for the device."""
    builder = ctx.builder
    if shape is None or any(extent.capacity is None for extent in shape):
        return unknown_number(ctx, DType.INT32, span)
    total = builder.constant(prod(extent.size for extent in shape if extent.size is not None), DType.INT32, span)
    for extent in shape:
        if extent.value is not None and extent.size is None:
            total = _times(ctx, total, extent.value, span)
    return total


def _times(ctx: Context, left: IRValue, right: IRValue, span: Span) -> IRValue:
    return ctx.builder.arith("muli", [left, right], DType.INT32, span)


def unknown_number(ctx: Context, dtype: DType, span: Span) -> IRValue:
    """Return a scalar that only a launch knows."""
    from asclens_compiler.ascir.types import ScalarType  # noqa: PLC0415  keeps this module light

    attrs = {"what": "launch", "predicate": ""}
    return ctx.builder.op("unknown_scalar", [[]], attrs=attrs, results=[ScalarType(dtype)], span=span)[0]
