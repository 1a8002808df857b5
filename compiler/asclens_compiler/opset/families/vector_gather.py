# SPDX-License-Identifier: Apache-2.0
"""Gather, scatter and compression by mask."""

from __future__ import annotations

from asclens_compiler.opset.forms import (
    REPEAT_SOURCE,
    cost,
    counted,
    custom,
    in_range,
    same_dtype,
    vector_row,
    whole,
)
from asclens_compiler.opset.model import FootprintKind, FootprintRow, OperandRow, OpRow
from asclens_compiler.opset.rows import (
    MASK,
    MASK_WORDS,
    REPEAT,
    api,
    declare,
    described,
    dst,
    enum,
    number,
    overload,
    params,
    scalar_op,
    src,
)

_TYPES = "int16 uint16 half bf16 int32 uint32 float"
_DST, _SRC = dst(_TYPES), src(_TYPES)
_COUNT = number("count", "uint32")
_REPEATS = in_range("repeatTimes", 0, 255, REPEAT_SOURCE)
_TEXT = "Takes elements of src at byte offsets.|按字节偏移收集元素。"
_SCATTER_TEXT = "Puts elements of src at byte offsets of dst.|按字节偏移分散元素。"


def _dense(operand: str, stride: str) -> FootprintRow:
    """Eight blocks per repeat, side by side."""
    return FootprintRow(
        operand=operand,
        kind=FootprintKind.REPEAT,
        mask="mask",
        repeat="repeatTimes",
        blk_stride="1",
        rep_stride=stride,
        widest=(operand,),
    )


def _gather(form: str, offset: str, base: str, stride: str) -> OpRow:
    """Return a gather row; `_l1` of the real dialect carries the operand names of scatter."""
    offsets = src("uint32", offset)
    masks: tuple[OperandRow, ...] = {"l0": (MASK,), "l1": (MASK_WORDS,), "l2": ()}[form]
    tail = (_COUNT,) if form == "l2" else (*masks, REPEAT, number(stride))
    row = declare(
        f"gather_{form}",
        "Gather",
        _DST,
        _SRC,
        offsets,
        number(base, "uint32"),
        *tail,
        semantics="gather",
        text=_TEXT,
    )
    if form == "l2":
        prints = (counted("dst", "count"), whole("src"), counted(offset, "count"))
    else:
        prints = (_dense("dst", stride), whole("src"), custom(offset, "gather_offsets", repeat="repeatTimes"))
    rules = (same_dtype("dst", "src"), *(() if form == "l2" else (_REPEATS,)))
    return vector_row(row, prints, rules, cost(27, 24))


def _scatter(form: str) -> OpRow:
    masks: tuple[OperandRow, ...] = {"l0": (MASK,), "l1": (MASK_WORDS,), "l2": ()}[form]
    tail = (_COUNT,) if form == "l2" else (*masks, REPEAT, number("srcRepStride"))
    row = declare(
        f"scatter_{form}",
        "Scatter",
        _DST,
        _SRC,
        src("uint32", "dstOffset"),
        number("dstBase", "uint32"),
        *tail,
        semantics="scatter",
        text=_SCATTER_TEXT,
    )
    if form == "l2":
        prints = (whole("dst"), counted("src", "count"), counted("dstOffset", "count"))
    else:
        prints = (
            whole("dst"),
            _dense("src", "srcRepStride"),
            custom("dstOffset", "gather_offsets", repeat="repeatTimes"),
        )
    rules = (same_dtype("dst", "src"), *(() if form == "l2" else (_REPEATS,)))
    return vector_row(row, prints, rules, cost(27, 24))


GATHER = {
    "l0": _gather("l0", "srcOffset", "srcBaseAddr", "dstRepStride"),
    "l1": _gather("l1", "dstOffset", "dstBase", "srcRepStride"),
    "l2": _gather("l2", "srcOffset", "srcBaseAddr", ""),
}
SCATTER = {form: _scatter(form) for form in ("l0", "l1", "l2")}
_BLOCK_TYPES = "uint16 int16 half uint32 int32 float"
GATHERB = vector_row(
    declare(
        "gatherb_l0",
        "Gatherb",
        dst(_BLOCK_TYPES),
        src(_BLOCK_TYPES, "src0"),
        src("uint32", "offset"),
        REPEAT,
        params("repeatParams", "GatherRepeatParams"),
        semantics="gatherb",
        text="Takes 32-byte blocks of src0 at byte offsets.|按偏移收集数据块。",
    ),
    (
        custom("dst", "gatherb_dst", repeat="repeatTimes", params="repeatParams"),
        whole("src0"),
        custom("offset", "gatherb_offsets", repeat="repeatTimes"),
    ),
    (same_dtype("dst", "src0"), _REPEATS),
    cost(24, 10),
)


def _gather_mask(name: str, pattern: OperandRow, *prints: FootprintRow) -> OpRow:
    row = declare(
        name,
        "GatherMask",
        _DST,
        src(_TYPES, "src0"),
        pattern,
        number("reduceMode", "int1"),
        number("mask", "uint32"),
        params("params", "GatherMaskParams"),
        attrs=(enum("gatherMaskMode", "GatherMaskMode"),),
        results="uint64",
        semantics="gather_mask",
        text="Keeps the elements whose pattern bit is 1, side by side; gives how many.|按掩码压缩元素，返回个数。",
    )
    shared = (custom("dst", "gather_mask_dst", params="params"), custom("src0", "gather_mask_src", params="params"))
    return vector_row(row, (*shared, *prints), (same_dtype("dst", "src0"),), cost(34, 14, "src0"))


GATHER_MASK = _gather_mask(
    "gather_mask",
    src("uint16 uint32", "src1Pattern"),
    custom("src1Pattern", "gather_mask_pattern", params="params"),
)
# Ours: the real dialect has one op for both, told apart by the operand's type.
GATHER_FIXED = _gather_mask("gather_mask_fixed", number("src1Pattern", "uint8"))
REMAIN = scalar_op(
    declare(
        "get_gather_mask_remain_count",
        "GetGatherMaskRemainCount",
        results="int64",
        semantics="get_gather_mask_remain_count",
        text="How many elements the last gather_mask kept.|获取 GatherMask 保留的元素个数。",
    )
)

OPS = (*GATHER.values(), *SCATTER.values(), GATHERB, GATHER_MASK, GATHER_FIXED, REMAIN)

_G = "dst: LocalTensor, src: LocalTensor, src_offset: LocalTensor, src_base: RuntimeInt"
_S = "dst: LocalTensor, src: LocalTensor, dst_offset: LocalTensor, dst_base: RuntimeInt"
_TIMES = "repeat_times: RuntimeInt"
_BASE = {"srcBaseAddr": "src_base"}
_L1 = {"dstOffset": "src_offset", "dstBase": "src_base", "srcRepStride": "dst_rep_stride"}
_M = (
    "dst: LocalTensor, src0: LocalTensor, src1_pattern: {}, reduce_mode: RuntimeBool, mask: RuntimeInt, "
    "params: GatherMaskParams, gather_mask_mode: GatherMaskMode = GatherMaskMode.DEFAULT"
)

APIS = (
    api(
        "gather",
        overload(GATHER["l0"], f"{_G}, mask: RuntimeInt, {_TIMES}, dst_rep_stride: RuntimeInt", **_BASE),
        overload(GATHER["l1"], f"{_G}, mask: list, {_TIMES}, dst_rep_stride: RuntimeInt", **_L1),
        overload(GATHER["l2"], f"{_G}, count: RuntimeInt", **_BASE),
        text=_TEXT,
    ),
    api(
        "scatter",
        overload(SCATTER["l0"], f"{_S}, mask: RuntimeInt, {_TIMES}, src_rep_stride: RuntimeInt"),
        overload(SCATTER["l1"], f"{_S}, mask: list, {_TIMES}, src_rep_stride: RuntimeInt"),
        overload(SCATTER["l2"], f"{_S}, count: RuntimeInt"),
        text=_SCATTER_TEXT,
    ),
    api(
        "gatherb",
        overload(
            GATHERB,
            "dst: LocalTensor, src0: LocalTensor, offset: LocalTensor, repeat_times: RuntimeInt, "
            "repeat_params: GatherRepeatParams",
        ),
        text=described(GATHERB),
    ),
    api(
        "gather_mask",
        overload(GATHER_MASK, _M.format("LocalTensor"), returns="uint64", src1Pattern="src1_pattern"),
        overload(GATHER_FIXED, _M.format("RuntimeInt"), returns="uint64", src1Pattern="src1_pattern"),
        text=described(GATHER_MASK),
    ),
    api("get_gather_mask_remain_count", overload(REMAIN, "", returns="int64"), text=described(REMAIN)),
)
