# SPDX-License-Identifier: Apache-2.0
"""Local tensors: declaration, views, properties and element access."""

from __future__ import annotations

from dataclasses import replace

from asclens_compiler.opset.model import ApiRow, Constraint, ConstraintKind, FootprintKind, FootprintRow, OpRow
from asclens_compiler.opset.rows import (
    AttrRow,
    api,
    computes,
    declare,
    described,
    dst,
    dtype_attr,
    enum,
    flag,
    inherit,
    number,
    overload,
    params,
    pure,
    src,
    tensor,
)

_FITS = Constraint(
    kind=ConstraintKind.FITS_IN, operands=("tensor",), source="CANN GetValue/SetValue: the index lies in the tensor"
)
_ELEMENT = (FootprintRow(operand="tensor", kind=FootprintKind.ELEMENT, count="index"),)
_DIMS = number("dynamicShape", variadic=True)

LOCAL = declare(
    "local_tensor", "LocalTensor", results="LocalTensor", text="Declares a local tensor without memory.|声明局部张量。"
)
LOCAL_V2 = pure(
    declare(
        "local_tensor_v2",
        "LocalTensor",
        number("addr", "uint32"),
        number("tileSize", "uint32"),
        attrs=(enum("pos", "TPosition"),),
        results="LocalTensor",
        text="Local tensor of `tileSize` elements at byte address `addr` of a position's memory; nothing is reserved."
        "|在指定位置的字节地址上构造张量，不做内存预留。",
    )
)
LOCAL_AUTO = declare(
    "local_tensor_auto",
    "LocalTensor",
    _DIMS,
    attrs=(flag("input"), flag("output")),
    results="LocalTensor",
    text="Local tensor whose address the compiler chooses; shape and position stand in its type."
    "|由编译器分配地址的局部张量。",
)
SUBINDEX = pure(
    declare(
        "local_tensor_subindex",
        "operator[]",
        tensor(),
        number("index", "int64"),
        results="LocalTensor",
        semantics="machine.subindex",
        text="The same tensor from element `index` on.|从第 index 个元素开始的张量。",
    )
)
BRACKET = replace(SUBINDEX, name="local_tensor_bracket", cpp="operator()", summary="The element reference at `index`.")
REINTERPRET = pure(
    declare(
        "reinterpret_cast",
        "ReinterpretCast",
        tensor("in"),
        attrs=(dtype_attr(),),
        results="LocalTensor",
        text="The same bytes with another element type.|以另一种元素类型解释同一段内存。",
    )
)
SET_ADDR = declare(
    "local_tensor_set_addr_with_offset",
    "SetAddrWithOffset",
    tensor(),
    tensor("src"),
    number("offset", "uint32"),
    text="Moves the tensor to element `offset` of another tensor.|将张量地址设为另一张量偏移处。",
)


def _ask(name: str, cpp: str, text: str, results: str = "int32") -> OpRow:
    return pure(declare(f"local_tensor_{name}", cpp, tensor(), results=results, semantics=f"machine.{name}", text=text))


def _set(name: str, cpp: str, operand: str, dtype: str, text: str) -> OpRow:
    return declare(
        f"local_tensor_{name}", cpp, tensor(), number(operand, dtype), semantics=f"machine.{name}", text=text
    )


GET_LENGTH = _ask("get_length", "GetLength", "Bytes of the tensor.|张量的字节数。")
GET_POSITION = _ask("get_position", "GetPosition", "Logical position as a number.|逻辑位置。")
GET_SIZE = _ask("get_size", "GetSize", "Number of elements.|张量的元素个数。")
GET_TAG = _ask("get_user_tag", "GetUserTag", "Tag set by the user.|用户自定义标签。")
GET_SHAPE = _ask("get_shape_info", "GetShapeInfo", "Shape set on the tensor.|获取张量的形状信息。", "ShapeInfo")
GET_ADDR = pure(
    declare(
        "local_tensor_get_phy_addr",
        "GetPhyAddr",
        tensor(),
        number("offset", "uint32"),
        results="uint64",
        semantics="machine.get_local_addr",
        text="Byte address of the element at `offset`.|第 offset 个元素的字节地址。",
    )
)
SET_LEN = _set(
    "set_buffer_len", "SetBufferLen", "dataLen", "uint32", "Sets the bytes of the tensor.|设置张量的字节数。"
)
SET_SIZE = _set("set_size", "SetSize", "size", "uint32", "Sets the number of elements.|设置张量的元素个数。")
SET_TAG = _set("set_user_tag", "SetUserTag", "tag", "int32", "Sets the user's tag.|设置用户标签。")
SET_SHAPE = declare(
    "local_tensor_set_shape_info",
    "SetShapeInfo",
    tensor(),
    params("shapeInfo", "ShapeInfo"),
    semantics="machine.set_shape_info",
    text="Sets the shape of the tensor.|设置张量的形状信息。",
)
GET_VALUE = replace(
    computes(
        declare(
            "local_tensor_get_value",
            "GetValue",
            src(name="tensor"),
            number("index", "uint32"),
            results="element",
            semantics="machine.get_value",
            text="Reads one element with the scalar unit.|标量读取一个元素。",
        )
    ),
    footprints=_ELEMENT,
    constraints=(_FITS,),
)
SET_VALUE = replace(
    computes(
        declare(
            "local_tensor_set_value",
            "SetValue",
            dst(name="tensor"),
            number("index", "uint32"),
            number("value", same_as="tensor"),
            semantics="machine.set_value",
            text="Writes one element with the scalar unit.|标量写入一个元素。",
        )
    ),
    footprints=_ELEMENT,
    constraints=(_FITS,),
)
PRINT = replace(
    declare(
        "local_tensor_print",
        "Print",
        src(name="tensor", memories=frozenset()),
        number("len", "uint32"),
        semantics="machine.tensor_print",
        text="Prints the first elements, for debugging.|打印张量内容，用于调试。",
    ),
    footprints=(FootprintRow(operand="tensor", kind=FootprintKind.COUNT, count="len"),),
)
TO_FILE = replace(
    declare(
        "local_tensor_to_file",
        "ToFile",
        src(name="tensor", memories=frozenset()),
        attrs=(AttrRow(name="fileName"),),
        semantics="machine.no_effect",
        text="Saves the tensor on the vendor's CPU twin; the device ignores it.|保存张量到文件，仅用于 CPU 调试。",
    ),
    footprints=(FootprintRow(operand="tensor", kind=FootprintKind.WHOLE),),
)
SHAPE_DIM = pure(
    declare(
        "shape_info_shape",
        "shape",
        params("base", "ShapeInfo"),
        number("dim"),
        results="int32",
        text="Dimension `dim` of a shape.|形状的第 dim 维。",
    )
)
ORIGINAL_DIM = pure(
    declare(
        "shape_info_original_shape",
        "originalShape",
        params("base", "ShapeInfo"),
        number("dim"),
        results="int32",
        text="Dimension `dim` of the shape before padding.|补齐前形状的第 dim 维。",
    )
)
SHAPE_SIZE = pure(
    declare(
        "get_shape_size",
        "GetShapeSize",
        params("shapeInfo", "ShapeInfo"),
        results="int32",
        text="Product of the dimensions of a shape.|形状各维乘积。",
    )
)

OPS = (
    LOCAL, LOCAL_V2, LOCAL_AUTO, SUBINDEX, BRACKET, REINTERPRET, SET_ADDR, GET_LENGTH, GET_POSITION, GET_SIZE, GET_TAG,
    GET_SHAPE, GET_ADDR, SET_LEN, SET_SIZE, SET_TAG, SET_SHAPE, GET_VALUE, SET_VALUE, PRINT, TO_FILE, SHAPE_DIM,
    ORIGINAL_DIM, SHAPE_SIZE,
)  # fmt: skip


def _method(name: str, op: OpRow, text: str = "", returns: str = "None", **binding: str) -> ApiRow:
    return api(
        f"LocalTensor.{name}", overload(op, text, returns=returns, **({"tensor": "self"} | binding)), text=described(op)
    )


_METHODS = (
    api(
        "LocalTensor.__getitem__",
        overload(SUBINDEX, "slices: any", returns="LocalTensor", lower="subindex", tensor="self", index="slices"),
        text=described(SUBINDEX),
    ),
    _method("__call__", BRACKET, "index: any", "LocalTensor"),
    _method("get_length", GET_LENGTH, "", "int32"),
    _method("get_phy_addr", GET_ADDR, "offset: RuntimeInt = 0", "uint64"),
    _method("get_position", GET_POSITION, "", "int32"),
    _method("get_shape_info", GET_SHAPE, "", "ShapeInfo"),
    _method("get_size", GET_SIZE, "", "int32"),
    _method("get_user_tag", GET_TAG, "", "int32"),
    _method("get_value", GET_VALUE, "index: RuntimeInt", "element"),
    _method("print", PRINT, "data_len: RuntimeInt", len="data_len"),
    _method("reinterpret_cast", REINTERPRET, "dtype: DataType", "LocalTensor", **{"in": "self"}),
    _method("set_addr_with_offset", SET_ADDR, "src: LocalTensor, offset: RuntimeInt"),
    _method("set_buffer_len", SET_LEN, "data_len: RuntimeInt"),
    _method("set_shape_info", SET_SHAPE, "shape_info: ShapeInfo"),
    _method("set_size", SET_SIZE, "size: RuntimeInt = 0"),
    _method("set_user_tag", SET_TAG, "tag: RuntimeInt = 0"),
    _method("set_value", SET_VALUE, "index: RuntimeInt, value: RuntimeNumeric"),
    _method("to_file", TO_FILE, "file_name: str"),
)

APIS = (
    api(
        "LocalTensor",
        overload(
            LOCAL_V2,
            "dtype: DataType, pos: TPosition, addr: RuntimeInt, tile_size: RuntimeInt",
            returns="LocalTensor",
            lower="local_tensor",
        ),
        overload(LOCAL, "dtype: DataType", returns="LocalTensor", lower="local_tensor"),
        text="Local tensor at a given byte address of a position, `tile_size` elements long."
        "|在指定逻辑位置、字节地址上构造局部张量，长度为 tile_size 个元素。",
    ),
    api(
        "LocalTensorAuto",
        overload(LOCAL_AUTO, "dtype: DataType, shape: any", returns="LocalTensor", lower="local_tensor_auto"),
        text="Local tensor that the compiler places; it also switches automatic synchronisation on."
        "|由编译器自动分配并自动插入同步的局部张量。",
    ),
    *_METHODS,
    *inherit(_METHODS, "LocalTensor", "LocalTensorAuto"),
    api(
        "ShapeInfo.shape",
        overload(SHAPE_DIM, "dim: RuntimeInt", returns="int32", base="self"),
        text=described(SHAPE_DIM),
    ),
    api(
        "ShapeInfo.original_shape",
        overload(ORIGINAL_DIM, "dim: RuntimeInt", returns="int32", base="self"),
        text=described(ORIGINAL_DIM),
    ),
    api(
        "get_shape_size",
        overload(SHAPE_SIZE, "shape_info: ShapeInfo", returns="int32"),
        text=described(SHAPE_SIZE),
    ),
)
