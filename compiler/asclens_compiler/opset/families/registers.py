# SPDX-License-Identifier: Apache-2.0
"""Registers that change what later instructions do: mask, atomic mode, modes, data cache."""

from __future__ import annotations

from dataclasses import replace

from asclens_compiler.hardware.pipes import Memory
from asclens_compiler.opset.model import ApiRow, OpRow
from asclens_compiler.opset.rows import (
    api,
    declare,
    described,
    dtype_attr,
    enum,
    number,
    overload,
    scalar_op,
    tensor,
)

_GM = frozenset({Memory.GM})


def _reg(name: str, cpp: str, text: str, semantics: str = "") -> OpRow:
    return scalar_op(declare(name, cpp, semantics=semantics or name, text=text))


MASK_COUNT = _reg("set_mask_count", "SetMaskCount", "Counter mode: the mask counts elements.|Counter 模式。")
MASK_NORM = _reg("set_mask_norm", "SetMaskNorm", "Normal mode: the mask has bits of one repeat.|设置 Normal 模式。")
RESET_MASK = _reg("reset_mask", "ResetMask", "Sets all mask bits.|恢复 mask 默认值。")
MASK_L0 = scalar_op(
    declare(
        "set_vector_mask_l0",
        "SetVectorMask",
        number("len", "int64"),
        attrs=(dtype_attr(), enum("mode", "MaskMode")),
        semantics="set_vector_mask",
        text="Sets the mask registers from a number of elements.|按元素个数设置 mask。",
    )
)
MASK_L1 = scalar_op(
    declare(
        "set_vector_mask_l1",
        "SetVectorMask",
        number("maskHigh", "uint64"),
        number("maskLow", "uint64"),
        attrs=(dtype_attr(), enum("mode", "MaskMode")),
        semantics="set_vector_mask",
        text="Sets the mask registers from two words.|按位设置 mask。",
    )
)


def _atomic(name: str, cpp: str, text: str) -> OpRow:
    return replace(_reg(name, cpp, text), attrs=(dtype_attr(),))


ATOMICS = (
    _atomic("set_atomic_add", "SetAtomicAdd", "Later copies to global memory add.|后续搬出到 GM 时累加。"),
    _atomic("set_atomic_max", "SetAtomicMax", "Later copies to global memory keep the larger.|后续搬出取最大。"),
    _atomic("set_atomic_min", "SetAtomicMin", "Later copies to global memory keep the smaller.|后续搬出取最小。"),
    _atomic("set_atomic_type", "SetAtomicType", "Element type of atomic copies.|设置原子操作数据类型。"),
)
ATOMIC_NONE = _reg("set_atomic_none", "SetAtomicNone", "Ends atomic mode.|关闭原子操作。")
STORE_CONFIG = replace(
    _reg("set_store_atomic_config", "SetStoreAtomicConfig", "Sets type and operation of atomic copies.|设置原子配置。"),
    attrs=(enum("atomicType", "AtomicDtype"), enum("atomicOp", "AtomicOp")),
)
GET_STORE = scalar_op(
    declare(
        "get_store_atomic_config",
        "GetStoreAtomicConfig",
        results="uint16 uint16",
        semantics="get_store_atomic_config",
        text="Type and operation of atomic copies.|获取原子配置。",
    )
)


def _mode(name: str, cpp: str, operand: str, dtype: str, text: str) -> OpRow:
    return scalar_op(declare(name, cpp, number(operand, dtype), semantics=name, text=text))


HF32 = _mode("set_hf32_mode", "SetHF32Mode", "mode", "int1", "Float matrix products round inputs.|HF32 模式。")
HF32_TRANS = _mode("set_hf32_trans_mode", "SetHF32TransMode", "trans_mode", "int1", "Rounding of HF32.|HF32 取整方式。")
MM_LAYOUT = _mode(
    "set_mm_layout_transform",
    "SetMMLayoutTransform",
    "mm_layout_mode",
    "int1",
    "Order of Mmad's loops.|循环顺序。",
)
QUANT_FLAG = _mode(
    "set_fixpipe_pre_quant_flag", "SetFixpipePreQuantFlag", "config", "uint64", "Scale of a fixpipe.|Fixpipe 量化系数。"
)
CLEAN = scalar_op(
    declare(
        "data_cache_clean_invalid_global",
        "DataCacheCleanAndInvalid",
        tensor("dst", _GM),
        attrs=(enum("entireType", "CacheLine"), enum("dcciDst", "DcciDst")),
        semantics="machine.clean_data_cache",
        text="Writes the data cache back and empties it: one line or all.|刷新数据缓存。",
    )
)
CLEAN_ALL = scalar_op(
    declare(
        "data_cache_clean_invalid_global_nodccidst",
        "DataCacheCleanAndInvalid",
        tensor("dst", _GM),
        attrs=(enum("entireType", "CacheLine"),),
        semantics="machine.clean_data_cache",
        text="Writes the data cache back and empties it: one line or all.|刷新数据缓存。",
    )
)
PRELOAD = scalar_op(
    declare(
        "data_cache_preload",
        "DataCachePreload",
        tensor("src", _GM),
        number("cacheOffset", "int64"),
        semantics="machine.no_effect",
        text="Loads a cache line ahead; values do not change.|数据缓存预取。",
    )
)

OPS = (
    MASK_COUNT, MASK_NORM, RESET_MASK, MASK_L0, MASK_L1, *ATOMICS, ATOMIC_NONE, STORE_CONFIG, GET_STORE, HF32,
    HF32_TRANS, MM_LAYOUT, QUANT_FLAG, CLEAN, CLEAN_ALL, PRELOAD,
)  # fmt: skip


def _api(name: str, op: OpRow, text: str = "", returns: str = "None", **binding: str) -> ApiRow:
    return api(name, overload(op, text, returns=returns, **binding), text=described(op))


APIS = (
    _api("set_mask_count", MASK_COUNT),
    _api("set_mask_norm", MASK_NORM),
    _api("reset_mask", RESET_MASK),
    api(
        "set_vector_mask",
        overload(MASK_L0, "length: RuntimeInt, dtype: DataType, mode: MaskMode", len="length"),
        overload(MASK_L1, "mask_high: RuntimeInt, mask_low: RuntimeInt, dtype: DataType, mode: MaskMode"),
        text=described(MASK_L0),
    ),
    *(_api(op.name, op, "dtype: DataType") for op in ATOMICS),
    _api("set_atomic_none", ATOMIC_NONE),
    _api("set_store_atomic_config", STORE_CONFIG, "atomic_type: AtomicDtype, atomic_op: AtomicOp"),
    _api("get_store_atomic_config", GET_STORE, "", "uint16 uint16"),
    _api("set_hf32_mode", HF32, "hf32_mode: RuntimeBool", mode="hf32_mode"),
    _api("set_hf32_trans_mode", HF32_TRANS, "trans_mode: RuntimeBool"),
    _api("set_mm_layout_transform", MM_LAYOUT, "mm_layout_mode: RuntimeBool"),
    _api("set_fix_pipe_pre_quant_flag", QUANT_FLAG, "config: RuntimeInt"),
    api(
        "data_cache_clean_and_invalid",
        overload(CLEAN, "entire_type: CacheLine, dcci_dst: DcciDst, dst: GlobalTensor"),
        overload(CLEAN_ALL, "entire_type: CacheLine, dst: GlobalTensor"),
        text=described(CLEAN),
    ),
    _api("data_cache_preload", PRELOAD, "src: GlobalTensor, cache_offset: RuntimeInt"),
)
