# SPDX-License-Identifier: Apache-2.0
"""Parameter structs of vector, copy and sort calls, and the op that makes any struct."""

from __future__ import annotations

from asclens_compiler.opset.model import Overload, StructRow
from asclens_compiler.opset.rows import AttrRow, api, declare, dtype_attr, number, overload, pure, struct

CONSTRUCT = pure(
    declare(
        "construct",
        "",
        number("operands", "", variadic=True),
        attrs=(AttrRow(name="type"), dtype_attr()),
        results="struct",
        text="Makes a parameter struct from its fields.|构造参数结构体。",
    )
)
SRC_LIST = pure(
    declare(
        "mrg_sort_src_list",
        "MrgSortSrcList",
        number("sources", "", variadic=True),
        results="MrgSortSrcList",
        text="The two to four sorted lists that a merge reads.|归并排序的输入列表。",
    )
)

OPS = (CONSTRUCT, SRC_LIST)

_I = "RuntimeInt"
_PAD4 = "pad_list: list[4] = (0, 0, 0, 0)"

STRUCTS: tuple[StructRow, ...] = (
    struct(
        "UnaryRepeatParams",
        f"dst_blk_stride: {_I} = 1, src_blk_stride: {_I} = 1, dst_rep_stride: {_I} = 8, src_rep_stride: {_I} = 8",
        "Strides of one-source calls, in 32-byte blocks.",
    ),
    struct(
        "BinaryRepeatParams",
        f"dst_blk_stride: {_I} = 1, src0_blk_stride: {_I} = 1, src1_blk_stride: {_I} = 1, "
        f"dst_rep_stride: {_I} = 8, src0_rep_stride: {_I} = 8, src1_rep_stride: {_I} = 8",
        "Strides of two-source calls, in 32-byte blocks.",
    ),
    struct(
        "BrcbRepeatParams",
        f"dst_blk_stride: {_I} = 1, dst_rep_stride: {_I} = 8",
        "Strides of brcb, in 32-byte blocks.",
    ),
    struct(
        "GatherRepeatParams",
        f"dst_blk_stride: {_I} = 1, dst_rep_stride: {_I} = 8",
        "Strides of gatherb, in 32-byte blocks.",
    ),
    struct(
        "CopyRepeatParams",
        f"dst_stride: {_I} = 0, src_stride: {_I} = 0, dst_repeat_size: {_I} = 0, src_repeat_size: {_I} = 0",
        "Block and repeat strides of copy, in 32-byte blocks.",
    ),
    struct(
        "GatherMaskParams",
        f"src0_block_stride: {_I} = 1, repeat_times: {_I} = 1, src0_repeat_stride: {_I} = 0, "
        f"src1_repeat_stride: {_I} = 0",
        "Repeats and strides of gather_mask, in 32-byte blocks.",
    ),
    struct(
        "DataCopyParams",
        f"block_count: {_I} = 1, block_len: {_I} = 0, src_stride: {_I} = 0, dst_stride: {_I} = 0",
        "Bursts of a copy: count, length and gaps in 32-byte blocks (bytes in data_copy_pad).",
    ),
    struct(
        "DataCopyEnhancedParams",
        "block_mode: BlockMode = BlockMode.BLOCK_MODE_NORMAL, deq_scale: DeqScale = DeqScale.DEQ_NONE, "
        f"deq_value_in: {_I} = 0, sid_store_mode_in: {_I} = 0, is_relu_in: RuntimeBool = False, "
        f"pad_mode_in: pad_t = pad_t.PAD_NONE, pad_value_in: {_I} = 0",
        "Extra work of a copy out of L0C.",
    ),
    struct(
        "DataCopyExtParams",
        f"block_count: {_I} = 1, block_len: {_I} = 0, src_stride: {_I} = 0, dst_stride: {_I} = 0, rsv: {_I} = 0",
        "Bursts of a padding copy: length in bytes, gaps in bytes on the GM side and 32-byte blocks on the other.",
    ),
    struct(
        "DataCopyPadParams",
        f"is_pad: RuntimeBool = False, left_padding: {_I} = 0, right_padding: {_I} = 0, padding_value: {_I} = 0",
        "Padding of each burst, in elements.",
    ),
    struct(
        "DataCopyPadExtParams",
        f"dtype: DataType, is_pad: RuntimeBool = False, left_padding: {_I} = 0, right_padding: {_I} = 0, "
        "padding_value: RuntimeNumeric = 0",
        "Padding of each burst, in elements, with a value of the element type.",
    ),
    struct(
        "DataCopyCO12DstParams",
        f"n_size: {_I}, m_size: {_I}, dst_stride: {_I}, src_stride: {_I}, "
        f"quant_pre: QuantModes = QuantModes.NoQuant, relu_pre: {_I} = 0, channel_split: RuntimeBool = False, "
        "nz2nd_en: RuntimeBool = False",
        "A copy out of L0C with conversion.",
    ),
    struct(
        "Nd2NzParams",
        f"nd_num: {_I}, n_value: {_I}, d_value: {_I}, src_nd_matrix_stride: {_I}, src_d_value: {_I}, "
        f"dst_nz_c0_stride: {_I}, dst_nz_n_stride: {_I}, dst_nz_matrix_stride: {_I}",
        "A copy that turns row-major matrices into NZ fractals.",
    ),
    struct(
        "Nz2NdParamsFull",
        f"nd_num: {_I}, n_value: {_I}, d_value: {_I}, src_nd_matrix_stride: {_I}, src_n_stride: {_I}, "
        f"dst_d_stride: {_I}, dst_nd_matrix_stride: {_I}",
        "A copy that turns NZ fractals into row-major matrices.",
    ),
    struct(
        "SliceInfo",
        f"start_index: {_I} = 0, end_index: {_I} = 0, stride: {_I} = 0, burst_len: {_I} = 0, shape_value: {_I} = 0",
        "One dimension of a slice copy.",
    ),
    struct(
        "ShapeInfo",
        "shape: list[8] = (), original_shape: list[8] = (), data_format: DataFormat = DataFormat.ND",
        "Shape of a tensor; unused dimensions are 0.",
    ),
    struct(
        "VdeqInfo",
        "scale: list[16] = (), offset: list[16] = (), sign_mode: list[16] = ()",
        "Dequantisation factors, offsets and sign flags of 16 channels.",
    ),
    struct(
        "MrgSort4Info",
        "element_lengths: list[4], if_exhausted_suspension: bool = False, "
        f"valid_bit: {_I} = 15, repeat_times: {_I} = 1",
        "Lengths of the lists that a merge reads, and when it stops.",
    ),
    struct(
        "TransDataTo5HDParams",
        f"dst_high_half: bool = False, src_high_half: bool = False, repeat_times: {_I} = 1, dst_rep_stride: {_I} = 0, "
        f"src_rep_stride: {_I} = 0",
        "Halves and strides of trans_data_to_5hd.",
    ),
    struct(
        "TransposeParamsExt",
        f"n_size: {_I} = 0, c_size: {_I} = 0, h_size: {_I} = 0, w_size: {_I} = 0, "
        "transpose_type: TransposeType = TransposeType.TRANSPOSE_ND2ND_B16",
        "Sizes and kind of a transposition.",
    ),
    struct(
        "CheckLocalMemoryIAParam",
        f"enable_bit: {_I} = 0, start_addr: {_I} = 0, end_addr: {_I} = 0, is_scalar_read: RuntimeBool = False, "
        "is_scalar_write: RuntimeBool = False, is_vector_read: RuntimeBool = False, "
        "is_vector_write: RuntimeBool = False, is_mte_read: RuntimeBool = False, is_mte_write: RuntimeBool = False, "
        "is_enable: RuntimeBool = False",
        "A range of local memory to watch, in 32-byte blocks.",
    ),
    struct(
        "InitConstValueParams",
        f"repeat_times: {_I} = 0, block_num: {_I} = 0, dst_gap: {_I} = 0, init_value: RuntimeNumeric = 0",
        "Blocks that init_const_value fills.",
    ),
    struct(
        "LoadData2DParams",
        f"start_index: {_I} = 0, repeat_times: {_I} = 1, src_stride: {_I} = 0, sid: {_I} = 0, dst_gap: {_I} = 0, "
        f"if_transpose: RuntimeBool = False, addr_mode: {_I} = 0",
        "Fractals (512 bytes) that load_data moves.",
    ),
    struct(
        "LoadData2DParamsV2",
        f"m_start_position: {_I} = 0, k_start_position: {_I} = 0, m_step: {_I} = 0, k_step: {_I} = 0, "
        f"src_stride: {_I} = 0, dst_stride: {_I} = 0, if_transpose: RuntimeBool = False, sid: {_I} = 0",
        "A block of fractals that load_data moves.",
    ),
    struct(
        "LoadData2dTransposeParams",
        f"start_index: {_I} = 0, repeat_times: {_I} = 1, src_stride: {_I} = 0, dst_gap: {_I} = 0, "
        f"dst_frac_gap: {_I} = 0, addr_mode: {_I} = 0",
        "Fractals that load_data_with_transpose moves.",
    ),
    struct(
        "LoadData2dTransposeParamsV2",
        f"start_index: {_I} = 0, repeat_times: {_I} = 0, src_stride: {_I} = 0, dst_gap: {_I} = 0, "
        f"dst_frac_gap: {_I} = 0, src_frac_gap: {_I} = 0, addr_mode: {_I} = 0",
        "Fractals that load_data_with_transpose moves, with a source gap.",
    ),
    struct(
        "LoadData3DParamsV1",
        f"{_PAD4}, l1_h: {_I} = 1, l1_w: {_I} = 1, c1_index: {_I} = 0, fetch_filter_w: {_I} = 0, "
        f"fetch_filter_h: {_I} = 0, left_top_w: {_I} = 0, left_top_h: {_I} = 0, stride_w: {_I} = 1, "
        f"stride_h: {_I} = 1, filter_w: {_I} = 1, filter_h: {_I} = 1, dilation_filter_w: {_I} = 1, "
        f"dilation_filter_h: {_I} = 1, "
        f"jump_stride: {_I} = 1, repeat_mode: {_I} = 0, repeat_time: {_I} = 1, c_size: {_I} = 0, pad_value: {_I} = 0",
        "Image-to-column load, first form (not on architecture 2201).",
    ),
    struct(
        "LoadData3DParamsV2",
        f"{_PAD4}, l1_h: {_I} = 1, l1_w: {_I} = 1, channel_size: {_I} = 1, k_extension: {_I} = 1, "
        f"m_extension: {_I} = 1, "
        f"k_start_pt: {_I} = 0, m_start_pt: {_I} = 0, stride_w: {_I} = 1, stride_h: {_I} = 1, filter_w: {_I} = 1, "
        f"filter_h: {_I} = 1, dilation_filter_w: {_I} = 1, dilation_filter_h: {_I} = 1, "
        f"en_transpose: RuntimeBool = False, pad_value: {_I} = 0, filter_size_w: RuntimeBool = False, "
        "filter_size_h: RuntimeBool = False, f_matrix_ctrl: RuntimeBool = False",
        "Image-to-column load.",
    ),
    struct(
        "LoadData3DParamsV2Pro",
        f"channel_size: {_I} = 0, en_transpose: RuntimeBool = False, en_small_k: RuntimeBool = False, "
        "filter_size_w: RuntimeBool = False, filter_size_h: RuntimeBool = False, f_matrix_ctrl: RuntimeBool = False, "
        f"ext_config: {_I} = 0, filter_config: {_I} = 1103823438081",
        "Image-to-column load with packed parameters.",
    ),
    struct(
        "LoadDataRepeatParam",
        f"repeat_time: {_I} = 1, repeat_stride: {_I} = 0, repeat_mode: {_I} = 0",
        "Repeats of an image-to-column load.",
    ),
    struct(
        "MmadParams",
        f"m: {_I} = 0, n: {_I} = 0, k: {_I} = 0, is_bias: RuntimeBool = False, fm_offset: {_I} = 0, "
        "en_ssparse: RuntimeBool = False, en_winograd_a: RuntimeBool = False, en_winograd_b: RuntimeBool = False, "
        f"unit_flag: {_I} = 0, cmatrix_source: RuntimeBool = False, cmatrix_init_val: RuntimeBool = True",
        "Sizes of a matrix multiplication, and where its accumulator starts.",
    ),
    struct(
        "FixpipeParamsV220",
        f"n_size: {_I}, m_size: {_I}, src_stride: {_I}, dst_stride: {_I}, quant_pre: QuantModes = QuantModes.NoQuant, "
        f"deq_scalar: {_I} = 0, nd_num: {_I} = 1, src_nd_stride: {_I} = 0, dst_nd_stride: {_I} = 0, "
        f"relu_en: RuntimeBool = False, unit_flag: {_I} = 0, is_channel_split: RuntimeBool = False",
        "Sizes, strides and conversion of a fixpipe.",
    ),
    struct("FixpipeConfig", "layout: CO2Layout", "Layout that a fixpipe writes."),
)


def constructor(row: StructRow) -> Overload:
    """Return the overload that makes a struct in the kernel."""
    fields = ", ".join(
        f"{field.name}: {field.type_name or field.kind.value}"
        + ("" if field.default == "<required>" else f" = {field.default}")
        for field in row.fields
    )
    return overload(CONSTRUCT, fields, returns=row.name, lower="construct", type=f"='{row.name}'")


APIS = (
    *(api(row.name, constructor(row), text=f"{row.summary}|参数结构体。") for row in STRUCTS),
    api(
        "MrgSortSrcList",
        overload(
            SRC_LIST,
            "dtype: DataType, src1: LocalTensor, src2: LocalTensor, src3: LocalTensor = None, src4: LocalTensor = None",
            returns="MrgSortSrcList",
            lower="mrg_sort_src_list",
        ),
        text="The sorted lists that a merge reads.|归并排序的输入列表。",
    ),
    api(
        "FixpipeConfig.cfg_nz",
        overload(CONSTRUCT, "", returns="FixpipeConfig", lower="construct_default", type="='FixpipeConfig'",
                 layout="='NZ'"),
        text="The NZ layout.|NZ 布局。",
    ),
    api(
        "FixpipeConfig.cfg_row_major",
        overload(CONSTRUCT, "", returns="FixpipeConfig", lower="construct_default", type="='FixpipeConfig'",
                 layout="='ROW_MAJOR'"),
        text="The row-major layout.|行优先布局。",
    ),
)  # fmt: skip
