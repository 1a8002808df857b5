# SPDX-License-Identifier: Apache-2.0
"""Tilings: structs that the host fills and a launch passes by address."""

from __future__ import annotations

from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.opset.families.structs import constructor
from asclens_compiler.opset.model import FieldRow, ParamKind, StructRow
from asclens_compiler.opset.rows import api, overload, struct

_KINDS = {"float32": ParamKind.FLOAT}


def _tiling(name: str, default: str, fields: str, summary: str) -> StructRow:
    """Return a host struct; `fields` are `name` or `name=CppName`, floats end in `:float32`."""
    rows: list[FieldRow] = []
    for item in fields.split():
        text, _, dtype = item.partition(":")
        field, _, ir_name = text.partition("=")
        rows.append(
            FieldRow(
                name=field,
                kind=_KINDS.get(dtype, ParamKind.INT),
                default="0.0" if dtype else default,
                ir_name=ir_name,
                dtype=DType(dtype or "int32"),
            )
        )
    return StructRow(name=name, fields=tuple(rows), summary=summary, host=True)


_TILINGS = (
    _tiling(
        "MatmulApiStaticTiling",
        "-1",
        "used_core_num m=M n=N k_a=Ka k_b=Kb single_core_m single_core_n single_core_k base_m base_n base_k "
        "depth_a1 depth_b1 step_m step_n is_bias trans_length iterate_order share_mode share_l1_size "
        "share_l0c_size=shareL0CSize share_ub_size step_k_a=stepKa step_k_b=stepKb "
        "depth_a_l1_cache_ub=depthAL1CacheUB depth_b_l1_cache_ub=depthBL1CacheUB db_l0a=dbL0A db_l0b=dbL0B "
        "db_l0c=dbL0C a_layout_info_b=ALayoutInfoB a_layout_info_s=ALayoutInfoS a_layout_info_n=ALayoutInfoN "
        "a_layout_info_g=ALayoutInfoG a_layout_info_d=ALayoutInfoD b_layout_info_b=BLayoutInfoB "
        "b_layout_info_s=BLayoutInfoS b_layout_info_n=BLayoutInfoN b_layout_info_g=BLayoutInfoG "
        "b_layout_info_d=BLayoutInfoD c_layout_info_b=CLayoutInfoB c_layout_info_s1=CLayoutInfoS1 "
        "c_layout_info_n=CLayoutInfoN c_layout_info_g=CLayoutInfoG c_layout_info_s2=CLayoutInfoS2 "
        "batch_num=BatchNum mx_type_para",
        "Tiling of a Matmul object fixed at compile time.",
    ),
    _tiling(
        "RmsNormTiling",
        "0",
        "b_length s_length h_length original_h_length reciprocal_of_h_length:float32 main_bsh_length "
        "main_bs_length main_bs_length_align loop_round input_tail_pos tail_bsh_length tail_bs_length",
        "Tiling of rmsnorm.",
    ),
    _tiling(
        "SoftmaxTiling",
        "0",
        "src_m src_k src_size out_max_m out_max_k out_max_size split_m split_k split_size reduce_m reduce_k "
        "reduce_size range_m tail_m tail_split_size tail_reduce_size",
        "Tiling of softmax.",
    ),
    _tiling(
        "TCubeTiling",
        "0",
        "used_core_num m=M n=N k_a=Ka k_b=Kb single_core_m single_core_n single_core_k base_m base_n base_k "
        "depth_a1 depth_b1 step_m step_n is_bias trans_length=trans_length iterate_order share_mode share_l1_size "
        "share_l0c_size=shareL0CSize share_ub_size batch_m batch_n single_batch_m single_batch_n step_k_a=stepKa "
        "step_k_b=stepKb depth_a_l1_cache_ub=depthAL1CacheUB depth_b_l1_cache_ub=depthBL1CacheUB db_l0a=dbL0A "
        "db_l0b=dbL0B db_l0c=dbL0C a_layout_info_b=ALayoutInfoB a_layout_info_s=ALayoutInfoS "
        "a_layout_info_n=ALayoutInfoN a_layout_info_g=ALayoutInfoG a_layout_info_d=ALayoutInfoD "
        "b_layout_info_b=BLayoutInfoB b_layout_info_s=BLayoutInfoS b_layout_info_n=BLayoutInfoN "
        "b_layout_info_g=BLayoutInfoG b_layout_info_d=BLayoutInfoD c_layout_info_b=CLayoutInfoB "
        "c_layout_info_s1=CLayoutInfoS1 c_layout_info_n=CLayoutInfoN c_layout_info_g=CLayoutInfoG "
        "c_layout_info_s2=CLayoutInfoS2 batch_num=BatchNum",
        "Tiling of a Matmul object.",
    ),
)
_QUANT = struct(
    "QuantConfig",
    "calc_count: int = 0, offset_count: int = 0, scale_count: int = 0, work_local_size: int = 0",
    "Sizes of quant that are known at compile time.",
)
STRUCTS = (*_TILINGS, _QUANT)

APIS = (
    *(
        api(
            f"adv.{row.name}",
            overload(None, "", returns=row.name, lower="host_struct"),
            text=f"{row.summary}|Tiling 结构体。",
        )
        for row in _TILINGS
    ),
    api("adv.QuantConfig", constructor(_QUANT), text=f"{_QUANT.summary}|量化配置。"),
)
