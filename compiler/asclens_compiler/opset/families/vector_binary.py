# SPDX-License-Identifier: Apache-2.0
"""Vector calls with two source tensors."""

from __future__ import annotations

from dataclasses import replace

from asclens_compiler.hardware.pipes import Pipe
from asclens_compiler.opset.forms import (
    TYPE_SOURCE,
    Vector,
    aligned,
    cost,
    count_footprints,
    fits,
    vector_api,
    vector_ops,
)
from asclens_compiler.opset.model import ApiRow, Constraint, ConstraintKind, OpRow
from asclens_compiler.opset.rows import dst, inout, src, type_pairs

_FLOATS = "half float"
_ARITH = "int16 half int32 float"
_BITS = "int16 uint16"
_SAME = ("dst", "src0", "src1")

# op, public name, Ascend C, element types, cost (head+tail, cycles per repeat), text
_PLAIN = (
    ("add", "add", "Add", _ARITH, (24, 1), "dst = src0 + src1, element by element.|逐元素求和。"),
    ("sub", "sub", "Sub", _ARITH, (24, 1), "dst = src0 - src1, element by element.|逐元素求差。"),
    ("mul", "mul", "Mul", _ARITH, (25, 1), "dst = src0 * src1, element by element.|逐元素求积。"),
    ("div", "div", "Div", _FLOATS, (30, 4), "dst = src0 / src1, element by element.|逐元素求商。"),
    ("max", "max", "Max", _ARITH, (24, 1), "The larger of two elements.|逐元素取最大值。"),
    ("min", "min", "Min", _ARITH, (24, 1), "The smaller of two elements.|逐元素取最小值。"),
    ("and", "bitwise_and", "And", _BITS, (20, 1), "Bitwise and.|逐元素按位与。"),
    ("or", "bitwise_or", "Or", _BITS, (20, 1), "Bitwise or.|逐元素按位或。"),
    ("add_relu", "add_relu", "AddRelu", "int16 half float", (24, 1), "max(src0 + src1, 0).|求和后取 ReLU。"),
    ("sub_relu", "sub_relu", "SubRelu", "int16 half float", (24, 1), "max(src0 - src1, 0).|求差后取 ReLU。"),
)  # fmt: skip

# op, Ascend C, cost, text; dst = f(src0, src1, dst)
_FUSED = (
    ("fused_mul_add", "FusedMulAdd", (24, 4), "dst = src0 * dst + src1.|乘加，dst 为乘数。"),
    ("fused_mul_add_relu", "FusedMulAddRelu", (24, 4), "dst = max(src0 * dst + src1, 0).|乘加后取 ReLU。"),
)

_NARROW = "int8,half,half int8,int16,int16 half,float,float"

# op, Ascend C, types of (dst, src0, src1), element types of dst / src, text
_CASTING = (
    ("add_deq_relu", "AddDeqRelu", "half,int32,int32", "half", "int32",
     "Adds, scales by the dequantisation factor, and cuts at 0.|求和、反量化后取 ReLU。"),
    ("add_relu_cast", "AddReluCast", _NARROW, "int8 half", "half int16 float",
     "max(src0 + src1, 0) in a narrower type.|求和、ReLU 并转换。"),
    ("sub_relu_cast", "SubReluCast", _NARROW, "int8 half", "half int16 float",
     "max(src0 - src1, 0) in a narrower type.|求差、ReLU 后转换精度。"),
    ("mul_cast", "MulCast", "int8,half,half uint8,half,half", "int8 uint8", "half",
     "src0 * src1 in a narrower type.|求积后转换精度。"),
)  # fmt: skip

_HEAD = "dst: LocalTensor, src0: LocalTensor, src1: LocalTensor"
_DEQ = Constraint(
    kind=ConstraintKind.SAME_DTYPE, operands=("src0", "src1"), source=TYPE_SOURCE + "; needs SetDeqScale before"
)


def _spec(name: str, cpp: str, types: str, price: tuple[int, int], text: str) -> Vector:
    return Vector(
        name=name,
        cpp=cpp,
        tensors=(dst(types), src(types, "src0"), src(types, "src1")),
        text=text,
        struct="BinaryRepeatParams",
        same=_SAME,
        cost=cost(*price),
    )


_MUL_ADD = Vector(
    name="mul_add_dst",
    cpp="MulAddDst",
    tensors=(inout(_FLOATS), src(_FLOATS, "src0"), src(_FLOATS, "src1")),
    text="dst = src0 * src1 + dst; half sources may add into float.|乘加到 dst，支持 half 累加到 float。",
    struct="BinaryRepeatParams",
    pairs=type_pairs("half,half,half float,float,float float,half,half"),
    cost=cost(24, 4),
)

_SPECS: tuple[tuple[str, Vector, bool], ...] = (
    *((row[1], _spec(row[0], row[2], row[3], row[4], row[5]), True) for row in _PLAIN),
    *(
        (
            row[0],
            replace(_spec(row[0], row[1], _FLOATS, row[2], row[3]), tensors=(inout(_FLOATS), src(_FLOATS, "src0"),
                                                                             src(_FLOATS, "src1"))),
            True,
        )
        for row in _FUSED
    ),
    ("mul_add_dst", _MUL_ADD, True),
    *(
        (
            name,
            Vector(
                name=name,
                cpp=cpp,
                tensors=(dst(out), src(into, "src0"), src(into, "src1")),
                text=text,
                struct="BinaryRepeatParams",
                pairs=type_pairs(pairs),
                cost=cost(24, 2, "src0"),
                set_mask=name != "mul_cast",
                more=(_DEQ,) if name == "add_deq_relu" else (),
            ),
            name != "mul_cast",
        )
        for name, cpp, pairs, out, into, text in _CASTING
    ),
)  # fmt: skip


def _count_only(name: str, cpp: str, price: tuple[int, int], text: str) -> OpRow:
    first = vector_ops(_spec(name, cpp, _FLOATS, price, text))[2]
    return replace(first, name=f"{name}_l2", semantics=name)


# Ops of the real dialect that no public call of pyasc 1.1.1 makes; our passes and the importer know them.
_EXTRA = (
    _count_only("prelu", "Prelu", (24, 2), "src0 where positive, else src0 * src1.|参数化 ReLU。"),
    _count_only("fused_abs_sub", "FusedAbsSub", (24, 2), "Absolute difference of src0 and src1.|差的绝对值。"),
    _count_only("fused_exp_sub", "FusedExpSub", (31, 2), "exp(src0 - src1).|差的指数。"),
)


def _whole(name: str, cpp: str) -> OpRow:
    tensors = (dst(_ARITH), src(_ARITH, "src0"), src(_ARITH, "src1"))
    return OpRow(
        name=f"{name}_l3",
        cpp=cpp,
        operands=tensors,
        pipe=Pipe.V,
        compute_unit="VECTOR",
        footprints=count_footprints(tensors, ""),
        constraints=(*aligned(*_SAME), *fits(*_SAME)),
        semantics=name,
        cost=cost(24, 1),
        summary=f"{cpp.removeprefix('operator')} on whole tensors; the destination's length decides.",
    )


_ROWS: tuple[tuple[str, Vector, tuple[OpRow, OpRow, OpRow], bool], ...] = tuple(
    (public, spec, vector_ops(spec), counted) for public, spec, counted in _SPECS
)

OPS = (
    *(op for _, _, ops, _ in _ROWS for op in ops),
    *_EXTRA,
    _whole("add", "operator+"),
    _whole("sub", "operator-"),
    _whole("mul", "operator*"),
    _whole("div", "operator/"),
)

APIS: tuple[ApiRow, ...] = tuple(
    vector_api(public, spec, ops, _HEAD, count_set_mask=counted) for public, spec, ops, counted in _ROWS
)
