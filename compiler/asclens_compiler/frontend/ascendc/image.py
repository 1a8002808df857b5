# SPDX-License-Identifier: Apache-2.0
"""Parameters of the image unit: parts are remembered and become ops where the whole is made."""

from __future__ import annotations

from dataclasses import dataclass

from asclens_compiler.ascir.types import StructType
from asclens_compiler.ascir.values import IRValue
from asclens_compiler.frontend.ascendc.calls import Call, literal, number, wrap
from asclens_compiler.frontend.dtypes import DTypeValue
from asclens_compiler.frontend.static import StaticValue
from asclens_compiler.frontend.values import POISON, KernelValue
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.opset.registry import opset


@dataclass(frozen=True, slots=True, eq=False)
class ImagePart(KernelValue):
    """A part of `AippParams`, by its call."""

    call_: Call
    kind = "parameter struct"

    @property
    def name(self) -> str:
        """Return the struct's name."""
        return self.call_.row.name.removeprefix("asc.")

    def describe(self) -> str:
        """Return for example `an AippSwapParams`."""
        return f"an {self.name}"

    def api_class(self) -> str:
        """Return the facade class."""
        return self.call_.row.name


def image_part(call: Call) -> KernelValue:
    """`AippSwapParams(...)` and the other parts."""
    return ImagePart(call)


def image_params(call: Call) -> KernelValue:
    """`AippParams(dtype, ...)`: one struct per part, then the whole."""
    given = call.value("dtype")
    dtype = given.dtype if isinstance(given, DTypeValue) else DType.UNKNOWN
    parts: list[IRValue] = []
    for field in opset().structs["AippParams"].fields:
        if field.name == "dtype":
            continue
        part = call.value(field.name)
        made = _part(call, field.type_name, part if isinstance(part, ImagePart) else None, dtype)
        if made is None:
            return POISON
        parts.append(made)
    attrs = {"type": "AippParams", "dtype": dtype.value}
    kind = StructType("AippParams")
    (handle,) = call.ctx.builder.op("construct", [parts], attrs=attrs, results=[kind], span=call.span)
    return wrap(call, "AippParams", handle)


def _part(call: Call, name: str, part: ImagePart | None, dtype: DType) -> IRValue | None:
    """Make one part, all defaults when it is not given."""
    operands: list[IRValue] = []
    for field in opset().structs[name].fields:
        value = part.call_.value(field.name) if part is not None else literal(field.default)
        wanted = dtype if "padding_value" in field.name else None
        if isinstance(value, StaticValue) and isinstance(value.value, bool):
            value = StaticValue(int(value.value))
        made = number(call.ctx, value, wanted, call.span, exact=wanted is not None)
        if made is None:
            call.ctx.not_supported(f"`{name}.{field.name}` takes a number, not {value.describe()}", call.span)
            return None
        operands.append(made)
    attrs = {"type": name, "dtype": dtype.value if name.endswith("PaddingParams") else ""}
    (handle,) = call.ctx.builder.op("construct", [operands], attrs=attrs, results=[StructType(name)], span=call.span)
    return handle


LOWERINGS = {"image_part": image_part, "image_params": image_params}
