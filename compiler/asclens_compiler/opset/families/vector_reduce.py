# SPDX-License-Identifier: Apache-2.0
"""Reductions: per repeat, per 32-byte block, per pair, and of a whole run of repeats."""

from __future__ import annotations

from dataclasses import replace

from asclens_compiler.hardware.pipes import Pipe
from asclens_compiler.opset.forms import (
    MASK_SOURCE,
    REPEAT_SOURCE,
    aligned,
    cost,
    fits,
    in_range,
    same_dtype,
)
from asclens_compiler.opset.model import (
    Constraint,
    ConstraintKind,
    FootprintKind,
    FootprintRow,
    OperandRow,
    OpRow,
)
from asclens_compiler.opset.rows import (
    MASK,
    MASK_WORDS,
    SET_MASK,
    api,
    bilingual,
    dst,
    enum,
    number,
    numbers,
    overload,
    scratch,
    src,
)

_FLOATS = "half float"
_DST, _SRC = dst(_FLOATS), src(_FLOATS)
_TIMES = number("repeatTime")
_ORDER = enum("order", "ReduceOrder")
_SOURCE = FootprintRow(
    operand="src",
    kind=FootprintKind.REPEAT,
    mask="mask",
    repeat="repeatTime",
    blk_stride="srcBlkStride",
    rep_stride="srcRepStride",
    widest=("src",),
)
_MASK_RULE = Constraint(kind=ConstraintKind.MASK_IN_REPEAT, operands=("mask", "src"), source=MASK_SOURCE)
_TYPES = same_dtype("dst", "src")
_TIMES_RULE = in_range("repeatTime", 0, 255, REPEAT_SOURCE)


def _unit(value: int, source: str) -> Constraint:
    return Constraint(kind=ConstraintKind.ALIGNED_TO, operands=("dst",), value=value, source=source)


def _narrow(kind: str) -> Constraint:
    """A reduction of repeats or of everything writes single values: no blocks."""
    if kind == "sum":
        return _unit(2, "CANN ReduceSum, WholeReduceSum pages: dst starts at a multiple of 2 (half) or 4 (float) bytes")
    return _unit(4, "CANN ReduceMax, WholeReduceMax pages: dst starts at a multiple of 4 (half) or 8 (float) bytes")


def _row(name: str, cpp: str, operands: tuple[OperandRow, ...], text: str, semantics: str, price: float) -> OpRow:
    summary, summary_zh = bilingual(text)
    return OpRow(
        name=name,
        cpp=cpp,
        operands=operands,
        pipe=Pipe.V,
        compute_unit="VECTOR",
        semantics=semantics,
        cost=cost(46, price, "src"),
        summary=summary,
        summary_zh=summary_zh,
    )


def _masked(form: str) -> OperandRow:
    return MASK if form == "l0" else MASK_WORDS


def _mask_rules(form: str) -> tuple[Constraint, ...]:
    return (_MASK_RULE, _TIMES_RULE) if form == "l0" else (_TIMES_RULE,)


def _dst_print(function: str) -> FootprintRow:
    return FootprintRow(
        operand="dst",
        kind=FootprintKind.CUSTOM,
        function=function,
        repeat="repeatTime",
        rep_stride="dstRepStride",
        widest=("src",),
    )


_STRIDES = numbers("dstRepStride srcBlkStride srcRepStride")
_WHOLE = (
    ("sum", "WholeReduceSum", 3, "Adds the elements of each repeat; a tree of neighbours.|每个迭代内求和。"),
    ("max", "WholeReduceMax", 7, "Largest element of each repeat, and its index.|每个迭代内求最大值及索引。"),
    ("min", "WholeReduceMin", 7, "Smallest element of each repeat, and its index.|每个迭代内求最小值及索引。"),
)
_BLOCK = (
    ("sum", "BlockReduceSum", 1, "Adds the elements of each 32-byte block.|每个数据块内求和。"),
    ("max", "BlockReduceMax", 1, "Largest element of each 32-byte block.|每个数据块内求最大值。"),
    ("min", "BlockReduceMin", 1, "Smallest element of each 32-byte block.|每个数据块内求最小值。"),
)
_TENSOR = (
    ("sum", "ReduceSum", 3, "Adds all elements.|对所有元素求和。"),
    ("max", "ReduceMax", 7, "Largest of all elements, and its index when asked.|对所有元素求最大值及索引。"),
    ("min", "ReduceMin", 7, "Smallest of all elements, and its index when asked.|对所有元素求最小值及索引。"),
)


def _whole(kind: str, cpp: str, price: float, text: str, form: str) -> OpRow:
    name = f"whole_reduce_{kind}"
    row = _row(f"{name}_{form}", cpp, (_DST, _SRC, _masked(form), _TIMES, *_STRIDES), text, name, price)
    return replace(
        row,
        attrs=(SET_MASK,) if kind == "sum" else (_ORDER, SET_MASK),
        footprints=(_dst_print("whole_reduce_dst"), _SOURCE),
        constraints=(*_mask_rules(form), _TYPES, _narrow(kind), *aligned("src"), *fits("dst", "src")),
    )


def _block(kind: str, cpp: str, price: float, text: str, form: str) -> OpRow:
    name = f"block_reduce_{kind}"
    row = _row(f"{name}_{form}", cpp, (_DST, _SRC, _TIMES, _masked(form), *_STRIDES), text, name, price)
    return replace(
        row,
        footprints=(_dst_print("block_reduce_dst"), _SOURCE),
        constraints=(
            *_mask_rules(form),
            _TYPES,
            _unit(16, "CANN BlockReduce pages: dst starts at a multiple of 16 bytes (half) or 32 bytes (float)"),
            *aligned("src"),
            *fits("dst", "src"),
        ),
    )


def _pair(form: str) -> OpRow:
    text = "Adds neighbours 2k and 2k+1 of each repeat.|相邻两元素求和。"
    row = _row(
        f"pair_reduce_sum_{form}",
        "PairReduceSum",
        (_DST, _SRC, _TIMES, _masked(form), *_STRIDES),
        text,
        "pair_reduce_sum",
        1,
    )
    return replace(
        row,
        attrs=(SET_MASK,),
        footprints=(_dst_print("pair_reduce_dst"), _SOURCE),
        constraints=(*_mask_rules(form), _TYPES, *aligned("dst", "src"), *fits("dst", "src")),
    )


def _tensor(kind: str, cpp: str, price: float, text: str, form: str) -> OpRow:
    name = f"reduce_{kind}"
    index = () if kind == "sum" else (number("calIndex", "int1"),)
    tail = (number("count"),) if form == "l2" else (_masked(form), _TIMES, number("srcRepStride"))
    row = _row(f"{name}_{form}", cpp, (_DST, _SRC, scratch(), *tail, *index), text, name, price)
    out = FootprintRow(operand="dst", kind=FootprintKind.CUSTOM, function="reduce_dst", count="calIndex")
    work = FootprintRow(operand="sharedTmpBuffer", kind=FootprintKind.WHOLE)
    if form == "l2":
        read = FootprintRow(operand="src", kind=FootprintKind.COUNT, count="count")
        rules: tuple[Constraint, ...] = ()
    else:
        read = replace(_SOURCE, blk_stride="1")
        rules = _mask_rules(form)
    return replace(
        row,
        footprints=(out, read, work),
        constraints=(*rules, _TYPES, _narrow(kind), *aligned("src", "sharedTmpBuffer"), *fits("dst", "src")),
    )


REPEAT_SUM = replace(
    _row(
        "repeat_reduce_sum_l0",
        "RepeatReduceSum",
        (_DST, _SRC, _TIMES, MASK, *numbers("dstBlkStride srcBlkStride dstRepStride srcRepStride")),
        "Adds the elements of each repeat; results lie side by side.|每个迭代内求和，结果连续。",
        "repeat_reduce_sum",
        3,
    ),
    attrs=(SET_MASK,),
    footprints=(_dst_print("whole_reduce_dst"), _SOURCE),
    constraints=(_MASK_RULE, _TIMES_RULE, _TYPES, _narrow("sum"), *aligned("src"), *fits("dst", "src")),
)
_FORMS = ("l0", "l1")
WHOLE = {row[0]: tuple(_whole(*row, form) for form in _FORMS) for row in _WHOLE}
BLOCK = {row[0]: tuple(_block(*row, form) for form in _FORMS) for row in _BLOCK}
PAIR = tuple(_pair(form) for form in _FORMS)
TENSOR = {row[0]: tuple(_tensor(*row, form) for form in ("l0", "l1", "l2")) for row in _TENSOR}

OPS = (
    *(op for ops in WHOLE.values() for op in ops),
    *(op for ops in BLOCK.values() for op in ops),
    *PAIR,
    *(op for ops in TENSOR.values() for op in ops),
    REPEAT_SUM,
)

_T = "dst: LocalTensor, src: LocalTensor"
_TAIL = "dst_rep_stride: RuntimeInt, src_blk_stride: RuntimeInt, src_rep_stride: RuntimeInt"
_MASK_KINDS = ("RuntimeInt", "list")
_ORDER_PARAM = ", order: ReduceOrder = ReduceOrder.ORDER_VALUE_INDEX"


def _tensor_params(kind: str, position: int) -> str:
    index = "" if kind == "sum" else ", cal_index: bool = False"
    if position == 2:
        return f"{_T}, shared_tmp_buffer: LocalTensor, count: RuntimeInt{index}"
    mask = _MASK_KINDS[position]
    return (
        f"{_T}, shared_tmp_buffer: LocalTensor, mask: {mask}, repeat_time: RuntimeInt, "
        f"src_rep_stride: RuntimeInt{index}"
    )


APIS = (
    *(
        api(
            f"whole_reduce_{kind}",
            *(
                overload(
                    op,
                    f"{_T}, mask: {mask}, repeat_time: RuntimeInt, {_TAIL}{'' if kind == 'sum' else _ORDER_PARAM}, "
                    "is_set_mask: bool = True",
                )
                for op, mask in zip(WHOLE[kind], _MASK_KINDS, strict=True)
            ),
            text=text,
        )
        for kind, _, _, text in _WHOLE
    ),
    *(
        api(
            f"block_reduce_{kind}",
            *(
                overload(op, f"{_T}, repeat: RuntimeInt, mask: {mask}, {_TAIL}", repeatTime="repeat")
                for op, mask in zip(BLOCK[kind], _MASK_KINDS, strict=True)
            ),
            text=text,
        )
        for kind, _, _, text in _BLOCK
    ),
    api(
        "pair_reduce_sum",
        *(
            overload(op, f"{_T}, repeat_time: RuntimeInt, mask: {mask}, {_TAIL}, is_set_mask: bool = True")
            for op, mask in zip(PAIR, _MASK_KINDS, strict=True)
        ),
        text=f"{PAIR[0].summary}|{PAIR[0].summary_zh}",
    ),
    *(
        api(
            f"reduce_{kind}",
            *(overload(op, _tensor_params(kind, position)) for position, op in enumerate(TENSOR[kind])),
            text=text,
        )
        for kind, _, _, text in _TENSOR
    ),
    api(
        "repeat_reduce_sum",
        overload(
            REPEAT_SUM,
            f"{_T}, repeat_time: RuntimeInt, mask: RuntimeInt, dst_blk_stride: RuntimeInt, "
            "src_blk_stride: RuntimeInt, dst_rep_stride: RuntimeInt, src_rep_stride: RuntimeInt, "
            "is_set_mask: bool = True",
        ),
        text=f"{REPEAT_SUM.summary}|{REPEAT_SUM.summary_zh}",
    ),
)
