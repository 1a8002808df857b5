# SPDX-License-Identifier: Apache-2.0
"""Casts, filling, broadcasting, and the registers that casts read."""

from __future__ import annotations

from dataclasses import replace

from asclens_compiler.hardware.pipes import Pipe
from asclens_compiler.opset.casts import cast_modes
from asclens_compiler.opset.forms import (
    MASK_SOURCE,
    REPEAT_SOURCE,
    Vector,
    aligned,
    cost,
    count_footprints,
    fits,
    in_range,
    same_dtype,
    vector_ops,
    vector_overloads,
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
    COUNT,
    MASK,
    MASK_WORDS,
    REPEAT,
    SET_MASK,
    api,
    bilingual,
    declare,
    described,
    dst,
    enum,
    flag,
    number,
    numbers,
    overload,
    params,
    scalar_op,
    src,
    type_pairs,
)

_CAST_TYPES = "int4 int8 uint8 int16 int32 int64 half bf16 float"
_FILL = "int16 uint16 half bf16 int32 uint32 float"
_LEGAL = Constraint(
    kind=ConstraintKind.CAST_MODE,
    operands=("dst", "src", "roundMode"),
    pairs=frozenset((target, source) for source, target in cast_modes()),
    source="CANN Cast page, Atlas A2/A3",
)

CAST = Vector(
    name="cast",
    cpp="Cast",
    tensors=(dst(_CAST_TYPES), src(_CAST_TYPES)),
    attrs=(enum("roundMode", "RoundMode"),),
    text="Converts elements to another type with a round mode.|精度转换。",
    cost=cost(32, 2, "src"),
    more=(_LEGAL,),
)
CAST_DEQ = Vector(
    name="cast_deq",
    cpp="CastDeq",
    tensors=(dst("half int8 uint8"), src("int32 int16")),
    attrs=(flag("isVecDeq"), flag("halfBlock")),
    text="Converts with the dequantisation factor that set_deq_scale left.|反量化并转换精度。",
    pairs=type_pairs("half,int32 int8,int16 uint8,int16"),
    cost=cost(32, 2, "src"),
)
_CAST_OPS = vector_ops(CAST)
_DEQ_OPS = vector_ops(CAST_DEQ)

_DUP_TEXT = "Fills with a number.|用标量填充。"


def _duplicate(form: str) -> OpRow:
    out, value = dst(_FILL), number("scalar", same_as="dst")
    strides = numbers("dstBlockStride dstRepeatStride")
    masks = {"l0": (MASK,), "l1": (MASK_WORDS,), "l2": ()}[form]
    repeats = FootprintRow(
        operand="dst",
        kind=FootprintKind.REPEAT,
        mask="mask",
        repeat="repeatTimes",
        blk_stride="dstBlockStride",
        rep_stride="dstRepeatStride",
        widest=("dst",),
    )
    rules = () if form == "l2" else (in_range("repeatTimes", 0, 255, REPEAT_SOURCE),)
    if form == "l0":
        mask_rule = Constraint(kind=ConstraintKind.MASK_IN_REPEAT, operands=("mask", "dst"), source=MASK_SOURCE)
        rules = (mask_rule, *rules)
    summary, summary_zh = bilingual(_DUP_TEXT)
    return OpRow(
        name=f"duplicate_{form}",
        cpp="Duplicate",
        operands=(out, value, COUNT) if form == "l2" else (out, value, *masks, REPEAT, *strides),
        attrs=() if form == "l2" else (SET_MASK,),
        pipe=Pipe.V,
        compute_unit="VECTOR",
        footprints=count_footprints((out,)) if form == "l2" else (repeats,),
        constraints=(*rules, *aligned("dst"), *fits("dst")),
        semantics="duplicate",
        cost=cost(24, 1),
        summary=summary,
        summary_zh=summary_zh,
    )


DUP = {form: _duplicate(form) for form in ("l0", "l1", "l2")}


def _vector(row: OpRow, *operands: OperandRow, function: str, price: float) -> OpRow:
    names = tuple(item.name for item in operands)
    return replace(
        row,
        pipe=Pipe.V,
        compute_unit="VECTOR",
        footprints=tuple(
            FootprintRow(operand=item.name, kind=FootprintKind.CUSTOM, function=function, which=item.name)
            for item in operands
        ),
        constraints=(*aligned(*names), *fits(*names)),
        cost=cost(18, price),
    )


_BRCB = (dst(_FILL), src(_FILL, "src0"))
_BRCB_ROW = _vector(
    declare(
        "brcb_l0",
        "Brcb",
        *_BRCB,
        REPEAT,
        params("repeatParams", "BrcbRepeatParams"),
        semantics="brcb",
        text="Fills each of eight blocks per repeat with one source element.|每个元素填充一个数据块。",
    ),
    *_BRCB,
    function="brcb",
    price=1,
)
_BRCB_RULES = (same_dtype("dst", "src0"), in_range("repeatTimes", 0, 255, REPEAT_SOURCE))
BRCB = replace(_BRCB_ROW, constraints=(*_BRCB_RULES, *_BRCB_ROW.constraints))

DEQ_SCALE = scalar_op(
    declare(
        "set_deq_scale",
        "SetDeqScale",
        number("scale", ""),
        number("offset", "int16", optional=True),
        number("signMode", "int1", optional=True),
        semantics="set_deq_scale",
        text="Sets the dequantisation factor of casts.|设置反量化系数。",
    )
)
_VDEQ = dst("uint64", "vdeq")
DEQ_TABLE = _vector(
    declare(
        "set_deq_scale_l4",
        "SetDeqScale",
        _VDEQ,
        params("vdeqInfo", "VdeqInfo"),
        semantics="set_deq_scale_l4",
        text="Writes a table of dequantisation factors, and sets it.|设置向量反量化参数表。",
    ),
    _VDEQ,
    function="deq_table",
    price=0,
)

OPS = (*_CAST_OPS, *_DEQ_OPS, *DUP.values(), BRCB, DEQ_SCALE, DEQ_TABLE)

_HEAD = "dst: LocalTensor, src: LocalTensor, round_mode: RoundMode"
_DUP_HEAD = "dst: LocalTensor, scalar: RuntimeNumeric"
_DUP_TAIL = (
    "repeat_times: RuntimeInt, dst_block_stride: RuntimeInt, dst_repeat_stride: RuntimeInt, is_set_mask: bool = True"
)
_DEQ_OVERLOADS = tuple(
    replace(item, binding=(*item.binding, ("isVecDeq", "=False"), ("halfBlock", "=False")))
    for item in vector_overloads(_DEQ_OPS, "dst: LocalTensor, src: LocalTensor", CAST_DEQ.struct)
)

APIS = (
    api("cast", *vector_overloads(_CAST_OPS, _HEAD, CAST.struct), text=CAST.text),
    api("cast_deq", *_DEQ_OVERLOADS, text=CAST_DEQ.text),
    api(
        "duplicate",
        overload(DUP["l0"], f"{_DUP_HEAD}, mask: RuntimeInt, {_DUP_TAIL}"),
        overload(DUP["l1"], f"{_DUP_HEAD}, mask: list, {_DUP_TAIL}"),
        overload(DUP["l2"], f"{_DUP_HEAD}, count: RuntimeInt, is_set_mask: bool = True"),
        text=_DUP_TEXT,
    ),
    api(
        "brcb",
        overload(
            BRCB, "dst: LocalTensor, src0: LocalTensor, repeat_times: RuntimeInt, repeat_params: BrcbRepeatParams"
        ),
        text=described(BRCB),
    ),
    api(
        "set_deq_scale",
        overload(DEQ_TABLE, "vdeq: LocalTensor, vdeq_info: VdeqInfo"),
        overload(DEQ_SCALE, "scale: RuntimeFloat"),
        overload(DEQ_SCALE, "scale: RuntimeFloat, offset: RuntimeInt, sign_mode: RuntimeBool"),
        text=described(DEQ_SCALE),
    ),
)
