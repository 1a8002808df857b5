# SPDX-License-Identifier: Apache-2.0
"""The bump allocator of local memory, and lists of tensors in global memory."""

from __future__ import annotations

from asclens_compiler.opset.model import ApiRow, OpRow
from asclens_compiler.opset.rows import (
    AttrRow,
    api,
    declare,
    described,
    dtype_attr,
    enum,
    handle,
    number,
    overload,
    pure,
)

_A = handle("allocator")
_WHERE = (enum("pos", "TPosition"), dtype_attr())
_T = handle("tensor")
_D = handle("tensorDesc")
_SIZES = (number("length", "uint32"), number("shapeSize", "uint32"))

ALLOCATOR = declare(
    "local_mem_allocator",
    "LocalMemAllocator",
    attrs=(enum("hardware", "Hardware"),),
    results="LocalMemAllocator",
    text="Hands out one memory from address 0 upwards.|从 0 地址起线性分配一块物理内存。",
)
ALLOC = declare(
    "local_mem_allocator_alloc",
    "Alloc",
    _A,
    attrs=(*_WHERE, AttrRow(name="tileSize", kind=int)),
    results="LocalTensor",
    semantics="machine.allocator_alloc",
    text="Local tensor of `tile_size` elements at the next free address.|分配 tile_size 个元素的局部张量。",
)
ALLOC_DYNAMIC = declare(
    "local_mem_allocator_alloc_dynamic",
    "Alloc",
    _A,
    number("tileSize"),
    attrs=_WHERE,
    results="LocalTensor",
    semantics="machine.allocator_alloc",
    text="Local tensor of `tile_size` elements at the next free address.|分配 tile_size 个元素的局部张量。",
)
CUR_ADDR = declare(
    "local_mem_allocator_get_cur_addr",
    "GetCurAddr",
    _A,
    results="uint32",
    semantics="machine.allocator_addr",
    text="Next free address.|当前空闲起始地址。",
)
LIST = declare(
    "list_tensor_desc", "ListTensorDesc", results="ListTensorDesc", text="Declares a list of tensors.|张量列表。"
)
LIST_V2 = declare(
    "list_tensor_desc_v2",
    "ListTensorDesc",
    handle("data"),
    *_SIZES,
    results="ListTensorDesc",
    text="A list of tensors described in global memory.|由全局内存描述的张量列表。",
)
LIST_INIT = declare(
    "list_tensor_desc_init",
    "Init",
    _T,
    handle("data"),
    *_SIZES,
    text="Binds a list of tensors to global memory.|初始化张量列表。",
)
LIST_DESC = declare(
    "list_tensor_desc_get_desc",
    "GetDesc",
    _T,
    handle("desc"),
    number("index", "uint32"),
    text="Fills a descriptor from item `index`.|获取第 index 项描述。",
)
LIST_PTR = declare(
    "list_tensor_desc_get_data_ptr",
    "GetDataPtr",
    _T,
    number("index", "uint32"),
    attrs=(dtype_attr(),),
    results="GlobalAddress",
    text="Address of item `index`.|获取第 index 项地址。",
)
LIST_SIZE = declare("list_tensor_desc_get_size", "GetSize", _T, results="uint32", text="Number of tensors.|张量个数。")
DESC = declare(
    "tensor_desc",
    "TensorDesc",
    attrs=(dtype_attr(),),
    results="TensorDesc",
    text="Declares a descriptor.|张量描述。",
)


def _ask(name: str, cpp: str, results: str, text: str) -> OpRow:
    return pure(declare(f"tensor_desc_{name}", cpp, _D, results=results, text=text))


DESC_OBJ = _ask("get_data_obj", "GetDataObj", "GlobalTensor", "The described tensor.|获取张量对象。")
DESC_PTR = _ask("get_data_ptr", "GetDataPtr", "GlobalAddress", "Its address.|获取地址。")
DESC_DIM = _ask("get_dim", "GetDim", "uint64", "Number of dimensions.|获取维数。")
DESC_INDEX = _ask("get_index", "GetIndex", "uint64", "Its place in the list.|获取序号。")
DESC_SHAPE = pure(
    declare(
        "tensor_desc_get_shape",
        "GetShape",
        _D,
        number("offset", "int32"),
        results="uint64",
        text="Dimension `offset`.|获取指定维度大小。",
    )
)
DESC_ADDR = declare(
    "tensor_desc_set_shape_addr",
    "SetShapeAddr",
    _D,
    number("shapePtr", "uint64"),
    text="Where the descriptor stores a shape.|设置形状存放地址。",
)

OPS = (
    ALLOCATOR, ALLOC, ALLOC_DYNAMIC, CUR_ADDR, LIST, LIST_V2, LIST_INIT, LIST_DESC, LIST_PTR, LIST_SIZE, DESC, DESC_OBJ,
    DESC_PTR, DESC_DIM, DESC_INDEX, DESC_SHAPE, DESC_ADDR,
)  # fmt: skip

_DATA = "data: GlobalAddress, length: RuntimeInt = 4294967295, shape_size: RuntimeInt = 4294967295"


def _on(name: str, op: OpRow, text: str = "", returns: str = "None") -> ApiRow:
    receiver = op.operands[0].name
    return api(name, overload(op, text, returns=returns, **{receiver: "self"}), text=described(op))


APIS = (
    api(
        "LocalMemAllocator",
        overload(
            ALLOCATOR, "hard: Hardware = Hardware.UB", returns="LocalMemAllocator", lower="allocator", hardware="hard"
        ),
        text=described(ALLOCATOR),
    ),
    api(
        "LocalMemAllocator.alloc",
        overload(
            ALLOC_DYNAMIC,
            "pos: TPosition, data_type: DataType, tile_size: RuntimeInt",
            returns="LocalTensor",
            allocator="self",
            dtype="data_type",
        ),
        text=described(ALLOC),
    ),
    _on("LocalMemAllocator.get_cur_addr", CUR_ADDR, "", "uint32"),
    api(
        "ListTensorDesc",
        overload(LIST_V2, _DATA, returns="ListTensorDesc"),
        overload(LIST, "", returns="ListTensorDesc"),
        text=described(LIST),
    ),
    _on("ListTensorDesc.init", LIST_INIT, _DATA),
    _on("ListTensorDesc.get_desc", LIST_DESC, "desc: TensorDesc, index: RuntimeInt"),
    _on("ListTensorDesc.get_data_ptr", LIST_PTR, "index: RuntimeInt, dtype: DataType", "GlobalAddress"),
    _on("ListTensorDesc.get_size", LIST_SIZE, "", "uint32"),
    api(
        "TensorDesc",
        overload(DESC, "dtype: DataType = None", returns="TensorDesc", lower="tensor_desc"),
        text=described(DESC),
    ),
    _on("TensorDesc.get_data_obj", DESC_OBJ, "", "GlobalTensor"),
    _on("TensorDesc.get_data_ptr", DESC_PTR, "", "GlobalAddress"),
    _on("TensorDesc.get_dim", DESC_DIM, "", "uint64"),
    _on("TensorDesc.get_index", DESC_INDEX, "", "uint64"),
    _on("TensorDesc.get_shape", DESC_SHAPE, "offset: RuntimeInt", "uint64"),
    _on("TensorDesc.set_shape_addr", DESC_ADDR, "shape_ptr: RuntimeInt"),
)
