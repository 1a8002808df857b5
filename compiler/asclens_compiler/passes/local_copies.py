# SPDX-License-Identifier: Apache-2.0
"""Copies of whole tensors inside UB, bit for bit, on the vector pipe; and how to recognise them."""

from __future__ import annotations

from math import prod

from asclens_compiler.ascir.builder import Builder
from asclens_compiler.ascir.program import Op
from asclens_compiler.ascir.types import LocalType, ScalarType
from asclens_compiler.ascir.values import IRValue
from asclens_compiler.errors import InternalError
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.source.span import Span

COPY_OP = "or_l2"


def copy_tensor(builder: Builder, target: IRValue, source: IRValue, span: Span) -> None:
    """Copy a tensor: `or` of its bits with themselves, as 16-bit elements."""
    kind = target.type
    if not isinstance(kind, LocalType):
        raise InternalError("a value that is no local tensor is copied", op=COPY_OP, span=span)
    views = [_bits(builder, item, span) for item in (target, source)]
    if kind.shape is None or kind.dtype is DType.UNKNOWN:
        count = builder.op("local_tensor_get_size", [views[0]], results=[ScalarType(DType.INT32)], span=span)[0]
    else:
        count = builder.constant(-(-prod(kind.shape) * kind.dtype.bits // 16), DType.INT32, span)
    builder.op(COPY_OP, [views[0], views[1], views[1], count], span=span)


def _bits(builder: Builder, tensor: IRValue, span: Span) -> IRValue:
    kind = tensor.type
    assert isinstance(kind, LocalType)
    shape = None
    if kind.shape is not None and kind.dtype is not DType.UNKNOWN:
        shape = (-(-prod(kind.shape) * kind.dtype.bits // 16),)
    view = LocalType(DType.UINT16, kind.position, shape)
    return builder.op("reinterpret_cast", [tensor], attrs={"dtype": DType.UINT16}, results=[view], span=span)[0]


def is_copy(op: Op) -> bool:
    """Tell whether an op copies one tensor onto another."""
    return op.name == COPY_OP and op.operands[1] == op.operands[2] and op.operands[0] != op.operands[1]
