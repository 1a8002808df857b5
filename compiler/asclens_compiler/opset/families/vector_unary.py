# SPDX-License-Identifier: Apache-2.0
"""Vector calls with one source tensor, and with one source tensor and a scalar."""

from __future__ import annotations

from asclens_compiler.opset.forms import Vector, cost, in_range, vector_api, vector_ops
from asclens_compiler.opset.model import ApiRow, OpRow
from asclens_compiler.opset.rows import dst, inout, number, src, type_pairs

_FLOATS = "half float"
_ARITH = "int16 half int32 float"
_SHIFTS = "int16 uint16 int32 uint32"
_SAME = ("dst", "src")

# op, public name, Ascend C, element types, cost (head+tail, cycles per repeat), text
_UNARY = (
    ("abs", "abs", "Abs", _FLOATS, (29, 1), "Absolute value.|逐元素取绝对值。"),
    ("exp", "exp", "Exp", _FLOATS, (31, 2), "e to the power of each element.|逐元素取自然指数。"),
    ("ln", "ln", "Ln", _FLOATS, (33, 2), "Natural logarithm; undefined for elements <= 0.|逐元素取自然对数。"),
    ("sqrt", "sqrt", "Sqrt", _FLOATS, (39, 2), "Square root; undefined for negative elements.|逐元素开方。"),
    ("rsqrt", "rsqrt", "Rsqrt", _FLOATS, (24, 1), "Low-precision 1 / sqrt(x), about 8 bits.|低精度平方根倒数。"),
    ("reciprocal", "reciprocal", "Reciprocal", _FLOATS, (24, 1), "Low-precision 1 / x, about 8 bits.|低精度倒数。"),
    ("relu", "relu", "Relu", "half int32 float", (23, 1), "max(x, 0).|逐元素线性整流。"),
    ("not", "bitwise_not", "Not", "int16 uint16", (20, 1), "Bitwise not.|逐元素按位取反。"),
)  # fmt: skip

# op, Ascend C, element types, cost, text
_SCALAR = (
    ("adds", "Adds", _ARITH, (31, 1), "dst = src + scalar.|逐元素与标量求和。"),
    ("muls", "Muls", _ARITH, (26, 1), "dst = src * scalar.|逐元素与标量求积。"),
    ("maxs", "Maxs", _ARITH, (23, 1), "The larger of element and scalar.|逐元素与标量取最大值。"),
    ("mins", "Mins", _ARITH, (30, 1), "The smaller of element and scalar.|逐元素与标量取最小值。"),
    ("leaky_relu", "LeakyRelu", _FLOATS, (26, 1), "x where x >= 0, else x * scalar.|带泄露线性整流。"),
    ("shift_left", "ShiftLeft", _SHIFTS, (20, 1), "Shifts left; the low bits become 0.|逐元素左移。"),
    ("shift_right", "ShiftRight", _SHIFTS, (20, 1), "Shifts right; signed types keep the sign.|逐元素右移。"),
)

_SHIFT_RULE = (in_range("scalar", 0, 32, "CANN ShiftLeft/ShiftRight: 0..bits of the element type"),)


def _unary(name: str, cpp: str, types: str, price: tuple[int, int], text: str) -> Vector:
    return Vector(name=name, cpp=cpp, tensors=(dst(types), src(types)), text=text, same=_SAME, cost=cost(*price))


def _scalar(name: str, cpp: str, types: str, price: tuple[int, int], text: str) -> Vector:
    return Vector(
        name=name,
        cpp=cpp,
        tensors=(dst(types), src(types)),
        extras=(number("scalar", same_as="src"),),
        text=text,
        same=_SAME,
        cost=cost(*price),
        count_set_mask=True,
        more=_SHIFT_RULE if name.startswith("shift") else (),
    )


_AXPY = Vector(
    name="axpy",
    cpp="Axpy",
    tensors=(inout(_FLOATS), src(_FLOATS)),
    extras=(number("scalar", same_as="src"),),
    text="dst = src * scalar + dst; half sources may add into float.|src 与标量乘积累加到 dst。",
    pairs=type_pairs("half,half float,float float,half"),
    cost=cost(24, 2),
    count_set_mask=True,
)

_UNARY_ROWS: tuple[tuple[str, Vector, tuple[OpRow, OpRow, OpRow]], ...] = tuple(
    (row[1], spec, vector_ops(spec)) for row in _UNARY for spec in (_unary(row[0], *row[2:]),)
)
_SCALAR_ROWS: tuple[tuple[str, Vector, tuple[OpRow, OpRow, OpRow], bool], ...] = (
    *((row[0], spec, vector_ops(spec), True) for row in _SCALAR for spec in (_scalar(*row),)),
    ("axpy", _AXPY, vector_ops(_AXPY), False),
)
_NEG = vector_ops(_unary("neg", "Neg", _ARITH, (24, 1), "dst = -src.|逐元素取负。"))[2]

OPS = (
    *(op for _, _, ops in _UNARY_ROWS for op in ops),
    *(op for _, _, ops, _ in _SCALAR_ROWS for op in ops),
    _NEG,
)

APIS: tuple[ApiRow, ...] = (
    *(
        vector_api(public, spec, ops, "dst: LocalTensor, src: LocalTensor", count_set_mask=False)
        for public, spec, ops in _UNARY_ROWS
    ),
    *(
        vector_api(
            public, spec, ops, "dst: LocalTensor, src: LocalTensor, scalar: RuntimeNumeric", count_set_mask=counted
        )
        for public, spec, ops, counted in _SCALAR_ROWS
    ),
)
