# SPDX-License-Identifier: Apache-2.0
"""Public enums of pyasc with the values of Ascend C."""

from __future__ import annotations

from asclens_compiler.opset.model import EnumRow


def _enum(name: str, members: str, summary: str) -> EnumRow:
    parts = [item.split("=") for item in members.split()]
    return EnumRow(name=name, members=tuple((key, int(value)) for key, value in parts), summary=summary)


ENUMS = (
    _enum("AippInputFormat", "YUV420SP_U8=0 XRGB8888_U8=1 RGB888_U8=4 YUV400_U8=9", "Pixel formats of image loads."),
    _enum(
        "AtomicDtype",
        "ATOMIC_NONE=0 ATOMIC_F32=1 ATOMIC_F16=2 ATOMIC_S16=3 ATOMIC_S32=4 ATOMIC_S8=5 ATOMIC_BF16=6",
        "Element types of atomic stores.",
    ),
    _enum("AtomicOp", "ATOMIC_SUM=0", "Operations of atomic stores."),
    _enum(
        "BatchMode",
        "NONE=0 BATCH_LESS_THAN_L1=1 BATCH_LARGE_THAN_L1=2 SINGLE_LARGE_THAN_L1=3",
        "How a batched Matmul fills L1.",
    ),
    _enum(
        "BlockMode",
        "BLOCK_MODE_NORMAL=0 BLOCK_MODE_MATRIX=1 BLOCK_MODE_VECTOR=2 BLOCK_MODE_SMALL_CHANNEL=3 BLOCK_MODE_DEPTHWISE=4",
        "Block layouts of enhanced copies.",
    ),
    _enum("CMPMODE", "LT=0 GT=1 EQ=2 LE=3 GE=4 NE=5", "Comparisons of compare calls."),
    _enum("CO2Layout", "NZ=0 ROW_MAJOR=1 COLUMN_MAJOR=2", "Layouts that fixpipe writes."),
    _enum("CacheLine", "SINGLE_CACHE_LINE=0 ENTIRE_DATA_CACHE=1", "Which part of the data cache is cleaned."),
    _enum(
        "CacheMode",
        "CACHE_MODE_NORMAL=0 CACHE_MODE_DISABLE=1 CACHE_MODE_LAST=2 CACHE_MODE_PERSISTENT=4",
        "Use of the L2 cache.",
    ),
    _enum("CacheRwMode", "READ=1 WRITE=2 RW=3", "Directions a cache hint is for."),
    _enum("CubeFormat", "ND=0 NZ=1", "Matrix layouts of Matmul operands."),
    _enum("DataFormat", "ND=0 NZ=1 NCHW=2 NC1HWC0=3 NHWC=4", "Tensor layouts."),
    _enum(
        "DcciDst", "CACHELINE_ALL=0 CACHELINE_UB=1 CACHELINE_OUT=2 CACHELINE_ATOMIC=3", "Where cleaned cache lines go."
    ),
    _enum("DeqScale", "DEQ_NONE=0 DEQ=1 VDEQ=2 DEQ8=3 VDEQ8=4 DEQ16=5 VDEQ16=6", "Dequantisation of enhanced copies."),
    _enum("GatherMaskMode", "DEFAULT=0", "Modes of gather_mask."),
    _enum(
        "HardEvent",
        "MTE2_MTE1=0 MTE1_MTE2=1 MTE1_M=2 M_MTE1=3 MTE2_V=4 V_MTE2=5 MTE3_V=6 V_MTE3=7 M_V=8 V_M=9 V_V=10 "
        "MTE3_MTE1=11 MTE1_MTE3=12 MTE1_V=13 MTE2_M=14 M_MTE2=15 V_MTE1=16 M_FIX=17 FIX_M=18 MTE3_MTE2=19 "
        "MTE2_MTE3=20 S_V=21 V_S=22 S_MTE2=23 MTE2_S=24 S_MTE3=25 MTE3_S=26 MTE2_FIX=27 FIX_MTE2=28 FIX_S=29 "
        "M_S=30 FIX_MTE3=31 MTE1_FIX=32 FIX_MTE1=33 FIX_FIX=34",
        "Flag directions, `<set by>_<waited by>`.",
    ),
    _enum(
        "Hardware", "GM=0 UB=1 L1=2 L0A=3 L0B=4 L0C=5 BIAS=6 FIXBUF=7 MAX=8", "Physical memories of LocalMemAllocator."
    ),
    _enum(
        "IterateMode",
        "ITERATE_MODE_NORMAL=1 ITERATE_MODE_ALL=2 ITERATE_MODE_BATCH=4 ITERATE_MODE_N_BATCH=8 ITERATE_MODE_DEFAULT=255",
        "Iteration kinds of Matmul.",
    ),
    _enum("IterateOrder", "ORDER_M=0 ORDER_N=1 UNDEF=2", "Iteration orders of Matmul."),
    _enum("LayoutMode", "NONE=0 NORMAL=1 BSNGD=2 SBNGD=3 BNGS1S2=4", "Batch layouts of Matmul operands."),
    _enum("MaskMode", "NORMAL=0 COUNTER=1", "Meaning of the mask registers."),
    _enum(
        "MatmulConfigMode", "CONFIG_NORM=1 CONFIG_MDL=2 CONFIG_SPECIALMDL=3 CONFIG_IBSHARE=4", "Templates of Matmul."
    ),
    _enum("MemDsbT", "ALL=0 DDR=1 UB=2 SEQ=3", "Memories that a scalar fence covers."),
    _enum(
        "PipeID",
        "PIPE_S=0 PIPE_V=1 PIPE_M=2 PIPE_MTE1=3 PIPE_MTE2=4 PIPE_MTE3=5 PIPE_ALL=6 PIPE_MTE4=7 PIPE_MTE5=8 "
        "PIPE_V2=9 PIPE_FIX=10",
        "Instruction queues.",
    ),
    _enum(
        "QuantModes",
        "NoQuant=0 F322F16=1 F322BF16=2 DEQF16=3 VDEQF16=4 QF322B8_PRE=5 VQF322B8_PRE=6 REQ8=7 VREQ8=8",
        "Conversions that fixpipe makes.",
    ),
    _enum(
        "ReduceOrder",
        "ORDER_VALUE_INDEX=0 ORDER_INDEX_VALUE=1 ORDER_ONLY_VALUE=2 ORDER_ONLY_INDEX=3",
        "What whole_reduce_max/min store.",
    ),
    _enum(
        "RoundMode",
        "CAST_NONE=0 CAST_RINT=1 CAST_FLOOR=2 CAST_CEIL=3 CAST_ROUND=4 CAST_TRUNC=5 CAST_ODD=6",
        "Rounding of casts.",
    ),
    _enum("ScheduleType", "INNER_PRODUCT=0 OUTER_PRODUCT=1", "Schedules of Matmul."),
    _enum(
        "SelMode",
        "VSEL_CMPMASK_SPR=0 VSEL_TENSOR_SCALAR_MODE=1 VSEL_TENSOR_TENSOR_MODE=2",
        "Where select finds its mask.",
    ),
    _enum(
        "TPosition",
        "GM=0 A1=1 A2=2 B1=3 B2=4 C1=5 C2=6 CO1=7 CO2=8 VECIN=9 VECOUT=10 VECCALC=11 MAX=12",
        "Logical positions of tensors.",
    ),
    _enum(
        "TransposeType",
        "TRANSPOSE_TYPE_NONE=0 TRANSPOSE_NZ2ND_0213=1 TRANSPOSE_NZ2NZ_0213=2 TRANSPOSE_NZ2NZ_012_WITH_N=3 "
        "TRANSPOSE_NZ2ND_012_WITH_N=4 TRANSPOSE_NZ2ND_012_WITHOUT_N=5 TRANSPOSE_NZ2NZ_012_WITHOUT_N=6 "
        "TRANSPOSE_ND2ND_ONLY=7 TRANSPOSE_ND_UB_GM=8 TRANSPOSE_GRAD_ND_UB_GM=9 TRANSPOSE_ND2ND_B16=10 "
        "TRANSPOSE_NCHW2NHWC=11 TRANSPOSE_NHWC2NCHW=12",
        "Kinds of transposition.",
    ),
    _enum(
        "pad_t",
        "PAD_NONE=0 PAD_MODE1=1 PAD_MODE2=2 PAD_MODE3=3 PAD_MODE4=4 PAD_MODE5=5 PAD_MODE6=6 PAD_MODE7=7 PAD_MODE8=8",
        "Padding of enhanced copies.",
    ),
    _enum("BatchOutMode", "SINGLE_BATCH=0 MULTI_BATCH=1 DYNAMIC=2", "How a batched Matmul writes its results."),
    _enum(
        "MatmulPolicy",
        "MatmulPolicy=0 TrianUpperMatmulPolicy=1 TrianLowerMatmulPolicy=2 NBuffer33MatmulPolicy=3",
        "Custom policies of Matmul.",
    ),
    _enum(
        "Property",
        "TOTAL_L1_SIZE=524160 TOTAL_L0C_SIZE=131072 DEFAULT_C0_SIZE=32 ONE_BLK_SIZE=32",
        "Constants of the chip, in bytes.",
    ),
    _enum("PipeStage", "CUBE=0 VECTOR=1 SCALAR=2 MTE1=3 MTE2=4 MTE3=5 FIX=6 V=7 M=8 S=9", "Units of a staged kernel."),
    _enum("Scope", "GLOBAL=0 LOCAL=1", "Where a staged tensor lives."),
)
