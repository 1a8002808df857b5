# SPDX-License-Identifier: Apache-2.0
"""The staged surface: stage marks, the matmul macro, and functions on whole tensors."""

from __future__ import annotations

from dataclasses import replace

from asclens_compiler.hardware.pipes import Memory
from asclens_compiler.opset.forms import whole
from asclens_compiler.opset.model import ApiRow, OpRow, Overload
from asclens_compiler.opset.rows import AttrRow, declare, dst, number, overload, signature, src, staged

_UNIT = (AttrRow(name="unit"),)


def _mark(name: str, text: str, *, unit: bool = False) -> OpRow:
    return declare(name, "", attrs=_UNIT if unit else (), semantics="machine.no_effect", text=text)


START = _mark("stage_start", "Begins a stage.|阶段开始。", unit=True)
END = _mark("stage_end", "Ends a stage.|阶段结束。", unit=True)
_PIPE_NAMES = ("v", "m", "s", "mte1", "mte2", "mte3", "fix")
MARKS = tuple(
    _mark(f"pipe_{name}", f"What follows runs on pipe {name.upper()}.|后续指令在 {name.upper()} 流水线执行。")
    for name in _PIPE_NAMES
)
_GM = frozenset({Memory.GM})
_IN = "half bf16 float int8"
MATMUL = replace(
    declare(
        "matmul",
        "Matmul",
        src(_IN, "a", _GM),
        src(_IN, "b", _GM),
        dst("float half bf16 int32", "c", _GM),
        number("m"),
        number("n"),
        number("k"),
        text="c = a * b for m rows of a, n columns of b and k common; expanded into tiles.|矩阵乘宏，展开为分块计算。",
    ),
    compute_unit="CUBE",
    footprints=(whole("a"), whole("b"), whole("c")),
)

OPS = (START, END, *MARKS, MATMUL)


def _forms(op: str, value: str, target: str, lower: str) -> tuple[Overload, Overload]:
    """Return the value form and the destination form of a staged function."""
    return (
        Overload(params=signature(value), op=op, lower=f"staged_{lower}", returns="Tensor"),
        Overload(params=signature(target), op=op, lower=f"staged_{lower}_into"),
    )


_UNARY = (
    ("relu", "relu_l2", "max(x, 0).|线性整流。"),
    ("exp", "exp_l2", "e to the power of each element.|自然指数。"),
    ("sqrt", "sqrt_l2", "Square root.|开方。"),
    ("abs", "abs_l2", "Absolute value.|绝对值。"),
    ("ln", "ln_l2", "Natural logarithm.|自然对数。"),
    ("rsqrt", "rsqrt_l2", "Low-precision 1 / sqrt(x).|低精度平方根倒数。"),
    ("reciprocal", "reciprocal_l2", "Low-precision 1 / x.|低精度倒数。"),
)
_BINARY = (
    ("add", "add_l2", "a + b.|求和。"),
    ("sub", "sub_l2", "a - b.|求差。"),
    ("mul", "mul_l2", "a * b.|求积。"),
    ("div", "div_l2", "a / b.|求商。"),
    ("maximum", "max_l2", "The larger of two elements.|取最大值。"),
    ("minimum", "min_l2", "The smaller of two elements.|取最小值。"),
)
_REDUCE = (
    ("reduce_sum", "reduce_sum_l2", "Sum of all elements, or along an axis.|求和归约。"),
    ("reduce_max", "reduce_max_l2", "Largest element, or along an axis.|最大值归约。"),
    ("reduce_min", "reduce_min_l2", "Smallest element, or along an axis.|最小值归约。"),
)
_OPERATORS = (
    ("__add__", "add_l2", "x + y|求和"), ("__sub__", "sub_l2", "x - y|求差"), ("__mul__", "mul_l2", "x * y|求积"),
    ("__truediv__", "div_l2", "x / y|求商"), ("__neg__", "muls_l2", "-x|取负"), ("__gt__", "compare_l2", "x > y|比较"),
    ("__ge__", "compare_l2", "x >= y|比较"), ("__lt__", "compare_l2", "x < y|比较"),
    ("__le__", "compare_l2", "x <= y|比较"), ("__eq__", "compare_l2", "x == y|比较"),
    ("__ne__", "compare_l2", "x != y|比较"), ("__and__", "and_l2", "x & y|按位与"),
    ("__or__", "or_l2", "x or y, bit by bit|按位或"),
    ("__invert__", "not_l2", "~x|按位取反"), ("__getitem__", "", "A part of the tensor, or an element.|切片或元素。"),
    ("__setitem__", "local_tensor_set_value", "Writes an element in a SCALAR stage.|写元素。"),
)  # fmt: skip


def _method(name: str, text: str, params: str = "", returns: str = "Tensor", op: str = "") -> ApiRow:
    lower = f"staged_{name.strip('_')}"
    return staged(f"Tensor.{name}", Overload(params=signature(params), op=op, lower=lower, returns=returns), text=text)


def _one(name: str, params: str, text: str, op: OpRow | None = None, returns: str = "None") -> ApiRow:
    return staged(
        name, overload(op, params, lower=f"staged_{name.rsplit('.', maxsplit=1)[-1]}", returns=returns), text=text
    )


_SHAPE = "shape: any = None, dtype: DataType = None, scope: Scope = None"

APIS = (
    _one(
        "Tensor",
        _SHAPE,
        "A tensor: a parameter, a local buffer, or a global tensor bound at launch.|张量。",
        None,
        "Tensor",
    ),
    _method("to_local", "Copies the tensor into UB, asynchronously.|异步搬入 UB。", op="data_copy_l2"),
    _method("copy_from", "Copies a local tensor here, asynchronously.|异步搬出。", "src: any", "None", "data_copy_l2"),
    _method("to", "Converts elements to another type.|精度转换。", "dtype: DataType", op="cast_l2"),
    *(_method(name, text, "other: any", op=op) for name, op, text in _OPERATORS),
    _one("PipeStage.start", "unit: PipeStage", "Begins a stage of a unit.|开始一个计算阶段。", START),
    _one("PipeStage.end", "unit: PipeStage", "Ends the stage of a unit.|结束一个计算阶段。", END),
    staged(
        "PipeStage.sync",
        Overload(params=(), op="pipe_barrier", binding=(("pipe", "='PIPE_ALL'"),), lower="staged_sync"),
        text="Waits for everything the core has started.|等待本核所有流水线完成。",
    ),
    staged(
        "sync_all",
        Overload(params=(), op="sync_all_hard", binding=(("isAIVOnly", "=True"),), lower="staged_sync_all"),
        text="Waits for the core's work, then for all cores.|等待本核完成并全核同步。",
    ),
    *(staged(name, *_forms(op, "x: any", "dst: any, x: any", "unary"), text=text) for name, op, text in _UNARY),
    *(
        staged(name, *_forms(op, "a: any, b: any", "dst: any, a: any, b: any", "binary"), text=text)
        for name, op, text in _BINARY
    ),
    *(
        staged(name, *_forms(op, "x: any, axis: int = None", "dst: any, x: any", "reduce"), text=text)
        for name, op, text in _REDUCE
    ),
    staged(
        "select",
        *_forms("select_l2", "mask: any, a: any, b: any", "dst: any, mask: any, a: any, b: any", "select"),
        text="a where the mask holds, else b.|按掩码选择。",
    ),
    staged(
        "cast",
        *_forms(
            "cast_l2",
            "x: any, dtype: DataType, round_mode: RoundMode = None",
            "dst: any, x: any, round_mode: RoundMode = None",
            "cast",
        ),
        text="Converts elements to another type.|精度转换。",
    ),
    staged(
        "duplicate",
        Overload(params=signature("dst: any, value: RuntimeNumeric"), op="duplicate_l2", lower="staged_duplicate"),
        text="Fills a tensor with a number.|填充。",
    ),
    staged(
        "data_copy",
        Overload(
            params=signature("dst: any, src: any, count: RuntimeInt = None"),
            op="data_copy_l2",
            lower="staged_data_copy",
        ),
        text="Copies a tensor, or its first elements.|搬运张量。",
    ),
    staged(
        "matmul",
        overload(
            MATMUL,
            "a: any, b: any, c: any, m: RuntimeInt, n: RuntimeInt, k: RuntimeInt",
            lower="staged_matmul",
        ),
        text=f"{MATMUL.summary}|{MATMUL.summary_zh}",
    ),
)
