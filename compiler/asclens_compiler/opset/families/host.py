# SPDX-License-Identifier: Apache-2.0
"""Names that live on the host, or are parts of the real package that no kernel calls."""

from __future__ import annotations

from asclens_compiler.opset.model import ApiRow
from asclens_compiler.opset.rows import api, overload, unsupported

_DEVICE = "Talks to the device driver; our run time has no device"
_INTERNAL = "Internal of the real package: it hands out handles of its own IR"
_MATMUL = "The Matmul object runs on cube cores through a message protocol, which is not implemented yet"

_NAMESPACES = "adv basic codegen common core fwk language lib runtime"
_DTYPES = "double float16 float32 float64 float_ half int16 int32 int64 int8 int_ uint16 uint32 uint64 uint8 void"
_DTYPE_METHODS = "is_float is_int is_numeric is_signed is_unsigned is_void sizeof"
_CONSTANTS = "DEFAULT_C0_SIZE ONE_BLK_SIZE TOTAL_L0C_SIZE TOTAL_L1_SIZE"
_RUNTIME = (
    "current_device current_platform current_stream current_tick device_count is_available is_model get_soc_version "
    "set_soc_version synchronize synchronize_device use_model use_npu set_device default_device is_initialized"
)
_NO_RUNTIME = (
    "acl_finalize acl_init c2c_ctrl_addr call_print_interface check_device_handle copy_data_from_device "
    "copy_data_to_device create_stream destroy_stream device_info free free_mem launch_kernel magic_elf_value malloc "
    "memcpy msprof_task_type npu_utils register_device_binary_kernel register_function reset_device set_pro_switch "
    "unregister_device_binary_kernel CoreType DeviceInfoType DeviceModuleType MsprofTaskType Function Kernel Memory "
    "MemorySizes ProfilingCommandHandle Stream"
)
_HOST_PROXIES = (
    "BatchMatmulTiling CubeFormat DataType DequantType MatmulApiTiling MatmulApiTilingBase MatmulConfigParams "
    "MatrixMadType MatrixTraverse MultiCoreMatmulTiling PlatformAscendC PlatformAscendCManager ScheduleType TPosition"
)
_IR_CLASSES = (
    "AippParams BinaryRepeatParams BrcbRepeatParams CheckLocalMemoryIAParam CopyRepeatParams DataCopyCO12DstParams "
    "DataCopyEnhancedParams DataCopyExtParams DataCopyPadExtParams DataCopyPadParams DataCopyParams DataType "
    "FixpipeConfig FixpipeParamsV220 GatherMaskParams GatherRepeatParams GlobalAddress GlobalTensor "
    "InitConstValueParams ListTensorDesc LoadData2DParams LoadData2DParamsV2 LoadData2dTransposeParams "
    "LoadData2dTransposeParamsV2 LoadData3DParamsV1 LoadData3DParamsV2 LoadData3DParamsV2Pro LoadDataRepeatParam "
    "LoadImageToLocalParams LocalMemAllocator LocalTensor LocalTensorAuto MmadParams MrgSort4Info MrgSortSrcList "
    "Nd2NzParams Nz2NdParamsFull ShapeInfo SliceInfo TBuf TBufPool TPipe TQue TQueBind TensorDesc TransDataTo5HDParams "
    "TransposeParamsExt UnaryRepeatParams VdeqInfo adv.Matmul adv.MatmulConfig adv.QuantConfig "
    "adv.MatmulApiStaticTiling adv.RmsNormTiling adv.SoftmaxTiling adv.TCubeTiling language.core.array.Array "
    "language.core.ir_value.PlainValue language.core.struct.Struct language.core.struct.Field "
    "language.core.struct.StructField"
)
_INTERNALS = (
    "ConstExpr.unwrap GlobalTensor.ensure_shape LocalTensor.ensure_shape LocalTensorAuto.ensure_shape "
    "language.core.ir_value.PlainValue.infer_common_type language.core.ir_value.PlainValue.apply_binary_op "
    "language.core.ir_value.PlainValue.apply_bool_op language.core.ir_value.PlainValue.apply_compare_op "
    "language.core.struct.Field.ctypes_cls language.core.struct.Field.ctypes_value language.core.struct.Field.ir_name "
    "language.core.struct.Field.ir_type language.core.struct.StructField.ctypes_cls "
    "language.core.struct.StructField.ctypes_value language.core.struct.StructField.ir_name "
    "language.core.struct.StructField.ir_type language.core.struct.Struct.addressof language.core.struct.Struct.pack "
    "language.core.struct.Struct.get_field language.core.struct.Struct.get_ir_type language.core.array.Array "
    "language.core.ir_value.PlainValue"
)
_TILINGS = "MatmulApiStaticTiling RmsNormTiling SoftmaxTiling TCubeTiling"
_MATMUL_METHODS = (
    "async_get_tensor_c disable_bias end get_batch_tensor_c get_offset_c get_tensor_c init iterate iterate_all "
    "iterate_batch iterate_n_batch set_batch_num set_bias set_hf32 set_org_shape set_quant_scalar set_quant_vector "
    "set_self_define_data set_single_shape set_sparse_index set_tail set_tensor_a set_tensor_b set_user_def_info "
    "set_workspace wait_get_tensor_c wait_iterate_all wait_iterate_batch"
)
_MATMUL_NAMES = (
    "Matmul MatmulBatchParams MatmulConfig MatmulFuncParams MatmulQuantParams MatmulShapeParams MatmulType "
    "get_basic_config get_ib_share_norm_config get_matmul_api_tiling get_mdl_config get_mm_config get_normal_config "
    "get_special_basic_config get_special_mdl_config register_matmul"
)


def _names(prefix: str, names: str, text: str) -> tuple[ApiRow, ...]:
    """Return rows of host names that our facade provides."""
    return tuple(api(f"{prefix}{name}", overload(None, "", lower="host"), text=text) for name in names.split())


def _no(prefix: str, names: str, reason: str) -> tuple[ApiRow, ...]:
    return tuple(unsupported(f"{prefix}{name}", reason) for name in names.split())


APIS = (
    *_names("", _NAMESPACES, "A module.|模块。"),
    *_names("", _DTYPES, "An element type.|数据类型。"),
    api(
        "DataType",
        overload(None, "name: str", returns="DataType", lower="dtype"),
        text="An element type by name.|按名称构造数据类型。",
    ),
    *_names("DataType.", _DTYPE_METHODS, "Asks an element type.|查询数据类型属性。"),
    *_names("", _CONSTANTS, "A constant for property().|芯片常量。"),
    *_names("lib.runtime.", _RUNTIME, "Host run time.|运行时接口。"),
    *_names("runtime.config.", "set_platform Backend KernelType Platform", "Chooses where kernels run.|运行平台配置。"),
    *_names("", "CodegenOptions CompileOptions LaunchOptions", "Options of jit and launch.|编译与启动选项。"),
    *_names("lib.host.", _HOST_PROXIES, "Host tiling.|主机侧 Tiling 接口。"),
    *_no("lib.runtime.", _NO_RUNTIME, _DEVICE),
    *(unsupported(f"{name}.{method}", _INTERNAL) for name in _IR_CLASSES.split() for method in ("to_ir", "from_ir")),
    *_no("", _INTERNALS, _INTERNAL),
    *(
        unsupported(f"adv.{name}.{method}", _INTERNAL)
        for name in _TILINGS.split()
        for method in ("addressof", "pack", "get_field", "get_ir_type")
    ),
    *(
        api(
            f"adv.{name}.create_local",
            overload(None, "", returns=name, lower="struct_local"),
            text="Copy of a tiling in the core.|核内 Tiling 副本。",
        )
        for name in _TILINGS.split()
    ),
    *_no("adv.", _MATMUL_NAMES, _MATMUL),
    *_no("adv.Matmul.", _MATMUL_METHODS, _MATMUL),
    unsupported("SliceInfo.__getitem__", "The call fails in pyasc 1.1.1 itself: its builder lacks GetValueSliceInfo"),
)
