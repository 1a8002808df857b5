# SPDX-License-Identifier: Apache-2.0
"""Transpositions, 5HD layout changes and bilinear interpolation."""

from __future__ import annotations

from asclens_compiler.opset.forms import cost, custom, in_range, same_dtype, vector_row, whole
from asclens_compiler.opset.model import OperandRow, OpRow, Role
from asclens_compiler.opset.rows import (
    MASK,
    MASK_WORDS,
    UB,
    api,
    declare,
    described,
    dst,
    number,
    overload,
    params,
    scratch,
    src,
    types,
)

_B16 = "int16 uint16 half"
_ALL = "int8 uint8 int16 uint16 half int32 uint32 float"
_5HD = "int8 uint8 int16 uint16 half int32 uint32 float"

TRANSPOSE = vector_row(
    declare(
        "transpose",
        "Transpose",
        dst(_B16),
        src(_B16),
        semantics="transpose",
        text="Transposes a 16 x 16 matrix of 16-bit elements.|转置 16x16 矩阵。",
    ),
    (custom("dst", "fixed_bytes", count="512"), custom("src", "fixed_bytes", count="512")),
    (same_dtype("dst", "src"),),
    cost(24, 21),
)
TRANSPOSE_EXT = vector_row(
    declare(
        "transpose_ext",
        "Transpose",
        dst(_ALL),
        src(_ALL),
        scratch(),
        params("params", "TransposeParamsExt"),
        semantics="transpose_ext",
        text="Transposes between layouts.|按指定布局转置。",
    ),
    (
        custom("dst", "transpose_ext", params="params"),
        custom("src", "transpose_ext", params="params"),
        whole("sharedTmpBuffer"),
    ),
    (same_dtype("dst", "src"),),
    cost(24, 21),
)


def _list(name: str, role: Role) -> OperandRow:
    return OperandRow(name=name, role=role, memories=UB, dtypes=types(_5HD), variadic=True)


_PARAMS = params("params", "TransDataTo5HDParams")
_TEXT = "Transposes lists of sixteen 32-byte blocks.|数据排布转换为 5HD。"
TO_5HD = vector_row(
    declare(
        "trans_data_to_5hd",
        "TransDataTo5HD",
        dst(_5HD + " uint64"),
        src(_5HD + " uint64"),
        _PARAMS,
        semantics="trans_data_to_5hd",
        text=_TEXT,
    ),
    (whole("dst"), whole("src")),
    (),
    cost(24, 16),
)
TO_5HD_TENSORS = vector_row(
    declare(
        "trans_data_to_5hd_tensor_list",
        "TransDataTo5HD",
        _list("dstList", Role.DST),
        _list("srcList", Role.SRC),
        _PARAMS,
        semantics="trans_data_to_5hd_tensor_list",
        text=_TEXT,
    ),
    (custom("dstList", "five_hd_item", params="params"), custom("srcList", "five_hd_item", params="params")),
    (),
    cost(24, 16),
)
TO_5HD_ADDRESSES = vector_row(
    declare(
        "trans_data_to_5hd_uint_list",
        "TransDataTo5HD",
        number("dstList", "uint64", variadic=True),
        number("srcList", "uint64", variadic=True),
        _PARAMS,
        semantics="trans_data_to_5hd_uint_list",
        text=_TEXT,
    ),
    (),
    (),
    cost(24, 16),
)

_BI_TENSORS = (dst("half"), src("half", "src0"), src("uint32", "src0Offset"), src("half", "src1"))


def _bilinear(form: str) -> OpRow:
    row = declare(
        f"bilinearInterpolation_{form}",
        "BilinearInterpolation",
        *_BI_TENSORS,
        MASK if form == "l0" else MASK_WORDS,
        number("hRepeat"),
        number("repeatMode", "int1"),
        number("dstBlkStride"),
        number("vROffset"),
        number("vRepeat"),
        scratch(),
        semantics="bilinear_interpolation",
        text="Weighted sums of blocks taken at offsets.|双线性插值。",
    )
    rules = (
        in_range("hRepeat", 1, 255, "CANN BilinearInterpolation page"),
        in_range("vRepeat", 1, 255, "CANN BilinearInterpolation page"),
        in_range("vROffset", 128, 65534, "CANN BilinearInterpolation page"),
    )
    prints = (
        custom("dst", "bilinear_dst"),
        whole("src0"),
        custom("src0Offset", "bilinear_offsets"),
        custom("src1", "bilinear_weights"),
        whole("sharedTmpBuffer"),
    )
    return vector_row(row, prints, rules, cost(24, 4))


BILINEAR = {form: _bilinear(form) for form in ("l0", "l1")}

OPS = (TRANSPOSE, TRANSPOSE_EXT, TO_5HD, TO_5HD_TENSORS, TO_5HD_ADDRESSES, *BILINEAR.values())

_BI = (
    "dst: LocalTensor, src0: LocalTensor, src0_offset: LocalTensor, src1: LocalTensor, mask: {}, "
    "h_repeat: RuntimeInt, repeat_mode: RuntimeBool, dst_blk_stride: RuntimeInt, v_r_offset: RuntimeInt, "
    "v_repeat: RuntimeInt, shared_tmp_buffer: LocalTensor"
)
_BI_BIND = {"src0Offset": "src0_offset", "vROffset": "v_r_offset"}
_LISTS = "dst_or_list: list, src_or_list: list, params: TransDataTo5HDParams"

APIS = (
    api(
        "transpose",
        overload(
            TRANSPOSE_EXT,
            "dst: LocalTensor, src: LocalTensor, shared_tmp_buffer: LocalTensor, params: TransposeParamsExt",
        ),
        overload(TRANSPOSE, "dst: LocalTensor, src: LocalTensor"),
        text=described(TRANSPOSE),
    ),
    api(
        "trans_data_to_5hd",
        overload(
            TO_5HD,
            "dst_or_list: LocalTensor, src_or_list: LocalTensor, params: TransDataTo5HDParams",
            dst="dst_or_list",
            src="src_or_list",
        ),
        overload(TO_5HD_TENSORS, _LISTS, lower="tensor_lists", dstList="dst_or_list", srcList="src_or_list"),
        overload(TO_5HD_ADDRESSES, _LISTS, lower="address_lists", dstList="dst_or_list", srcList="src_or_list"),
        text=_TEXT,
    ),
    api(
        "bilinear_interpolation",
        overload(BILINEAR["l1"], _BI.format("list"), **_BI_BIND),
        overload(BILINEAR["l0"], _BI.format("RuntimeInt"), **_BI_BIND),
        text=described(BILINEAR["l0"]),
    ),
)
