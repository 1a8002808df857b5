# SPDX-License-Identifier: Apache-2.0
"""Cube core: loads into L0, matrix multiplication, and the way out of L0C."""

from __future__ import annotations

from dataclasses import replace

from asclens_compiler.hardware.pipes import Memory, Pipe
from asclens_compiler.opset.forms import aligned, custom, fits, in_range, whole
from asclens_compiler.opset.model import (
    Constraint,
    ConstraintKind,
    Cost,
    FootprintRow,
    OperandRow,
    OpRow,
    PipeRule,
)
from asclens_compiler.opset.rows import (
    api,
    declare,
    described,
    dst,
    number,
    overload,
    params,
    scalar_op,
    src,
    type_pairs,
)

_L0AB = frozenset({Memory.L0A, Memory.L0B})
_L1 = frozenset({Memory.L1})
_LOAD_TARGETS = frozenset({Memory.L0A, Memory.L0B, Memory.L1})
_LOAD_SOURCES = frozenset({Memory.L1, Memory.GM})
_L0C = frozenset({Memory.L0C})
_TYPES = "int4 int8 uint8 int16 uint16 half bf16 int32 uint32 float"
_B16_B32 = "int16 uint16 half bf16 int32 uint32 float"
_PATH = Constraint(
    kind=ConstraintKind.COPY_PATH, operands=("dst", "src"), source="CANN LoadData page: L1->L0A/L0B, GM->L1/L0A/L0B"
)
_FRACTALS = tuple(
    in_range(f"loadDataParams.{name}", 0, high, "CANN LoadData 2D page")
    for name, high in (("repeat_times", 255), ("start_index", 65535), ("src_stride", 65535), ("dst_gap", 65535))
)


def _load(name: str, struct: str, text: str, function: str, rules: tuple[Constraint, ...] = ()) -> OpRow:
    target = dst(_TYPES, memories=_LOAD_TARGETS)
    source = src(_TYPES, memories=frozenset({Memory.GM}) if "g2l" in name else _L1)
    row = declare(name, "LoadData", target, source, params("loadDataParams", struct), semantics=function, text=text)
    prints = (
        (custom("dst", function, params="loadDataParams"), custom("src", function, params="loadDataParams"))
        if function == "load_data_2d"
        else (whole("dst"), whole("src"))
    )
    return replace(
        row,
        pipe=PipeRule.COPY_PATH,
        footprints=prints,
        constraints=(*rules, _PATH, *aligned("dst"), *fits("dst", "src")),
    )


_TEXT_2D = "Loads 512-byte fractals.|加载 512 字节分形。"
_TEXT_2D2 = "Loads a block of fractals.|加载分形矩阵。"
_TEXT_3D = "Loads an image as columns.|加载并做 img2col 变换。"
LOAD = _load("load_data_l0", "LoadData2DParams", _TEXT_2D, "load_data_2d", _FRACTALS)
LOAD_G = _load("load_data_g2l", "LoadData2DParams", _TEXT_2D, "load_data_2d", _FRACTALS)
LOAD_V2 = _load("load_data_l0_v2", "LoadData2DParamsV2", _TEXT_2D2, "load_data_2d_v2")
LOAD_G_V2 = _load("load_data_g2l_v2", "LoadData2DParamsV2", _TEXT_2D2, "load_data_2d_v2")
LOAD_3D1 = _load("load_data_3d_l0_v1", "LoadData3DParamsV1", _TEXT_3D, "load_data_3d_v1")
LOAD_3D2 = _load("load_data_3d_l0_v2", "LoadData3DParamsV2", _TEXT_3D, "load_data_3d_v2")
LOAD_PRO = _load("load_data_3d_l0_v2pro", "LoadData3DParamsV2Pro", _TEXT_3D, "load_data_3d_v2pro")


def _transpose(name: str, struct: str) -> OpRow:
    row = declare(
        name,
        "LoadDataWithTranspose",
        dst(_TYPES, memories=_L0AB),
        src(_TYPES, memories=_L1),
        params("loadDataParams", struct),
        semantics="load_data_with_transpose",
        text="Loads fractals transposed.|加载分形并转置。",
    )
    return replace(
        row,
        pipe=Pipe.MTE1,
        footprints=(whole("dst"), whole("src")),
        constraints=(
            in_range("loadDataParams.repeat_times", 0, 255, "CANN LoadDataWithTranspose page"),
            *aligned("dst"),
        ),
    )


TRANSPOSED = _transpose("load_data_with_transpose", "LoadData2dTransposeParams")
TRANSPOSED_V2 = _transpose("load_data_with_transpose_v2", "LoadData2dTransposeParamsV2")
SPARSE = replace(
    declare(
        "load_data_with_sparse",
        "LoadDataWithSparse",
        dst("int8", memories=frozenset({Memory.L0B})),
        src("int8", memories=_L1),
        src("uint8", "idx", memories=_L1),
        params("loadDataParam", "LoadData2DParams"),
        semantics="load_data_with_sparse",
        text="Loads a 4:2 sparse matrix and its index.|加载稀疏矩阵及索引。",
    ),
    pipe=Pipe.MTE1,
    footprints=(whole("dst"), whole("src"), whole("idx")),
    constraints=aligned("dst", "src"),
)
CONST = replace(
    declare(
        "init_const_value",
        "InitConstValue",
        dst(_B16_B32, memories=_LOAD_TARGETS),
        params("initConstValueParams", "InitConstValueParams"),
        semantics="init_const_value",
        text="Fills blocks of L1 or fractals of L0 with a number.|用常量初始化。",
    ),
    # L1 is filled by MTE2, L0A and L0B by MTE1; a kernel's other loads decide which wait it needs.
    pipe=Pipe.MTE2,
    footprints=(custom("dst", "init_const", params="initConstValueParams"),),
    constraints=(
        *(
            in_range(f"initConstValueParams.{name}", 0, 32767, "CANN InitConstValue page")
            for name in ("repeat_times", "block_num", "dst_gap")
        ),
        *aligned("dst"),
    ),
)

_MM_TYPES = type_pairs("int32,int8,int8 float,half,half float,float,float float,bf16,bf16 int32,int4,int4")
_MM_SIZES = tuple(in_range(f"mmadParams.{name}", 0, 4095, "CANN Mmad page") for name in ("m", "n", "k"))
_MM_COST = Cost(
    head=23,
    per_unit=1.0,
    unit_bytes=512,
    operand="fm",
    source="Ascend/mskpp: 23 cycles and one per 16 x 16 x 16 fractal on 910B3",
)


def _mmad(name: str, cpp: str, *more: OperandRow, text: str) -> OpRow:
    tensors = (
        dst("float int32", memories=_L0C),
        src("int4 int8 half bf16 float", "fm", frozenset({Memory.L0A})),
        src("int4 int8 half bf16 float", "filter", frozenset({Memory.L0B})),
    )
    row = declare(name, cpp, *tensors, *more, params("mmadParams", "MmadParams"), semantics=name, text=text)
    prints: list[FootprintRow] = [custom(item, "mmad", params="mmadParams") for item in ("dst", "fm", "filter")]
    prints += [custom(item.name, "mmad", params="mmadParams") for item in more]
    types = Constraint(
        kind=ConstraintKind.DTYPE_PAIR_IN, operands=("dst", "fm", "filter"), pairs=_MM_TYPES, source="CANN Mmad page"
    )
    return replace(
        row,
        pipe=Pipe.M,
        compute_unit="CUBE",
        footprints=tuple(prints),
        constraints=(*_MM_SIZES, types, *aligned("dst", "fm", "filter"), *fits("dst", "fm", "filter")),
        cost=_MM_COST,
    )


MMAD = _mmad("mmad", "Mmad", text="C = A * B, or C += A * B.|矩阵乘。")
MMAD_BIAS = _mmad(
    "mmad_with_bias",
    "Mmad",
    src("float int32", "bias", frozenset({Memory.BT, Memory.L0C})),
    text="C = A * B + bias.|带偏置的矩阵乘。",
)
MMAD_SPARSE = _mmad("mmad_with_sparse", "MmadWithSparse", text="C = A * B with a 4:2 sparse B.|稀疏矩阵乘。")

_FIX_TYPES = type_pairs(
    "float,float half,float bf16,float int8,float uint8,float int32,int32 half,int32 int8,int32 uint8,int32"
)


def _fixpipe(name: str, *more: OperandRow) -> OpRow:
    row = declare(
        name,
        "Fixpipe",
        dst("float half bf16 int8 uint8 int32", memories=frozenset({Memory.GM, Memory.L1})),
        src("float int32", memories=_L0C),
        *more,
        params("intriParams", "FixpipeParamsV220"),
        params("fixpipeConfig", "FixpipeConfig"),
        semantics="fixpipe",
        text="Moves results out of L0C, with conversion, ReLU and layout change.|L0C 结果搬出，随路量化与格式转换。",
    )
    types = Constraint(
        kind=ConstraintKind.DTYPE_PAIR_IN, operands=("dst", "src"), pairs=_FIX_TYPES, source="CANN Fixpipe page"
    )
    return replace(
        row,
        pipe=Pipe.FIX,
        footprints=(custom("dst", "fixpipe_dst"), custom("src", "fixpipe_src"), *(whole(item.name) for item in more)),
        constraints=(
            types,
            in_range("intriParams.n_size", 0, 4095, "CANN Fixpipe page"),
            in_range("intriParams.m_size", 0, 65535, "CANN Fixpipe page"),
            *aligned("src"),
            *fits("dst", "src"),
        ),
    )


FIXPIPE = _fixpipe("fixpipe")
FIXPIPE_WORK = _fixpipe("fixpipe_with_workspace", src(name="cbufWorkspace", memories=frozenset({Memory.L1, Memory.FB})))


def _register(name: str, cpp: str, *operands: OperandRow, text: str) -> OpRow:
    return scalar_op(declare(name, cpp, *operands, semantics=name, text=text))


BOUNDARY = _register(
    "set_load_data_boundary", "SetLoadDataBoundary", number("value"), text="Ring size of L1.|L1 边界。"
)
PADDING = _register(
    "set_load_data_padding_value", "SetLoadDataPaddingValue", number("padValue", ""), text="Value of padding.|填充值。"
)
REPEATS = _register(
    "set_load_data_repeat",
    "SetLoadDataRepeat",
    params("repeatParams", "LoadDataRepeatParam"),
    text="Repeats of image loads.|img2col 重复参数。",
)

OPS = (
    LOAD, LOAD_G, LOAD_V2, LOAD_G_V2, LOAD_3D1, LOAD_3D2, LOAD_PRO, TRANSPOSED, TRANSPOSED_V2, SPARSE, CONST, MMAD,
    MMAD_BIAS, MMAD_SPARSE, FIXPIPE, FIXPIPE_WORK, BOUNDARY, PADDING, REPEATS,
)  # fmt: skip

_LOCALS = "dst: LocalTensor, src: LocalTensor, params: "
_GLOBALS = "dst: LocalTensor, src: GlobalTensor, params: "
_P = {"loadDataParams": "params"}
_MM = "dst: BaseTensor, fm: BaseTensor, filter: BaseTensor"
_CONFIG = "config: FixpipeConfig = FixpipeConfig.cfg_row_major"
_FIX = {"intriParams": "params", "fixpipeConfig": "config"}

APIS = (
    api(
        "load_data",
        overload(LOAD, _LOCALS + "LoadData2DParams", **_P),
        overload(LOAD_G, _GLOBALS + "LoadData2DParams", **_P),
        overload(LOAD_V2, _LOCALS + "LoadData2DParamsV2", **_P),
        overload(LOAD_G_V2, _GLOBALS + "LoadData2DParamsV2", **_P),
        overload(LOAD_3D1, _LOCALS + "LoadData3DParamsV1", **_P),
        overload(LOAD_3D2, _LOCALS + "LoadData3DParamsV2", **_P),
        overload(LOAD_PRO, _LOCALS + "LoadData3DParamsV2Pro", **_P),
        text=_TEXT_2D,
    ),
    api(
        "load_data_with_transpose",
        overload(TRANSPOSED, _LOCALS + "LoadData2dTransposeParams", **_P),
        overload(TRANSPOSED_V2, _LOCALS + "LoadData2dTransposeParamsV2", **_P),
        text=described(TRANSPOSED),
    ),
    api(
        "load_data_with_sparse",
        overload(SPARSE, "dst: LocalTensor, src: LocalTensor, idx: LocalTensor, load_data_params: LoadData2DParams"),
        text=described(SPARSE),
    ),
    api(
        "init_const_value",
        overload(CONST, "dst: LocalTensor, init_const_value_params: InitConstValueParams"),
        text=described(CONST),
    ),
    api(
        "mmad",
        overload(MMAD, f"{_MM}, params: MmadParams", mmadParams="params"),
        overload(MMAD_BIAS, f"{_MM}, bias: LocalTensor, params: MmadParams", mmadParams="params"),
        text=described(MMAD),
    ),
    api("mmad_with_sparse", overload(MMAD_SPARSE, f"{_MM}, mmad_params: MmadParams"), text=described(MMAD_SPARSE)),
    api(
        "fixpipe",
        overload(FIXPIPE, f"dst: GlobalTensor, src: LocalTensor, params: FixpipeParamsV220, {_CONFIG}", **_FIX),
        overload(
            FIXPIPE_WORK,
            f"dst: GlobalTensor, src: LocalTensor, cbuf_workspace: LocalTensor, params: FixpipeParamsV220, {_CONFIG}",
            **_FIX,
        ),
        text=described(FIXPIPE),
    ),
    api(
        "set_load_data_boundary", overload(BOUNDARY, "boundary: RuntimeInt", value="boundary"), text=described(BOUNDARY)
    ),
    api("set_load_data_padding_value", overload(PADDING, "pad_value: RuntimeInt"), text=described(PADDING)),
    api(
        "set_load_data_repeat",
        overload(REPEATS, "param: LoadDataRepeatParam", repeatParams="param"),
        text=described(REPEATS),
    ),
)
