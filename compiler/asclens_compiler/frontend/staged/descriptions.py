# SPDX-License-Identifier: Apache-2.0
"""What `Tensor(shape=..., dtype=..., scope=...)` says, as annotation or in a kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from asclens_compiler.frontend.dtypes import DTypeValue
from asclens_compiler.frontend.enums import EnumValue
from asclens_compiler.frontend.staged.extents import Extent, Shape, fixed, shape_text
from asclens_compiler.frontend.static import SequenceValue, StaticValue
from asclens_compiler.frontend.values import KernelValue
from asclens_compiler.hardware.dtypes import DType


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Description:
    """What is said about a tensor: None where nothing is."""

    dtype: DType | None = None
    shape: Shape | None = None
    scope: str = ""

    def text(self) -> str:
        """Return for example `float32 (1024,)`."""
        dtype = self.dtype.value if self.dtype is not None and self.dtype is not DType.UNKNOWN else "?"
        return f"a tensor of {dtype} {shape_text(self.shape)}"


def describe_call(args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue]) -> Description:
    """Read `Tensor(shape=..., dtype=..., scope=...)`; what is not understood counts as not said."""
    values = dict(zip(("shape", "dtype", "scope"), args, strict=False)) | dict(kwargs)
    dtype, scope = values.get("dtype"), values.get("scope")
    return Description(
        dtype=dtype.dtype if isinstance(dtype, DTypeValue) else None,
        shape=shape_of(values.get("shape")),
        scope=scope.member if isinstance(scope, EnumValue) else "",
    )


def shape_of(value: KernelValue | None) -> Shape | None:
    """Return a shape given as an int or a tuple; None when it is not known at all."""
    if isinstance(value, StaticValue) and isinstance(value.value, int) and not isinstance(value.value, bool):
        return fixed((value.value,))
    items = value.items() if isinstance(value, SequenceValue) else None
    if items is None:
        return None
    return tuple(
        Extent(item.value) if isinstance(item, StaticValue) and isinstance(item.value, int) else Extent()
        for item in items
    )
