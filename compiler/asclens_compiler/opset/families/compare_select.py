# SPDX-License-Identifier: Apache-2.0
"""Comparisons, which write one bit per element, and selections by such bits."""

from __future__ import annotations

from dataclasses import replace

from asclens_compiler.hardware.pipes import Pipe
from asclens_compiler.opset.forms import (
    REPEAT_SOURCE,
    aligned,
    cost,
    count_footprints,
    fits,
    in_range,
    repeat_footprints,
    same_dtype,
)
from asclens_compiler.opset.model import (
    ApiRow,
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
    number,
    overload,
    params,
    src,
)

_TYPES = "half float int32"
_FLOATS = "half float"
_BITS = "int8 uint8"
_MASK_TYPES = "uint8 uint16 uint32 uint64 int8 int16 int32"
_MODE = enum("cmpMode", "CMPMODE")
_SEL = enum("selMode", "SelMode")
_COMPARE_TEXT = "Compares two tensors; the result has one bit per element, lowest bit first.|逐元素比较，结果按位存储。"
_SCALAR_TEXT = "Compares a tensor with a number; one bit per element, lowest first.|与标量逐元素比较，按位存储。"
_SELECT_TEXT = "Takes src0 where the mask bit is 1, else src1.|按掩码位选择 src0 或 src1。"
_WHOLE_REPEATS = Constraint(
    kind=ConstraintKind.COUNT_MULTIPLE_OF,
    operands=("calCount", "src0"),
    value=256,
    source="CANN Compare/CompareScalar pages: count * sizeof(T) is a multiple of 256",
)
_REPEATS = in_range("repeatTimes", 0, 255, REPEAT_SOURCE)

_DST, _SRC0, _SRC1 = dst(_BITS), src(_TYPES, "src0"), src(_TYPES, "src1")
_LEFT = number("src1Scalar", same_as="src0")


def _row(name: str, cpp: str, operands: tuple[OperandRow, ...], text: str, semantics: str) -> OpRow:
    summary, summary_zh = bilingual(text)
    return OpRow(
        name=name,
        cpp=cpp,
        operands=operands,
        pipe=Pipe.V,
        compute_unit="VECTOR",
        semantics=semantics,
        cost=cost(36, 2, "src0"),
        summary=summary,
        summary_zh=summary_zh,
    )


def _sources(names: tuple[OperandRow, ...]) -> tuple[FootprintRow, ...]:
    """Whole 256-byte repeats of the sources: comparisons ignore the mask."""
    return tuple(replace(item, mask="") for item in repeat_footprints(names))


def _compare(form: str, *, scalar: bool) -> OpRow:
    """Return a comparison row; in the repeat forms dst advances by the bits of one repeat."""
    tensors = (_SRC0,) if scalar else (_SRC0, _SRC1)
    second = _LEFT if scalar else _SRC1
    struct = "UnaryRepeatParams" if scalar else "BinaryRepeatParams"
    tail = {"l0": (MASK, REPEAT), "l1": (MASK_WORDS, REPEAT), "l2": (COUNT,)}[form]
    if form == "l2":
        packed = FootprintRow(operand="dst", kind=FootprintKind.COUNT, count="calCount", packed_bits=True)
        prints = (packed, *count_footprints(tensors))
        rules: tuple[Constraint, ...] = (_WHOLE_REPEATS,)
    else:
        tail = (*tail, params("repeatParams", struct))
        packed = FootprintRow(
            operand="dst",
            kind=FootprintKind.CUSTOM,
            function="packed_repeats",
            repeat="repeatTimes",
            widest=("src0",),
            packed_bits=True,
        )
        prints = (packed, *_compare_sources(tensors, scalar))
        rules = (_REPEATS,)
    base = "compare_scalar" if scalar else "compare"
    row = _row(
        f"{base}_{form}",
        "CompareScalar" if scalar else "Compare",
        (_DST, _SRC0, second, *tail),
        _SCALAR_TEXT if scalar else _COMPARE_TEXT,
        base,
    )
    names = tuple(item.name for item in tensors)
    typed = () if scalar else (same_dtype("src0", "src1"),)
    return replace(
        row,
        attrs=(_MODE,) if form == "l2" else (_MODE, SET_MASK),
        footprints=prints,
        constraints=(*rules, *typed, _int32_equal(), *aligned("dst", *names), *fits("dst", *names)),
    )


def _compare_sources(tensors: tuple[OperandRow, ...], scalar: bool) -> tuple[FootprintRow, ...]:
    rows = _sources(tensors)
    return tuple(replace(item, which="src") for item in rows) if scalar else rows


def _int32_equal() -> Constraint:
    return Constraint(
        kind=ConstraintKind.ENUM_IN,
        operands=("cmpMode", "src0"),
        names=frozenset({"EQ"}),
        dtypes=frozenset(item for item in _SRC0.dtypes if item.is_int),
        source="CANN Compare page: int32 only with EQ",
    )


def _register(form: str) -> OpRow:
    mask = MASK if form == "l0" else MASK_WORDS
    row = _row(
        f"compare_r_{form}",
        "Compare",
        (_SRC0, _SRC1, mask, params("repeatParams", "BinaryRepeatParams")),
        "Compares one repeat into the compare mask register.|比较一次迭代，结果存入寄存器。",
        "compare_r",
    )
    prints = tuple(replace(item, repeat="") for item in repeat_footprints((_SRC0, _SRC1)))
    return replace(
        row,
        attrs=(_MODE, SET_MASK),
        footprints=prints,
        constraints=(same_dtype("src0", "src1"), *aligned("src0", "src1"), *fits("src0", "src1")),
    )


_OUT, _SEL_MASK = dst(_FLOATS), src(_MASK_TYPES, "selMask")
_A, _B = src(_FLOATS, "src0"), src(_FLOATS, "src1")
_B_SCALAR = number("src1", same_as="src0")


def _select(form: str, *, scalar: bool) -> OpRow:
    tensors = (_OUT, _A) if scalar else (_OUT, _A, _B)
    tail = {"l0": (MASK, REPEAT), "l1": (MASK_WORDS, REPEAT), "l2": (COUNT,)}[form]
    mask_print = FootprintRow(
        operand="selMask",
        kind=FootprintKind.CUSTOM,
        function="select_mask",
        count="calCount" if form == "l2" else "",
        repeat="" if form == "l2" else "repeatTimes",
        widest=("dst",),
        packed_bits=True,
    )
    if form == "l2":
        prints = count_footprints(tensors)
    else:
        tail = (*tail, params("repeatParams", "BinaryRepeatParams"))
        prints = repeat_footprints(tensors)
    names = tuple(item.name for item in tensors)
    base = "select_scalar" if scalar else "select"
    row = _row(
        f"{base}_{form}", "Select", (_OUT, _SEL_MASK, _A, _B_SCALAR if scalar else _B, *tail), _SELECT_TEXT, "select"
    )
    return replace(
        row,
        attrs=(_SEL,) if form == "l2" else (_SEL, SET_MASK),
        footprints=(*prints, mask_print),
        constraints=(
            *(() if form == "l2" else (_REPEATS,)),
            same_dtype(*names),
            *aligned(*names, "selMask"),
            *fits(*names, "selMask"),
        ),
        cost=cost(27, 2),
    )


SELECT_REG = replace(
    _row(
        "select_reg",
        "Select",
        (_OUT, _A, _B, REPEAT, params("repeatParams", "BinaryRepeatParams")),
        "Takes src0 where the compare mask register has a 1, else src1.|按比较寄存器选择。",
        "select_reg",
    ),
    attrs=(_SEL,),
    footprints=tuple(replace(item, mask="") for item in repeat_footprints((_OUT, _A, _B))),
    constraints=(_REPEATS, same_dtype("dst", "src0", "src1"), *aligned("dst", "src0", "src1")),
)
SELECT_SCALAR_REG = replace(
    _row(
        "select_scalar_reg",
        "Select",
        (_OUT, _SEL_MASK, _A, REPEAT, params("repeatParams", "BinaryRepeatParams")),
        "Takes src0 where the mask bit is 1, else the number in the compare mask register.|按掩码选择。",
        "select_scalar_reg",
    ),
    footprints=(
        *(replace(item, mask="") for item in repeat_footprints((_OUT, _A))),
        FootprintRow(
            operand="selMask",
            kind=FootprintKind.CUSTOM,
            function="packed_repeats",
            repeat="repeatTimes",
            widest=("dst",),
            packed_bits=True,
        ),
    ),
    constraints=(_REPEATS, same_dtype("dst", "src0"), *aligned("dst", "src0", "selMask")),
)
GET_MASK = replace(
    declare(
        "get_cmp_mask",
        "GetCmpMask",
        dst(memories=_OUT.memories),
        semantics="get_cmp_mask",
        text="Stores the compare mask register, 16 bytes.|读取比较寄存器。",
    ),
    pipe=Pipe.V,
    compute_unit="VECTOR",
    footprints=(FootprintRow(operand="dst", kind=FootprintKind.CUSTOM, function="fixed_bytes", count="16"),),
    constraints=(*aligned("dst"), *fits("dst")),
    cost=cost(20, 0),
)
SET_CMP_MASK = replace(
    declare(
        "set_cmp_mask",
        "SetCmpMask",
        src(),
        semantics="set_cmp_mask",
        text="Loads the compare mask register, 16 bytes.|设置比较寄存器。",
    ),
    pipe=Pipe.V,
    compute_unit="VECTOR",
    footprints=(FootprintRow(operand="src", kind=FootprintKind.CUSTOM, function="fixed_bytes", count="16"),),
    constraints=(*aligned("src"), *fits("src")),
    cost=cost(20, 0),
)

C = {form: _compare(form, scalar=False) for form in ("l0", "l1", "l2")}
S = {form: _compare(form, scalar=True) for form in ("l0", "l1", "l2")}
R = {form: _register(form) for form in ("l0", "l1")}
E = {form: _select(form, scalar=False) for form in ("l0", "l1", "l2")}
F = {form: _select(form, scalar=True) for form in ("l0", "l1", "l2")}

OPS = (
    *C.values(), *S.values(), *R.values(), *E.values(), *F.values(), SELECT_REG, SELECT_SCALAR_REG, GET_MASK,
    SET_CMP_MASK,
)  # fmt: skip

_HEAD = "dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, cmp_mode: CMPMODE"
_S_HEAD = "dst: LocalTensor, src0: LocalTensor, src1_scalar: RuntimeNumeric, cmp_mode: CMPMODE"
_R_HEAD = "src0: LocalTensor, src1: LocalTensor, cmp_mode: CMPMODE"
_SEL_HEAD = "dst: LocalTensor, sel_mask: LocalTensor, src0: LocalTensor"
_BIN = "repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams"
_UN = "repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams"
_ON = {"isSetMask": "=True"}

APIS: tuple[ApiRow, ...] = (
    api(
        "compare",
        overload(C["l0"], f"{_HEAD}, mask: RuntimeInt, {_BIN}", **_ON),
        overload(C["l1"], f"{_HEAD}, mask: list, {_BIN}", **_ON),
        overload(C["l2"], f"{_HEAD}, count: RuntimeInt"),
        overload(R["l0"], f"{_R_HEAD}, mask: RuntimeInt, repeat_params: BinaryRepeatParams", **_ON),
        overload(R["l1"], f"{_R_HEAD}, mask: list, repeat_params: BinaryRepeatParams", **_ON),
        text=_COMPARE_TEXT,
    ),
    api(
        "compare_scalar",
        overload(S["l0"], f"{_S_HEAD}, mask: RuntimeInt, {_UN}", **_ON),
        overload(S["l1"], f"{_S_HEAD}, mask: list, {_UN}", **_ON),
        overload(S["l2"], f"{_S_HEAD}, count: RuntimeInt"),
        text=_SCALAR_TEXT,
    ),
    api(
        "select",
        overload(F["l2"], f"{_SEL_HEAD}, src1: RuntimeFloat, sel_mode: SelMode, count: RuntimeInt"),
        overload(E["l2"], f"{_SEL_HEAD}, src1: LocalTensor, sel_mode: SelMode, count: RuntimeInt"),
        overload(F["l1"], f"{_SEL_HEAD}, src1: RuntimeFloat, sel_mode: SelMode, mask: list, {_BIN}", **_ON),
        overload(F["l0"], f"{_SEL_HEAD}, src1: RuntimeFloat, sel_mode: SelMode, mask: RuntimeInt, {_BIN}", **_ON),
        overload(SELECT_SCALAR_REG, f"{_SEL_HEAD}, {_BIN}"),
        overload(E["l1"], f"{_SEL_HEAD}, src1: LocalTensor, sel_mode: SelMode, mask: list, {_BIN}", **_ON),
        overload(E["l0"], f"{_SEL_HEAD}, src1: LocalTensor, sel_mode: SelMode, mask: RuntimeInt, {_BIN}", **_ON),
        overload(
            SELECT_REG,
            f"dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, {_BIN}, sel_mode: SelMode",
        ),
        text=_SELECT_TEXT,
    ),
    api("get_cmp_mask", overload(GET_MASK, "dst: LocalTensor"), text=described(GET_MASK)),
    api("set_cmp_mask", overload(SET_CMP_MASK, "src: LocalTensor"), text=described(SET_CMP_MASK)),
)
