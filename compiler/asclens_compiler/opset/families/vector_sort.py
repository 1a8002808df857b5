# SPDX-License-Identifier: Apache-2.0
"""Sorting: records of score and index, merges, and region proposals.

A record has 8 bytes: the score in the low bytes, a 32-bit index in the high ones. A region proposal
has eight elements of which element 4 is the score.
"""

from __future__ import annotations

from asclens_compiler.opset.forms import REPEAT_SOURCE, cost, custom, in_range, same_dtype, vector_row, whole
from asclens_compiler.opset.model import OperandRow, OpRow
from asclens_compiler.opset.rows import (
    api,
    declare,
    described,
    dst,
    flag,
    number,
    overload,
    params,
    scalar_op,
    scratch,
    src,
)

_FLOATS = "half float"
_DST, _SRC = dst(_FLOATS), src(_FLOATS)
_TIMES = number("repeatTime")
_RULE = in_range("repeatTime", 0, 255, REPEAT_SOURCE)

SORT32 = vector_row(
    declare(
        "sort32",
        "Sort32",
        _DST,
        src(_FLOATS, "src0"),
        src("uint32", "src1"),
        _TIMES,
        semantics="sort32",
        text="Sorts 32 scores per repeat, largest first, and keeps their indexes.|每个迭代对 32 个元素降序排序。",
    ),
    tuple(custom(name, "sort32", repeat="repeatTime") for name in ("dst", "src0", "src1")),
    (same_dtype("dst", "src0"), _RULE),
    cost(24, 16, "src0"),
)


def _merge(name: str, cpp: str, *tail: OperandRow, text: str, list_name: str = "src", exhausted: bool = False) -> OpRow:
    lists = params(list_name, "MrgSortSrcList")
    row = declare(
        name,
        cpp,
        _DST,
        lists,
        *tail,
        attrs=(flag("isExhaustedSuspension"),) if exhausted else (),
        semantics="mrg_sort4" if name == "mrg_sort4" else "mrg_sort",
        text=text,
    )
    return vector_row(row, (whole("dst"),), (), cost(20, 16))


MRG_SORT4 = _merge(
    "mrg_sort4",
    "MrgSort4",
    params("params", "MrgSort4Info"),
    text="Merges up to four sorted lists of region proposals.|归并最多四路 Region Proposal。",
)
MRG_SORT = _merge(
    "mrg_sort",
    "MrgSort",
    number("elementCountList", "uint16", variadic=True),
    number("sortedNum", "uint32", variadic=True),
    number("validBit", "uint16"),
    _TIMES,
    text="Merges up to four sorted lists of records.|归并最多四路有序记录。",
    list_name="sortList",
    exhausted=True,
)
MRG_INFO = _merge(
    "mrg_sort_with_info",
    "MrgSort",
    params("params", "MrgSort4Info"),
    text="Merges up to four sorted lists of records.|归并最多四路有序记录。",
)
MRG_RESULT = scalar_op(
    declare(
        "get_mrg_sort_result",
        "GetMrgSortResult",
        results="uint16 uint16 uint16 uint16",
        semantics="get_mrg_sort_result",
        text="How many records of each list the last merge took.|获取归并各路已处理个数。",
    )
)
SORT_LEN = declare(
    "get_sort_len",
    "GetSortLen",
    number("elemCount", "uint32"),
    results="uint32",
    semantics="get_sort_len",
    text="Elements that `elem_count` records take.|记录占用的元素个数。",
)
SORT_OFFSET = declare(
    "get_sort_offset",
    "GetSortOffset",
    number("elemOffset", "uint32"),
    results="uint32",
    semantics="get_sort_offset",
    text="Element offset of record `elem_offset`.|记录的元素偏移。",
)


def _proposals(name: str, cpp: str, text: str, *, mode: bool) -> OpRow:
    tail = (_TIMES, number("modeNumber")) if mode else (_TIMES,)
    row = declare(name, cpp, _DST, _SRC, *tail, semantics=name, text=text)
    prints = tuple(custom(item, name, repeat="repeatTime") for item in ("dst", "src"))
    return vector_row(row, prints, (same_dtype("dst", "src"), _RULE), cost(24, 16))


CONCAT = _proposals(
    "proposal_concat", "ProposalConcat", "Puts elements into field `mode` of proposals.|写入 Proposal 字段。", mode=True
)
EXTRACT = _proposals(
    "proposal_extract", "ProposalExtract", "Takes field `mode` out of proposals.|提取 Proposal 字段。", mode=True
)
RP_SORT = _proposals(
    "rp_sort16", "RpSort16", "Sorts 16 proposals per repeat by score.|每个迭代对 16 个 Proposal 排序。", mode=False
)
SORT = vector_row(
    declare(
        "sort",
        "Sort",
        _DST,
        src(_FLOATS, "concat"),
        src("uint32", "index"),
        scratch("tmp"),
        _TIMES,
        attrs=(flag("isFullSort"),),
        semantics="sort",
        text="Sorts groups of 32 scores, or all of them, into records.|排序，可选全排序。",
    ),
    (
        *(custom(name, "sort32", repeat="repeatTime") for name in ("dst", "concat", "index")),
        whole("tmp"),
    ),
    (same_dtype("dst", "concat"),),
    cost(24, 16, "concat"),
)

OPS = (SORT32, MRG_SORT4, MRG_SORT, MRG_INFO, MRG_RESULT, SORT_LEN, SORT_OFFSET, CONCAT, EXTRACT, RP_SORT, SORT)

_P = "dst: LocalTensor, src: LocalTensor, repeat_time: RuntimeInt"

APIS = (
    api(
        "sort32",
        overload(SORT32, "dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, repeat_time: RuntimeInt"),
        text=described(SORT32),
    ),
    api(
        "mrg_sort4",
        overload(MRG_SORT4, "dst: LocalTensor, src: MrgSortSrcList, params: MrgSort4Info"),
        text=described(MRG_SORT4),
    ),
    api(
        "mrg_sort",
        overload(
            MRG_SORT,
            "dst: LocalTensor, sort_list: MrgSortSrcList, element_count_list: list, sorted_num: list, "
            "valid_bit: RuntimeInt, repeat_time: RuntimeInt, is_exhausted_suspension: bool = False",
        ),
        overload(MRG_INFO, "dst: LocalTensor, sort_list: MrgSortSrcList, params: MrgSort4Info", src="sort_list"),
        text=described(MRG_SORT),
    ),
    api(
        "get_mrg_sort_result",
        overload(MRG_RESULT, "", returns="uint16 uint16 uint16 uint16"),
        text=described(MRG_RESULT),
    ),
    api("get_sort_len", overload(SORT_LEN, "elem_count: RuntimeInt", returns="uint32"), text=described(SORT_LEN)),
    api(
        "get_sort_offset",
        overload(SORT_OFFSET, "elem_offset: RuntimeInt", returns="uint32"),
        text=described(SORT_OFFSET),
    ),
    api("proposal_concat", overload(CONCAT, f"{_P}, mode_number: RuntimeInt"), text=described(CONCAT)),
    api("proposal_extract", overload(EXTRACT, f"{_P}, mode_number: RuntimeInt"), text=described(EXTRACT)),
    api("rp_sort16", overload(RP_SORT, _P), text=described(RP_SORT)),
    api(
        "sort",
        overload(
            SORT,
            "dst: LocalTensor, concat: LocalTensor, index: LocalTensor, tmp: LocalTensor, repeat_time: RuntimeInt, "
            "is_full_sort: bool = False",
        ),
        text=described(SORT),
    ),
)
