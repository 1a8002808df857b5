# SPDX-License-Identifier: Apache-2.0
"""How each op is written: call forms as text with placeholders.

`{name}` is an operand or attribute by the row's name, `{T:name}` the element type of an operand,
`{R}` that of the result, `{rest}` all operands not named before, in row order, `{,name}` and
`{,rest}` the same with a comma in front when there is something. Spellings follow the Ascend C API
reference; which arguments are template arguments is what pyasc 1.1.1 emits for the same op.
"""

from __future__ import annotations

import re

from asclens_compiler.opset.model import OpRow

_MASKED = (
    "abs add add_relu adds and div duplicate exp fused_mul_add fused_mul_add_relu leaky_relu ln max maxs min mins mul "
    "muls not or reciprocal relu rsqrt shift_left shift_right sqrt sub sub_relu"
)
_MASKED_L2 = "adds leaky_relu maxs mins muls shift_left shift_right"
_TWO_TYPES = {"add_relu_cast": "src0", "sub_relu_cast": "src0", "add_deq_relu": "src0", "mul_add_dst": "src0",
              "axpy": "src"}  # fmt: skip

_CALL = "AscendC::{cpp}({rest})"
_VALUE = "{receiver}.{cpp}({rest})"

FORMS: dict[str, str] = {
    **{
        f"{name}_{level}": "AscendC::{cpp}<{T:dst}, {isSetMask}>({rest})"
        for name in _MASKED.split()
        for level in ("l0", "l1")
    },
    **{f"{name}_l2": "AscendC::{cpp}<{T:dst}, {isSetMask}>({rest})" for name in _MASKED_L2.split()},
    **{
        f"{name}_{level}": f"AscendC::{{cpp}}<{{T:dst}}, {{T:{source}}}, {{isSetMask}}>({{rest}})"
        for name, source in _TWO_TYPES.items()
        for level in ("l0", "l1")
    },
    # compare, select, cast: the mode stands among the arguments
    **{f"compare_{level}": "AscendC::Compare({dst}, {src0}, {src1}, {cmpMode}{,rest})" for level in ("l0", "l1", "l2")},
    **{f"compare_r_{level}": "AscendC::Compare({src0}, {src1}, {cmpMode}{,rest})" for level in ("l0", "l1")},
    **{
        f"compare_scalar_{level}": "AscendC::CompareScalar({dst}, {src0}, {src1Scalar}, {cmpMode}{,rest})"
        for level in ("l0", "l1", "l2")
    },
    **{
        f"select_{kind}{level}": "AscendC::Select({dst}, {selMask}, {src0}, {src1}, {selMode}{,rest})"
        for kind in ("", "scalar_")
        for level in ("l0", "l1", "l2")
    },
    "select_reg": "AscendC::Select({rest})",
    "select_scalar_reg": "AscendC::Select({rest})",
    "cast_l0": "AscendC::Cast<{T:dst}, {T:src}, {isSetMask}>({dst}, {src}, {roundMode}{,rest})",
    "cast_l1": "AscendC::Cast<{T:dst}, {T:src}, {isSetMask}>({dst}, {src}, {roundMode}{,rest})",
    "cast_l2": "AscendC::Cast<{T:dst}, {T:src}>({dst}, {src}, {roundMode}{,rest})",
    "cast_deq_l0": "AscendC::CastDeq<{T:dst}, {T:src}, {isSetMask}, {isVecDeq}, {halfBlock}>({rest})",
    "cast_deq_l1": "AscendC::CastDeq<{T:dst}, {T:src}, {isSetMask}, {isVecDeq}, {halfBlock}>({rest})",
    "cast_deq_l2": "AscendC::CastDeq<{T:dst}, {T:src}, {isVecDeq}, {halfBlock}>({rest})",
    **{
        f"whole_reduce_{kind}_{level}": "AscendC::{cpp}({rest}, {order})"
        for kind in ("max", "min")
        for level in ("l0", "l1")
    },
    "scalar_cast": "AscendC::ScalarCast<{T:valueIn}, {dtype}, {roundMode}>({valueIn})",
    "scalar_get_sff_value": "AscendC::ScalarGetSFFValue<{countValue}>({valueIn})",
    "scalar_get_count_of_value": "AscendC::ScalarGetCountOfValue<{countValue}>({valueIn})",
    # copies, cube
    "copy_l0": "AscendC::Copy<{T:dst}, {isSetMask}>({rest})",
    "copy_l1": "AscendC::Copy<{T:dst}, {isSetMask}>({rest})",
    "fixpipe": "AscendC::Fixpipe<{T:dst}, {T:src}, {layout}>({dst}, {src}, {intriParams})",
    "fixpipe_with_workspace": (
        "AscendC::Fixpipe<{T:dst}, {T:src}, {layout}>({dst}, {src}, {cbufWorkspace}, {intriParams})"
    ),
    "trans_data_to_5hd_tensor_list": "AscendC::TransDataTo5HD<{T:dstList}>({rest})",
    "trans_data_to_5hd_uint_list": "AscendC::TransDataTo5HD<half>({rest})",
    "trans_data_to_5hd": "AscendC::TransDataTo5HD<half>({rest})",
    "mrg_sort": "AscendC::MrgSort<{T:dst}, {isExhaustedSuspension}>({rest})",
    "sort": "AscendC::Sort<{T:dst}, {isFullSort}>({rest})",
    "gather_mask": "AscendC::GatherMask<{T:dst}, AscendC::defaultGatherMaskMode>({rest}, {result})",
    "gather_mask_fixed": "AscendC::GatherMask<{T:dst}, AscendC::defaultGatherMaskMode>({rest}, {result})",
    "mrg_sort_src_list": "AscendC::MrgSortSrcList<{T:sources}>{{{rest}}}",
    # synchronisation, system
    "set_flag": "AscendC::SetFlag<{event}>({rest})",
    "wait_flag": "AscendC::WaitFlag<{event}>({rest})",
    "pipe_barrier": "AscendC::PipeBarrier<{pipe}>()",
    "cross_core_set_flag": "AscendC::CrossCoreSetFlag<{modeId}, {pipe}>({rest})",
    "cross_core_wait_flag": "AscendC::CrossCoreWaitFlag<{modeId}, {pipe}>({rest})",
    "data_sync_barrier": "AscendC::DataSyncBarrier<{memDsbType}>()",
    "get_block_idx": "static_cast<{R}>(AscendC::GetBlockIdx())",
    "get_block_num": "static_cast<{R}>(AscendC::GetBlockNum())",
    "ascend_is_aic": "g_coreType == AscendC::AIC",
    "ascend_is_aiv": "g_coreType == AscendC::AIV",
    "get_sys_workspace_ptr": "GetSysWorkSpacePtr()",
    "set_sys_workspace": "AscendC::SetSysWorkspace(reinterpret_cast<__gm__ uint8_t*>({rest}))",
    "get_sort_len": "AscendC::GetSortLen<float>({rest})",
    "get_sort_offset": "AscendC::GetSortOffset<float>({rest})",
    "set_vector_mask_l0": "AscendC::SetVectorMask<{dtype}, {mode}>({rest})",
    "set_vector_mask_l1": "AscendC::SetVectorMask<{dtype}, {mode}>({rest})",
    "set_pad_value": "AscendC::SetPadValue<{T:paddingValue}, {pos}>({rest})",
    "set_store_atomic_config": "AscendC::SetStoreAtomicConfig<{atomicType}, {atomicOp}>()",
    **{f"set_atomic_{kind}": "AscendC::{cpp}<{dtype}>()" for kind in ("add", "max", "min", "type")},
    "data_cache_clean_invalid_global": "AscendC::DataCacheCleanAndInvalid<{T:dst}, {entireType}, {dcciDst}>({dst})",
    "data_cache_clean_invalid_global_nodccidst": "AscendC::DataCacheCleanAndInvalid<{T:dst}, {entireType}>({dst})",
    "printf": "AscendC::printf({desc}{,rest})",
    "assert": "ascendc_assert({condition}, {message})",
    # library calls
    "axpy": "AscendC::Axpy<{T:dst}, {T:src}, {isReuseSource}>({rest})",
    "exp": "AscendC::Exp<{T:dst}, {taylorExpandLevel}, {isReuseSource}>({dst}, {src}{,sharedTmpBuffer}{,calCount})",
    "softmax": "AscendC::SoftMax<{T:dst}, {reuseSource}, {basicBlock}, {dataFormatNZ}>({rest})",
    "rmsnorm": "AscendC::RmsNorm<{T:dst}, {basicBlock}>({rest})",
    # tensors, queues, pipes
    "ptr_offset": "{base} + {offset}",
    "local_tensor_v2": "AscendC::LocalTensor<{R}>({pos}, {addr}, {tileSize})",
    "local_tensor_subindex": "{tensor}[{index}]",
    "global_tensor_subindex": "{tensor}[{index}]",
    "local_tensor_bracket": "{tensor}({rest})",
    "global_tensor_bracket": "{tensor}({rest})",
    "reinterpret_cast": "{in}.ReinterpretCast<{R}>()",
    "global_tensor_set_l2_cache_hint": "{tensor}.SetL2CacheHint<{rwMode}>({mode})",
    "que_bind_alloc_tensor": "{queue}.AllocTensor<{R}>()",
    "que_bind_alloc_tensor_in_place": "{queue}.AllocTensor<{T:tensor}>({tensor})",
    "que_bind_deque_tensor": "{queue}.DeQue<{R}>()",
    "que_bind_deque_tensor_in_place": "{queue}.DeQue<{T:tensor}>({tensor})",
    "que_bind_deque_tensor_pos": "{queue}.DeQue<{srcUserPos}, {dstUserPos}, {R}>()",
    "que_bind_enque_tensor_pos": "{queue}.EnQue<{srcUserPos}, {dstUserPos}>({tensor})",
    "tbuf_get_tensor": "{buffer}.Get<{R}>({rest})",
    "tbuf_get_with_offset": "{buffer}.GetWithOffset<{R}>({rest})",
    "pipe_alloc_event_id": "{pipe}.AllocEventID<{event}>()",
    "pipe_fetch_event_id": "{pipe}.FetchEventID<{event}>()",
    "pipe_release_event_id": "{pipe}.ReleaseEventID<{event}>({id})",
    "local_mem_allocator_alloc": "{allocator}.Alloc<{pos}, {dtype}, {tileSize}>()",
    "local_mem_allocator_alloc_dynamic": "{allocator}.Alloc<{pos}, {dtype}>({tileSize})",
    "tensor_desc": "AscendC::TensorDesc<{dtype}>()",
    "list_tensor_desc_v2": "AscendC::ListTensorDesc({rest})",
    "tensor_desc_set_shape_addr": "{tensorDesc}.SetShapeAddr((uint64_t*)({shapePtr}))",
    "list_tensor_desc_get_data_ptr": "{tensor}.GetDataPtr<{dtype}>({rest})",
    "array_load": "{array}[{index}]",
    "array_store": "{array}[{index}] = {value}",
    "member": "{base}.{field}",
    "set_member": "{base}.{field} = {value}",
    "to_que_bind": "{source}",
}  # fmt: skip

# Ops that only declare a variable of their result's type.
DECLARATIONS = frozenset(
    {"global_tensor", "local_tensor", "pipe", "queue", "que_bind", "tbuf", "tBufPool", "list_tensor_desc"}
)
# Markers of the staged surface: comments in the text.
MARKERS = re.compile(r"stage_(start|end)|pipe_(v|m|s|mte1|mte2|mte3|fix)")
_METHODS = ("local_tensor_", "global_tensor_", "que_bind_", "pipe_", "tbuf_", "tensor_desc_", "list_tensor_desc_",
            "local_mem_allocator_")  # fmt: skip


def form_of(row: OpRow) -> str:
    """Return the call form of an op."""
    found = FORMS.get(row.name)
    if found is not None:
        return found
    if row.name.startswith(_METHODS) and row.operands:
        return f"{{{row.operands[0].name}}}.{{cpp}}({{rest}})"
    names = {item.name for item in row.operands}
    if "isReuseSource" in names:
        return "AscendC::{cpp}<{T:dst}, {isReuseSource}>({rest})"
    return _CALL
