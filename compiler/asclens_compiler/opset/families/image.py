# SPDX-License-Identifier: Apache-2.0
"""The image unit of the cube core: what later image loads do to pixels, and the load itself.

Source: vendor pages SetAippFunctions and LoadImageToLocal.
"""

from __future__ import annotations

from dataclasses import replace

from asclens_compiler.hardware.pipes import Memory
from asclens_compiler.opset.model import StructRow
from asclens_compiler.opset.rows import (
    api,
    declare,
    described,
    enum,
    overload,
    params,
    scalar_op,
    struct,
    tensor,
    unsupported,
)

_GM = frozenset({Memory.GM})
_I = "RuntimeInt"

_SWAP = struct(
    "AippSwapParams",
    "is_swap_rb: bool = False, is_swap_uv: bool = False, is_swap_ax: bool = False",
    "Which channels of an image change places.",
)
PARTS: tuple[StructRow, ...] = (
    struct(
        "AippPaddingParams",
        f"padding_mode: {_I} = 0, padding_value_ch0: RuntimeNumeric = 0, padding_value_ch1: RuntimeNumeric = 0, "
        "padding_value_ch2: RuntimeNumeric = 0, padding_value_ch3: RuntimeNumeric = 0",
        "Padding around an image, per channel.",
    ),
    replace(
        _SWAP,
        fields=tuple(replace(field, ir_name=f"isSwap{field.name[-2:].upper()}") for field in _SWAP.fields),
    ),
    struct("AippSingleLineParams", "is_single_line_copy: bool = False", "Whether an image load takes one line."),
    struct(
        "AippDataTypeConvParams",
        "dtc_mean_ch0: int = 0, dtc_mean_ch1: int = 0, dtc_mean_ch2: int = 0, dtc_min_ch0: float = 0.0, "
        "dtc_min_ch1: float = 0.0, dtc_min_ch2: float = 0.0, dtc_var_ch0: float = 1.0, dtc_var_ch1: float = 1.0, "
        "dtc_var_ch2: float = 1.0, dtc_round_mode: int = 0",
        "Mean, minimum and factor that turn pixels into numbers, per channel.",
    ),
    struct(
        "AippChannelPaddingParams",
        f"c_padding_mode: {_I} = 0, c_padding_value: RuntimeNumeric = 0",
        "What fills the channels that an image does not have.",
    ),
    struct(
        "AippColorSpaceConvParams",
        "is_enable_csc: bool = False, "
        + ", ".join(f"csc_matrix_r{row}_c{column}: int = 0" for row in range(3) for column in range(3))
        + "".join(f", csc_bias_{side}_{channel}: int = 0" for side in ("in", "out") for channel in range(3)),
        "Matrix and biases between colour spaces.",
    ),
)
STRUCTS = (
    *PARTS,
    struct(
        "AippParams",
        "dtype: DataType, padding_params: AippPaddingParams = None, swap_params: AippSwapParams = None, "
        "single_line_params: AippSingleLineParams = None, dtc_params: AippDataTypeConvParams = None, "
        "c_padding_params: AippChannelPaddingParams = None, csc_params: AippColorSpaceConvParams = None",
        "All that image loads do to pixels.",
    ),
    struct(
        "LoadImageToLocalParams",
        f"horiz_size: {_I} = 2, vert_size: {_I} = 2, horiz_start_pos: {_I} = 0, vert_start_pos: {_I} = 0, "
        f"src_horiz_size: {_I} = 2, top_pad_size: {_I} = 0, bot_pad_size: {_I} = 0, left_pad_size: {_I} = 0, "
        f"right_pad_size: {_I} = 0",
        "Cut and padding of an image load, in pixels.",
    ),
)

FUNCTIONS = scalar_op(
    declare(
        "set_aipp_functions",
        "SetAippFunctions",
        tensor("src0", _GM),
        tensor("src1", _GM, optional=True),
        params("config", "AippParams"),
        attrs=(enum("format", "AippInputFormat"),),
        semantics="machine.no_effect",
        text="Chooses image and conversion of later image loads; other copies stay as they are.|设置图像预处理参数。",
    )
)
OPS = (FUNCTIONS,)


def _signature(row: StructRow) -> str:
    fields = (
        f"{field.name}: {field.type_name or field.kind.value}"
        + ("" if field.default == "<required>" else f" = {field.default}")
        for field in row.fields
    )
    return ", ".join(fields)


APIS = (
    *(
        api(row.name, overload(None, _signature(row), returns=row.name, lower="image_part"), text=row.summary)
        for row in PARTS
    ),
    api(
        "AippParams",
        overload(None, _signature(STRUCTS[-2]), returns="AippParams", lower="image_params"),
        text=STRUCTS[-2].summary,
    ),
    api(
        "set_aipp_functions",
        overload(
            FUNCTIONS,
            "src0: GlobalTensor, src1: GlobalTensor, input_format: AippInputFormat, config: AippParams",
            format="input_format",
        ),
        overload(
            FUNCTIONS,
            "src0: GlobalTensor, input_format: AippInputFormat, config: AippParams",
            format="input_format",
        ),
        text=described(FUNCTIONS),
    ),
    unsupported("LoadImageToLocalParams", "The image load of the cube core is not implemented"),
    unsupported("load_image_to_local", "The image load of the cube core is not implemented"),
)
