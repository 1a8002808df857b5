# SPDX-License-Identifier: Apache-2.0
"""Copies between memories: count form, burst form, padding form, layout changes."""

from __future__ import annotations

from dataclasses import replace

from asclens_compiler.hardware.pipes import Pipe
from asclens_compiler.opset.forms import EXTENT_SOURCE, aligned, cost, fits, in_range, repeat_footprints, same_dtype
from asclens_compiler.opset.model import (
    Constraint,
    ConstraintKind,
    FootprintKind,
    FootprintRow,
    OperandRow,
    OpRow,
    PipeRule,
)
from asclens_compiler.opset.rows import (
    ANY_MEMORY,
    MASK,
    MASK_WORDS,
    api,
    bilingual,
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

_ALL = "int8 uint8 int16 uint16 half bf16 int32 uint32 float int64 uint64 double"
_DST = dst(_ALL, memories=ANY_MEMORY)
_SRC = src(_ALL, memories=ANY_MEMORY)
_PATH = Constraint(
    kind=ConstraintKind.COPY_PATH, operands=("dst", "src"), source="CANN DataCopy page: legal (src, dst) memories"
)
_MULTIPLE = Constraint(
    kind=ConstraintKind.COUNT_MULTIPLE_OF,
    operands=("calCount", "dst"),
    value=32,
    source="CANN DataCopy page: count * sizeof(T) is a multiple of 32, the hardware drops the rest; "
    "measured on a 910B4 for 4 and 16 bytes",
)


def _copy(
    name: str, cpp: str, *tail: OperandRow, text: str, function: str, rules: tuple[Constraint, ...] = ()
) -> OpRow:
    footprints = (
        FootprintRow(operand="dst", kind=FootprintKind.CUSTOM, function=function, which="dst"),
        FootprintRow(operand="src", kind=FootprintKind.CUSTOM, function=function, which="src"),
    )
    summary, summary_zh = bilingual(text)
    return OpRow(
        name=name,
        cpp=cpp,
        operands=(_DST, _SRC, *tail),
        pipe=PipeRule.COPY_PATH,
        footprints=footprints,
        constraints=(*rules, _PATH, *aligned("dst", "src"), *fits("dst", "src")),
        semantics=function,
        summary=summary,
        summary_zh=summary_zh,
    )


def _struct_range(operand: str, low: int, high: int, page: str) -> Constraint:
    return in_range(operand, low, high, f"CANN {page} page")


_SAME = same_dtype("dst", "src")
_BURST = tuple(
    _struct_range(f"{field}.{name}", 0, high, "DataCopy")
    for field in ("repeatParams",)
    for name, high in (("block_count", 4095), ("block_len", 65535), ("src_stride", 65535), ("dst_stride", 65535))
)
_PAD_BURST = (
    _struct_range("dataCopyParams.block_count", 0, 4095, "DataCopyPad"),
    _struct_range("dataCopyParams.block_len", 0, 2097151, "DataCopyPad"),
)
_ND2NZ = (
    _struct_range("intriParams.nd_num", 0, 4095, "DataCopy nd2nz"),
    _struct_range("intriParams.n_value", 0, 16384, "DataCopy nd2nz"),
    _struct_range("intriParams.d_value", 0, 65535, "DataCopy nd2nz"),
    _struct_range("intriParams.src_d_value", 1, 65535, "DataCopy nd2nz"),
    _struct_range("intriParams.dst_nz_c0_stride", 1, 16384, "DataCopy nd2nz"),
    _struct_range("intriParams.dst_nz_n_stride", 1, 16384, "DataCopy nd2nz"),
)

L2 = replace(
    _copy(
        "data_copy_l2",
        "DataCopy",
        number("calCount"),
        text="Copies the first `count` elements; a rest below 32 bytes is not copied.|连续搬运 count 个元素。",
        function="data_copy_count",
        rules=(_SAME, _MULTIPLE),
    ),
    semantics="data_copy",
)
L0 = replace(
    _copy(
        "data_copy_l0",
        "DataCopy",
        params("repeatParams", "DataCopyParams"),
        text="Copies bursts of 32-byte blocks with gaps.|按块搬运，支持间隔。",
        function="data_copy_bursts",
        rules=(_SAME, *_BURST),
    ),
    semantics="data_copy",
)
ENHANCED = _copy(
    "data_copy_enhanced",
    "DataCopy",
    params("intriParams", "DataCopyParams"),
    params("enhancedParams", "DataCopyEnhancedParams"),
    text="Copies bursts with conversion on the way out of L0C.|增强数据搬运，随路转换。",
    function="data_copy_enhanced",
)
SLICE = _copy(
    "data_copy_slice",
    "DataCopy",
    number("dstSliceInfo", "", variadic=True),
    number("srcSliceInfo", "", variadic=True),
    number("dimValue", "uint32"),
    text="Copies a slice of up to eight dimensions.|切片数据搬运。",
    function="data_copy_slice",
    rules=(_SAME, _struct_range("dimValue", 1, 8, "DataCopy slice")),
)
ND2NZ = _copy(
    "data_copy_nd2nz",
    "DataCopy",
    params("intriParams", "Nd2NzParams"),
    text="Copies row-major matrices into NZ fractals.|ND 转 NZ 搬运。",
    function="data_copy_nd2nz",
    rules=(_SAME, *_ND2NZ),
)
NZ2ND = _copy(
    "data_copy_nz2nd",
    "DataCopy",
    params("intriParams", "Nz2NdParamsFull"),
    text="Copies NZ fractals into row-major matrices.|NZ 转 ND 搬运。",
    function="data_copy_nz2nd",
    rules=(_SAME,),
)
CO12DST = _copy(
    "data_copy_co12dst",
    "DataCopy",
    params("intriParams", "DataCopyCO12DstParams"),
    text="Copies results out of L0C with conversion.|L0C 结果随路量化搬出。",
    function="data_copy_co12dst",
)


def _pad(name: str, first: str, *more: OperandRow, text: str) -> OpRow:
    return replace(
        _copy(
            name,
            "DataCopyPad",
            params("dataCopyParams", first),
            *more,
            text=text,
            function="data_copy_pad",
            rules=(_SAME, *_PAD_BURST),
        ),
        semantics="data_copy_pad_nd2nz" if "nd2nz" in name else "data_copy_pad",
    )


_PAD_TEXT = "Copies bursts of any number of bytes and fills the rest of their blocks.|非对齐搬运，可填充。"
_PAD_OUT = "Copies bursts of any number of bytes.|非对齐搬运。"
_PAD_NZ = "Copies bursts of any number of bytes into NZ fractals.|非对齐搬运并转 NZ。"
PAD_L0_EXT = _pad(
    "data_copy_pad_l0_ext", "DataCopyExtParams", params("padParams", "DataCopyPadExtParams"), text=_PAD_TEXT
)
PAD_L2_EXT = _pad("data_copy_pad_l2_ext", "DataCopyExtParams", text=_PAD_OUT)
PAD_NZ_EXT = _pad("data_copy_pad_nd2nz_ext", "DataCopyExtParams", params("nd2nzParams", "Nd2NzParams"), text=_PAD_NZ)
PAD_L0 = _pad("data_copy_pad_l0", "DataCopyParams", params("padParams", "DataCopyPadParams"), text=_PAD_TEXT)
PAD_L2 = _pad("data_copy_pad_l2", "DataCopyParams", text=_PAD_OUT)
PAD_NZ = _pad("data_copy_pad_nd2nz", "DataCopyParams", params("nd2nzParams", "Nd2NzParams"), text=_PAD_NZ)

_COPY_TYPES = "int16 uint16 half bf16 int32 uint32 float"
_COPY_TENSORS = (dst(_COPY_TYPES), src(_COPY_TYPES))
_COPY_TEXT = "Copies masked elements inside UB.|UB 内带掩码搬运。"


def _masked_copy(form: str, mask: OperandRow) -> OpRow:
    """Return a `copy` row; in the real dialect `_l0` takes mask words and `_l1` a number."""
    summary, summary_zh = bilingual(_COPY_TEXT)
    footprints = tuple(
        replace(row, kind=FootprintKind.CUSTOM, function="masked_copy")
        for row in repeat_footprints(_COPY_TENSORS, "repeatParams", "repeatTime")
    )
    return OpRow(
        name=f"copy_{form}",
        cpp="Copy",
        operands=(
            *_COPY_TENSORS,
            mask,
            number("repeatTime"),
            params("repeatParams", "CopyRepeatParams"),
            number("isSetMask", "int1"),
        ),
        pipe=Pipe.V,
        footprints=footprints,
        constraints=(
            _SAME,
            in_range("repeatTime", 0, 255, EXTENT_SOURCE),
            *aligned("dst", "src"),
            *fits("dst", "src"),
        ),
        semantics="copy",
        cost=cost(24, 1),
        summary=summary,
        summary_zh=summary_zh,
    )


COPY_L0 = _masked_copy("l0", MASK_WORDS)
COPY_L1 = _masked_copy("l1", MASK)
SET_PAD = scalar_op(
    declare(
        "set_pad_value",
        "SetPadValue",
        number("paddingValue", ""),
        attrs=(enum("pos", "TPosition"),),
        semantics="set_pad_value",
        text="Sets the value that padding copies fill with.|设置填充值。",
    )
)

OPS = (
    L2, L0, ENHANCED, SLICE, ND2NZ, NZ2ND, CO12DST, PAD_L0_EXT, PAD_L2_EXT, PAD_NZ_EXT, PAD_L0, PAD_L2, PAD_NZ, COPY_L0,
    COPY_L1, SET_PAD,
)  # fmt: skip

_HEAD = "dst: BaseTensor, src: BaseTensor"
_COPY_HEAD = "dst: BaseTensor, src: BaseTensor, mask: {}, repeat_time: RuntimeInt, repeat_params: CopyRepeatParams"

APIS = (
    api(
        "data_copy",
        overload(L0, f"{_HEAD}, repeat_params: DataCopyParams"),
        overload(L2, f"{_HEAD}, count: RuntimeInt"),
        overload(
            ENHANCED,
            f"{_HEAD}, repeat_params: DataCopyParams, enhanced_params: DataCopyEnhancedParams",
            intriParams="repeat_params",
        ),
        overload(
            SLICE,
            f"{_HEAD}, slice_list1: list, slice_list2: list, dim_value: RuntimeInt",
            lower="slice_copy",
            dstSliceInfo="slice_list1",
            srcSliceInfo="slice_list2",
        ),
        overload(ND2NZ, f"{_HEAD}, intri_params: Nd2NzParams"),
        overload(NZ2ND, f"{_HEAD}, intri_params: Nz2NdParamsFull"),
        overload(CO12DST, f"{_HEAD}, intri_params: DataCopyCO12DstParams"),
        text="Copies data between memories; the pipe follows from the two memories."
        "|在不同存储之间搬运数据，流水线由源和目的存储决定。",
    ),
    api(
        "data_copy_pad",
        overload(PAD_L0_EXT, f"{_HEAD}, data_copy_params: DataCopyExtParams, pad_params: DataCopyPadExtParams"),
        overload(PAD_L2_EXT, f"{_HEAD}, data_copy_params: DataCopyExtParams"),
        overload(PAD_NZ_EXT, f"{_HEAD}, data_copy_params: DataCopyExtParams, nd2nz_params: Nd2NzParams"),
        overload(PAD_L0, f"{_HEAD}, data_copy_params: DataCopyParams, pad_params: DataCopyPadParams"),
        overload(PAD_L2, f"{_HEAD}, data_copy_params: DataCopyParams"),
        overload(PAD_NZ, f"{_HEAD}, data_copy_params: DataCopyParams, nd2nz_params: Nd2NzParams"),
        text=described(PAD_L0),
    ),
    api(
        "copy",
        overload(COPY_L0, _COPY_HEAD.format("list") + ", is_set_mask: bool = True"),
        overload(COPY_L1, _COPY_HEAD.format("int") + ", is_set_mask: bool = True"),
        text=_COPY_TEXT,
    ),
    api(
        "set_pad_value",
        overload(SET_PAD, "padding_value: RuntimeNumeric, pos: TPosition = TPosition.MAX"),
        text=described(SET_PAD),
    ),
)
