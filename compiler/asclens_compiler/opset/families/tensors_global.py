# SPDX-License-Identifier: Apache-2.0
"""Pointers into global memory and global tensors."""

from __future__ import annotations

from dataclasses import replace

from asclens_compiler.hardware.pipes import Memory
from asclens_compiler.opset.model import ApiRow, Constraint, ConstraintKind, FootprintKind, FootprintRow, OpRow
from asclens_compiler.opset.rows import (
    api,
    computes,
    declare,
    described,
    dst,
    enum,
    handle,
    number,
    overload,
    params,
    pure,
    src,
    tensor,
)

GM = frozenset({Memory.GM})


def _element(row: OpRow, operand: str, index: str) -> OpRow:
    footprint = FootprintRow(operand=operand, kind=FootprintKind.ELEMENT, count=index)
    fits = Constraint(
        kind=ConstraintKind.FITS_IN, operands=(operand,), source="CANN GetValue/SetValue: the index lies in the tensor"
    )
    return replace(row, footprints=(footprint,), constraints=(fits,))


PTR_OFFSET = pure(
    declare(
        "ptr_offset",
        "",
        handle("base"),
        number("offset", "int64"),
        results="GlobalAddress",
        text="Address of an element after `base`; the offset counts elements.|指针偏移，单位为元素。",
    )
)
GLOBAL = declare(
    "global_tensor", "GlobalTensor", results="GlobalTensor", text="Declares a global tensor.|声明全局张量。"
)
SET_BUFFER = declare(
    "global_tensor_set_global_buffer",
    "SetGlobalBuffer",
    tensor(memories=GM),
    handle("buffer"),
    number("size", optional=True),
    text="Binds a global tensor to an address; the size counts elements.|绑定全局内存地址，长度单位为元素。",
)
SUBINDEX = pure(
    declare(
        "global_tensor_subindex",
        "operator[]",
        tensor(memories=GM),
        number("index", "int64"),
        results="GlobalTensor",
        semantics="machine.subindex",
        text="The same tensor from element `index` on.|从第 index 个元素开始的张量。",
    )
)
BRACKET = pure(
    declare(
        "global_tensor_bracket",
        "operator()",
        tensor(memories=GM),
        number("index", "int64"),
        results="GlobalTensor",
        semantics="machine.subindex",
        text="The element reference at `index`.|第 index 个元素的引用。",
    )
)
GET_ADDR = pure(
    declare(
        "global_tensor_get_phy_addr",
        "GetPhyAddr",
        tensor(memories=GM),
        number("offset", "uint64"),
        results="GlobalAddress",
        text="Address of the element at `offset`.|第 offset 个元素的地址。",
    )
)
GET_SHAPE = declare(
    "global_tensor_get_shape_info",
    "GetShapeInfo",
    tensor(memories=GM),
    results="ShapeInfo",
    semantics="machine.get_shape_info",
    text="Shape set on the tensor.|获取张量的形状信息。",
)
GET_SIZE = pure(
    declare(
        "global_tensor_get_size",
        "GetSize",
        tensor(memories=GM),
        results="int32",
        semantics="machine.get_size",
        text="Number of elements.|张量的元素个数。",
    )
)
GET_VALUE = _element(
    computes(
        declare(
            "global_tensor_get_value",
            "GetValue",
            src(name="tensor", memories=GM),
            number("offset", "uint64"),
            results="element",
            semantics="machine.get_value",
            text="Reads one element with the scalar unit, through its data cache.|标量读取一个元素，经过数据缓存。",
        )
    ),
    "tensor",
    "offset",
)
SET_VALUE = _element(
    computes(
        declare(
            "global_tensor_set_value",
            "SetValue",
            dst(name="tensor", memories=GM),
            number("offset", "uint64"),
            number("value", same_as="tensor"),
            semantics="machine.set_value",
            text="Writes one element into the data cache of the scalar unit; clean the cache before others read it."
            "|标量写入一个元素到数据缓存，其他单元读取前须刷新缓存。",
        )
    ),
    "tensor",
    "offset",
)
CACHE_HINT = declare(
    "global_tensor_set_l2_cache_hint",
    "SetL2CacheHint",
    tensor(memories=GM),
    attrs=(enum("mode", "CacheMode"), enum("rwMode", "CacheRwMode")),
    semantics="machine.no_effect",
    text="Tells the L2 cache how the tensor is used; values do not change.|设置 L2 缓存策略，不影响数值。",
)
SET_SHAPE = declare(
    "global_tensor_set_shape_info",
    "SetShapeInfo",
    tensor(memories=GM),
    params("shapeInfo", "ShapeInfo"),
    semantics="machine.set_shape_info",
    text="Sets the shape of the tensor.|设置张量的形状信息。",
)

OPS = (
    PTR_OFFSET,
    GLOBAL,
    SET_BUFFER,
    SUBINDEX,
    BRACKET,
    GET_ADDR,
    GET_SHAPE,
    GET_SIZE,
    GET_VALUE,
    SET_VALUE,
    CACHE_HINT,
    SET_SHAPE,
)

_T = "GlobalTensor"


def _method(name: str, op: OpRow, text: str = "", returns: str = "None", **binding: str) -> ApiRow:
    return api(f"{_T}.{name}", overload(op, text, returns=returns, tensor="self", **binding), text=described(op))


APIS = (
    api(
        "GlobalAddress",
        overload(None, "dtype: DataType = None", returns="GlobalAddress", lower="annotation"),
        text="Pointer to global memory: the annotation of a kernel's array parameter.|全局内存指针。",
    ),
    api(
        "GlobalAddress.__add__",
        overload(PTR_OFFSET, "offset: RuntimeInt", returns="GlobalAddress", base="self"),
        text="Address of an element further on.|偏移若干元素后的地址。",
    ),
    api(_T, overload(GLOBAL, "", returns=_T, lower="global_tensor"), text="Declares a global tensor.|声明全局张量。"),
    api(
        f"{_T}.set_global_buffer",
        overload(
            SET_BUFFER,
            "buffer: GlobalAddress, buffer_size: RuntimeInt = None",
            lower="set_global_buffer",
            tensor="self",
            size="buffer_size",
        ),
        text=described(SET_BUFFER),
    ),
    api(
        f"{_T}.__getitem__",
        overload(SUBINDEX, "slices: any", returns=_T, lower="subindex", tensor="self", index="slices"),
        text=described(SUBINDEX),
    ),
    _method("__call__", BRACKET, "index: any", _T),
    _method("get_phy_addr", GET_ADDR, "offset: RuntimeInt = 0", "GlobalAddress"),
    _method("get_shape_info", GET_SHAPE, "", "ShapeInfo"),
    _method("get_size", GET_SIZE, "", "int32"),
    _method("get_value", GET_VALUE, "offset: RuntimeInt", "element"),
    _method("set_value", SET_VALUE, "offset: RuntimeInt, value: RuntimeNumeric"),
    _method(
        "set_l2_cache_hint",
        CACHE_HINT,
        "mode: CacheMode = CacheMode.CACHE_MODE_NORMAL, rw_mode: CacheRwMode = CacheRwMode.RW",
    ),
    _method("set_shape_info", SET_SHAPE, "shape_info: ShapeInfo"),
)
