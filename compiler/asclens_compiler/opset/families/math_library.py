# SPDX-License-Identifier: Apache-2.0
"""`asc.adv` functions on vectors: library routines made of many vector instructions.

No source states their cycles; costs are estimates of so many vector instructions per 256 bytes.
"""

from __future__ import annotations

from dataclasses import replace

from asclens_compiler.opset.forms import count_footprints, counted, custom, same_dtype, vector_row, whole
from asclens_compiler.opset.model import ApiRow, Cost, FootprintRow, OperandRow, OpRow
from asclens_compiler.opset.rows import (
    api,
    declare,
    described,
    dst,
    flag,
    number,
    overload,
    params,
    scratch,
    src,
)

_FLOATS = "half float"
_WORK = scratch(optional=True)
_COUNT = number("calCount", optional=True)
_REUSE = number("isReuseSource", "int1")
_TAIL = "count: RuntimeInt = None, temp_buffer: LocalTensor = None, is_reuse_source: RuntimeBool = False"
_BIND = {"sharedTmpBuffer": "temp_buffer"}

# op, Ascend C, semantics, estimated vector instructions, text
_UNARY = (
    ("acos", "Acos", 25, "Arc cosine.|反余弦。"),
    ("acosh", "Acosh", 20, "Inverse hyperbolic cosine.|反双曲余弦。"),
    ("asin", "Asin", 25, "Arc sine.|反正弦。"),
    ("asinh", "Asinh", 20, "Inverse hyperbolic sine.|反双曲正弦。"),
    ("atan", "Atan", 30, "Arc tangent.|反正切。"),
    ("atanh", "Atanh", 15, "Inverse hyperbolic tangent.|反双曲正切。"),
    ("ceil", "Ceil", 4, "Rounds up.|向上取整。"),
    ("cos", "Cos", 25, "Cosine.|余弦。"),
    ("cosh", "Cosh", 12, "Hyperbolic cosine.|双曲余弦。"),
    ("digamma", "Digamma", 60, "Digamma function.|digamma 函数。"),
    ("erf", "Erf", 30, "Error function.|误差函数。"),
    ("erfc", "Erfc", 40, "Complement of the error function.|互补误差函数。"),
    ("floor", "Floor", 4, "Rounds down.|向下取整。"),
    ("frac", "Frac", 6, "Fraction part.|小数部分。"),
    ("lgamma", "Lgamma", 60, "Logarithm of the gamma function.|gamma 函数对数。"),
    ("log", "Log", 3, "Natural logarithm.|自然对数。"),
    ("round", "Round", 4, "Rounds to the nearest integer, half to even.|四舍六入五成双取整。"),
    ("sign", "Sign", 8, "-1, 0 or 1 by the sign.|符号函数。"),
    ("sin", "Sin", 25, "Sine.|正弦。"),
    ("sinh", "Sinh", 12, "Hyperbolic sine.|双曲正弦。"),
    ("tan", "Tan", 30, "Tangent.|正切。"),
    ("tanh", "Tanh", 12, "Hyperbolic tangent.|双曲正切。"),
    ("trunc", "Trunc", 4, "Rounds towards zero.|向零取整。"),
)


def _estimate(instructions: int) -> Cost:
    return Cost(head=24 * instructions, per_unit=instructions, source="estimate: no published figure")


def _library(row: OpRow, tensors: tuple[OperandRow, ...], instructions: int) -> OpRow:
    prints: tuple[FootprintRow, ...] = (*count_footprints(tensors), whole("sharedTmpBuffer"))
    names = tuple(item.name for item in tensors)
    return vector_row(row, prints, (same_dtype(*names),), _estimate(instructions))


def _unary(name: str, cpp: str, instructions: int, text: str) -> OpRow:
    tensors = (dst(_FLOATS), src(_FLOATS))
    row = declare(name, cpp, *tensors, _WORK, _COUNT, _REUSE, semantics=name, text=text)
    return _library(row, tensors, instructions)


def _binary(name: str, cpp: str, types: str, instructions: int, text: str) -> OpRow:
    tensors = (dst(types), src(types, "src0"), src(types, "src1"))
    row = declare(name, cpp, *tensors, _WORK, _COUNT, _REUSE, semantics=name, text=text)
    return _library(row, tensors, instructions)


UNARY = tuple(_unary(*row) for row in _UNARY)
POWER = _binary("power", "Power", "half float int32", 30, "src0 to the power of src1.|求幂。")
XOR = _binary("xor", "Xor", "int16 uint16", 4, "Bitwise exclusive or.|按位异或。")
_PAIR = (dst(_FLOATS), src(_FLOATS))
EXP = _library(
    declare(
        "exp",
        "Exp",
        *_PAIR,
        number("calCount"),
        number("taylorExpandLevel"),
        _WORK,
        _REUSE,
        semantics="exp_taylor",
        text="e to the power of each element, by a Taylor series of a level.|泰勒展开求自然指数。",
    ),
    _PAIR,
    20,
)
AXPY = _library(
    declare(
        "axpy",
        "Axpy",
        *_PAIR,
        number("scalar", same_as="src"),
        _WORK,
        _COUNT,
        _REUSE,
        semantics="axpy_library",
        text="dst = src * scalar + dst.|src 与标量乘积累加到 dst。",
    ),
    _PAIR,
    3,
)


def _clamp(name: str, cpp: str, text: str) -> OpRow:
    row = declare(
        name, cpp, *_PAIR, _WORK, number("scalar", same_as="src"), number("calCount"), _REUSE, semantics=name, text=text
    )
    return _library(row, _PAIR, 3)


# Ops of the real dialect that no public call of pyasc 1.1.1 makes.
CLAMP_MAX = _clamp("clamp_max", "ClampMax", "The smaller of element and scalar.|上限截断。")
CLAMP_MIN = _clamp("clamp_min", "ClampMin", "The larger of element and scalar.|下限截断。")

_SORT_TIMES = number("repeatTime")
CONCAT = vector_row(
    declare(
        "concat",
        "Concat",
        dst(_FLOATS),
        src(_FLOATS),
        scratch("tmp"),
        _SORT_TIMES,
        semantics="concat",
        text="Prepares scores for sort; on this architecture dst becomes src itself.|排序前的数据准备。",
    ),
    (custom("dst", "scores32", repeat="repeatTime"), custom("src", "scores32", repeat="repeatTime"), whole("tmp")),
    (same_dtype("dst", "src"),),
    _estimate(1),
)
EXTRACT = vector_row(
    declare(
        "extract",
        "Extract",
        dst(_FLOATS, "dstValue"),
        dst("uint32", "dstIndex"),
        src(_FLOATS),
        _SORT_TIMES,
        semantics="extract",
        text="Splits sorted records into scores and indexes.|将排序结果拆分为值和索引。",
    ),
    (
        custom("dstValue", "scores32", repeat="repeatTime"),
        custom("dstIndex", "scores32", repeat="repeatTime"),
        custom("src", "records32", repeat="repeatTime"),
    ),
    (same_dtype("dstValue", "src"),),
    _estimate(14),
)
QUANT = vector_row(
    declare(
        "quant",
        "AscendQuant",
        dst("int8"),
        src("half float", "srcTensor"),
        number("scale", "float"),
        number("offset", "float"),
        number("calCount", optional=True),
        _WORK,
        params("config", "QuantConfig", optional=True),
        attrs=(flag("isReuseSource"),),
        semantics="quant",
        text="round(src * scale + offset) as int8.|量化为 int8。",
    ),
    (counted("dst", "calCount"), counted("srcTensor", "calCount"), whole("sharedTmpBuffer")),
    (),
    _estimate(6),
)


def _rows(name: str, cpp: str, flags: str, *operands: OperandRow, text: str) -> OpRow:
    row = declare(name, cpp, *operands, attrs=tuple(flag(item) for item in flags.split()), semantics=name, text=text)
    prints = tuple(whole(item.name) for item in operands if item.role.value in ("dst", "src", "inout"))
    return vector_row(row, prints, (), _estimate(20))


_SOFTMAX = (
    dst(_FLOATS),
    dst(_FLOATS, "sumTensor"),
    dst(_FLOATS, "maxTensor"),
    src(_FLOATS),
    _WORK,
    params("tiling", "SoftmaxTiling"),
    params("softmaxShapeInfo", "SoftMaxShapeInfo", optional=True),
)
_SOFT_FLAGS = "reuseSource basicBlock dataFormatNZ"
SOFTMAX = _rows(
    "softmax", "SoftMax", _SOFT_FLAGS, *_SOFTMAX, text="Softmax of each row, its maximum and sum.|按行 Softmax。"
)
SIMPLE_SOFTMAX = _rows(
    "simple_softmax",
    "SimpleSoftMax",
    _SOFT_FLAGS,
    *(replace(item, role=src(_FLOATS).role) if item.name in ("sumTensor", "maxTensor") else item for item in _SOFTMAX),
    text="exp(x - max) / sum with maximum and sum given.|使用给定最大值与和的 Softmax。",
)
RMSNORM = _rows(
    "rmsnorm",
    "RmsNorm",
    "basicBlock",
    dst(_FLOATS),
    src(_FLOATS),
    src(_FLOATS, "gamma"),
    number("epsilon", same_as="src"),
    params("tiling", "RmsNormTiling"),
    _WORK,
    text="Divides each row by its root mean square, times gamma.|RMS 归一化。",
)

OPS = (
    *UNARY, POWER, XOR, EXP, AXPY, CLAMP_MAX, CLAMP_MIN, CONCAT, EXTRACT, QUANT, SOFTMAX, SIMPLE_SOFTMAX, RMSNORM,
)  # fmt: skip

_D = "dst: LocalTensor, src: LocalTensor"
_B = "dst: LocalTensor, src0: LocalTensor, src1: LocalTensor"


def _adv(op: OpRow, head: str, **binding: str) -> ApiRow:
    return api(f"adv.{op.name}", overload(op, head, **(_BIND | binding)), text=described(op))


APIS = (
    *(_adv(op, f"{_D}, {_TAIL}") for op in UNARY),
    _adv(POWER, f"{_B}, {_TAIL}"),
    _adv(XOR, f"{_B}, {_TAIL}"),
    _adv(
        EXP,
        f"{_D}, count: RuntimeInt, taylor_expand_level: RuntimeInt, temp_buffer: LocalTensor = None, "
        "is_reuse_source: RuntimeBool = False",
    ),
    _adv(AXPY, f"{_D}, scalar: RuntimeNumeric, {_TAIL}"),
    _adv(CONCAT, f"{_D}, tmp: LocalTensor, repeat_time: RuntimeInt"),
    _adv(EXTRACT, "dst_value: LocalTensor, dst_index: LocalTensor, src: LocalTensor, repeat_time: RuntimeInt"),
    _adv(
        QUANT,
        f"{_D}, scale: RuntimeFloat, offset: RuntimeFloat, count: RuntimeInt = None, temp_buffer: LocalTensor = None, "
        "reuse_source: bool = False, config: QuantConfig = None",
        srcTensor="src",
        isReuseSource="reuse_source",
    ),
    _adv(
        SOFTMAX,
        "dst: LocalTensor, sum: LocalTensor, max: LocalTensor, src: LocalTensor, tiling: SoftmaxTiling, "
        "temp_buffer: LocalTensor = None, reuse_source: bool = False, basic_block: bool = False, "
        "data_format_nz: bool = False",
        sumTensor="sum",
        maxTensor="max",
        dataFormatNZ="data_format_nz",
    ),
    _adv(
        RMSNORM,
        f"{_D}, gamma: LocalTensor, epsilon: RuntimeNumeric, tiling: RmsNormTiling, "
        "temp_buffer: LocalTensor = None, basic_block: bool = False",
    ),
)
