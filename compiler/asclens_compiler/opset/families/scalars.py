# SPDX-License-Identifier: Apache-2.0
"""Scalar helpers, stack arrays, structs of user code, and compile-time names."""

from __future__ import annotations

from asclens_compiler.opset.model import ApiRow, OpRow
from asclens_compiler.opset.rows import (
    AttrRow,
    api,
    declare,
    described,
    dtype_attr,
    enum,
    handle,
    number,
    overload,
    pure,
    scalar_op,
    unsupported,
)


def _bits(name: str, cpp: str, text: str, *, count: str = "", signed: bool = False) -> OpRow:
    operands = (number("valueIn", "int64" if signed else "uint64"), *((number("countValue"),) if count else ()))
    return pure(scalar_op(declare(name, cpp, *operands, results="int64", semantics=name, text=text)))


SCALAR_CAST = pure(
    scalar_op(
        declare(
            "scalar_cast",
            "ScalarCast",
            number("valueIn", "float"),
            attrs=(dtype_attr(), enum("roundMode", "RoundMode")),
            results="dtype",
            semantics="scalar_cast",
            text="Converts a float with a round mode.|标量精度转换。",
        )
    )
)
SFF = _bits("scalar_get_sff_value", "ScalarGetSFFValue", "Position of the first 0 or 1 bit.|首个 0 或 1。", count="1")
COUNT_VALUE = _bits(
    "scalar_get_count_of_value", "ScalarGetCountOfValue", "Number of 0 or 1 bits.|0 或 1 的个数。", count="1"
)
LEADING = _bits("scalar_count_leading_zero", "ScalarCountLeadingZero", "Leading 0 bits.|前导零个数。")
SIGN_BITS = _bits(
    "count_bits_cnt_same_as_sign_bit",
    "CountBitsCntSameAsSignBit",
    "Bits after the sign that equal it.|与符号位相同的位数。",
    signed=True,
)
ARRAY = declare(
    "array",
    "",
    number("values", "", variadic=True),
    attrs=(dtype_attr(),),
    results="Array",
    text="Makes an array on the core's stack.|栈上数组。",
)
ARRAY_LOAD = scalar_op(
    declare("array_load", "", handle("array"), number("index", "int64"), results="element", text="Reads an array.")
)
ARRAY_STORE = scalar_op(
    declare(
        "array_store",
        "",
        handle("array"),
        number("index", "int64"),
        number("value", ""),
        text="Writes an array.",
    )
)
COPY_STRUCT = declare(
    "copy_struct", "", handle("base"), results="struct", text="Copies a host struct into the core.|将结构体拷贝到核内。"
)
MEMBER = pure(
    declare(
        "member",
        "",
        handle("base"),
        attrs=(AttrRow(name="field"),),
        results="field",
        text="Reads a field.|读成员。",
    )
)
SET_MEMBER = declare(
    "set_member",
    "",
    handle("base"),
    number("value", ""),
    attrs=(AttrRow(name="field"),),
    text="Writes a field.|写结构体成员。",
)

OPS = (
    SCALAR_CAST, SFF, COUNT_VALUE, LEADING, SIGN_BITS, ARRAY, ARRAY_LOAD, ARRAY_STORE, COPY_STRUCT, MEMBER, SET_MEMBER,
)  # fmt: skip

_V = "value_in: RuntimeInt"
_ARRAY = "language.core.array.Array"
_STRUCT = "language.core.struct.Struct"
_NUMBER = "language.core.ir_value.PlainValue"


def _inline(name: str, text: str, returns: str, lower: str, summary: str) -> ApiRow:
    return api(name, overload(None, text, returns=returns, lower=lower), text=summary)


APIS = (
    api(
        "scalar_cast",
        overload(SCALAR_CAST, "value_in: RuntimeFloat, dtype: DataType, round_mode: RoundMode", returns="dtype"),
        text=described(SCALAR_CAST),
    ),
    api("scalar_get_sff_value", overload(SFF, f"{_V}, count_value: RuntimeInt", returns="int64"), text=described(SFF)),
    api(
        "scalar_get_count_of_value",
        overload(COUNT_VALUE, f"{_V}, count_value: RuntimeInt", returns="int64"),
        text=described(COUNT_VALUE),
    ),
    api("scalar_count_leading_zero", overload(LEADING, _V, returns="int64"), text=described(LEADING)),
    api("count_bits_cnt_same_as_sign_bit", overload(SIGN_BITS, _V, returns="int64"), text=described(SIGN_BITS)),
    api(
        "array",
        overload(
            ARRAY,
            "dtype: DataType, length_or_values: any, fill_value: RuntimeNumeric = None",
            returns="Array",
            lower="array",
        ),
        text=described(ARRAY),
    ),
    api(
        f"{_ARRAY}.__getitem__",
        overload(ARRAY_LOAD, "index: RuntimeInt", returns="element", lower="array_load", array="self"),
        text=described(ARRAY_LOAD),
    ),
    api(
        f"{_ARRAY}.__setitem__",
        overload(ARRAY_STORE, "index: RuntimeInt, value: RuntimeNumeric", lower="array_store", array="self"),
        text=described(ARRAY_STORE),
    ),
    _inline(f"{_ARRAY}.__len__", "", "int", "array_len", "Length of an array.|数组长度。"),
    _inline("ceildiv", "x: int, y: int", "int", "ceildiv", "x / y rounded up, at compile time.|向上取整。"),
    _inline(
        "number",
        "value: any, dtype: DataType",
        "dtype",
        "number",
        "A run-time number of a type.|运行时标量。",
    ),
    _inline("ConstExpr", "value: any", "ConstExpr", "annotation", "Marks a compile-time parameter.|编译期参数标注。"),
    _inline("range", "args: any", "range", "range", "A loop at run time.|运行时循环。"),
    _inline("static_range", "args: any", "range", "static_range", "A loop unrolled at compile time.|编译期展开循环。"),
    _inline("jit", "fn: any = None", "function", "jit", "Marks a kernel or a helper.|核函数装饰器。"),
    _inline(f"{_NUMBER}.cast", "dtype: DataType", "dtype", "cast", "Converts a run-time number.|标量类型转换。"),
    _inline(f"{_NUMBER}.ceildiv", "other: any", "self", "scalar_ceildiv", "Division rounded up.|向上取整除法。"),
    _inline(f"{_NUMBER}.__add__", "other: any", "self", "scalar_add", "Sum of two numbers.|标量求和。"),
    _inline(f"{_NUMBER}.logical_and", "other: any", "int1", "logical_and", "Both conditions.|逻辑与。"),
    _inline(f"{_NUMBER}.logical_or", "other: any", "int1", "logical_or", "Either condition.|逻辑或。"),
    _inline(_STRUCT, "", "Struct", "struct", "Base of structs that a launch passes to a kernel.|用户结构体基类。"),
    _inline(f"{_STRUCT}.create_local", "", "Struct", "struct_local", "Copy of a struct in the core.|核内结构体副本。"),
    _inline(
        "language.core.struct.Field",
        "dtype: DataType, default: any = None, name: str = None, enum: str = None",
        "Field",
        "field",
        "A number in a struct.|结构体标量字段。",
    ),
    _inline(
        "language.core.struct.StructField",
        "struct_cls: any, default: any = None, name: str = None",
        "StructField",
        "field",
        "A struct in a struct.|结构体嵌套字段。",
    ),
    unsupported(
        "inline",
        "Text of Ascend C has no meaning outside the device compiler",
        overload(None, "code: str, args: any = None, before_function: bool = False"),
    ),
)
