# SPDX-License-Identifier: Apache-2.0
"""Overload resolution on kinds of arguments, as the real dispatcher picks."""

from __future__ import annotations

import pytest
from asclens_compiler.opset.model import ParamKind, ParamRow
from asclens_compiler.opset.registry import opset
from asclens_compiler.opset.resolve import Mismatch, Resolved, Unresolved, resolve

# What isinstance accepts in the real package: bool passes as int, run-time values pass as any number.
FITS = {
    ParamKind.LOCAL: {"local"},
    ParamKind.GLOBAL: {"global"},
    ParamKind.TENSOR: {"local", "global"},
    ParamKind.INT: {"int", "bool", "runtime"},
    ParamKind.FLOAT: {"float", "runtime"},
    ParamKind.NUMERIC: {"int", "bool", "float", "runtime"},
    ParamKind.BOOL: {"bool", "runtime"},
    ParamKind.CONST_BOOL: {"bool"},
    ParamKind.CONST_INT: {"int", "bool"},
    ParamKind.LIST: {"list"},
    ParamKind.DTYPE: {"dtype"},
    ParamKind.NONE: {"none"},
}


def accepts(param: ParamRow, kind: str) -> bool:
    if kind == "none" and param.default == "None":
        return True
    if param.kind in (ParamKind.ENUM, ParamKind.STRUCT):
        return kind == param.type_name
    return kind in FITS.get(param.kind, {kind})


def chosen(name: str, *args: str, **kwargs: str) -> str:
    found = resolve(opset().apis[f"asc.{name}"], args, kwargs, accepts)
    return found.overload.op if isinstance(found, Resolved) else "-"


L = "local"


@pytest.mark.parametrize(
    ("name", "args", "kwargs", "op"),
    [
        ("add", (L, L, L, "int"), {}, "add_l2"),
        ("add", (L, L, L), {"count": "runtime"}, "add_l2"),
        ("add", (L, L, L, "int", "bool"), {}, "add_l2"),
        ("add", (L, L, L, "int", "int", "BinaryRepeatParams"), {}, "add_l0"),
        ("add", (L, L, L), {"mask": "list", "repeat_times": "int", "repeat_params": "BinaryRepeatParams"}, "add_l1"),
        ("add", (L, L, L, "list", "int", "UnaryRepeatParams"), {}, "-"),
        ("add", (L, L, L, "float"), {}, "-"),
        ("add", (L, L, "global", "int"), {}, "-"),
        ("abs", (L, L, "int", "bool"), {}, "-"),
        ("data_copy", (L, "global", "int"), {}, "data_copy_l2"),
        ("data_copy", (L, "global"), {"count": "int"}, "data_copy_l2"),
        ("data_copy", ("global", L, "DataCopyParams"), {}, "data_copy_l0"),
        ("data_copy", (L, "global", "DataCopyParams", "DataCopyEnhancedParams"), {}, "data_copy_enhanced"),
        ("data_copy", (L, "global"), {"intri_params": "Nd2NzParams"}, "data_copy_nd2nz"),
        ("data_copy", (L, "global"), {"params": "DataCopyParams"}, "-"),
        ("data_copy_pad", (L, "global", "DataCopyExtParams", "DataCopyPadExtParams"), {}, "data_copy_pad_l0_ext"),
        ("data_copy_pad", ("global", L, "DataCopyParams"), {}, "data_copy_pad_l2"),
        ("cast", (L, L, "RoundMode", "int"), {}, "cast_l2"),
        ("select", (L, L, L, L, "SelMode", "int"), {}, "select_l2"),
        ("select", (L, L, L, "float", "SelMode", "int"), {}, "select_scalar_l2"),
        ("select", (L, L, L, "int", "SelMode", "int"), {}, "-"),
        ("select", (L, L, L, "runtime", "SelMode"), {"count": "int"}, "select_scalar_l2"),
        (
            "select",
            (L, L, L),
            {"repeat_times": "int", "repeat_params": "BinaryRepeatParams", "sel_mode": "SelMode"},
            "select_reg",
        ),
        ("select", (L, L, L), {"repeat_times": "int", "repeat_params": "BinaryRepeatParams"}, "select_scalar_reg"),
        ("compare", (L, L, L, "CMPMODE", "int"), {}, "compare_l2"),
        ("compare", (L, L, "CMPMODE", "int", "BinaryRepeatParams"), {}, "compare_r_l0"),
        ("reduce_sum", (L, L, L, "int"), {}, "reduce_sum_l2"),
        ("reduce_max", (L, L, L, "list", "int", "int"), {"cal_index": "bool"}, "reduce_max_l1"),
        ("duplicate", (L, "float", "int"), {}, "duplicate_l2"),
        ("duplicate", (L, "float"), {"mask": "int", "repeat_times": "int", "dst_block_stride": "int",
                                     "dst_repeat_stride": "int"}, "duplicate_l0"),
        ("set_deq_scale", ("float",), {}, "set_deq_scale"),
        ("set_deq_scale", (L, "VdeqInfo"), {}, "set_deq_scale_l4"),
        ("sync_all", (), {}, "sync_all_hard"),
        ("sync_all", ("global", L), {}, "sync_all_soft"),
        ("load_data", (L, L, "LoadData2DParams"), {}, "load_data_l0"),
        ("load_data", (L, "global", "LoadData2DParams"), {}, "load_data_g2l"),
        ("mmad", (L, L, L, "MmadParams"), {}, "mmad"),
        ("mmad", (L, L, L, L, "MmadParams"), {}, "mmad_with_bias"),
    ],
)  # fmt: skip
def test_choice(name: str, args: tuple[str, ...], kwargs: dict[str, str], op: str) -> None:
    assert chosen(name, *args, **kwargs) == op


def failure(name: str, *args: str, **kwargs: str) -> tuple[str, Mismatch, str]:
    found = resolve(opset().apis[f"asc.{name}"], args, kwargs, accepts)
    assert isinstance(found, Unresolved)
    assert found.nearest is not None
    assert found.failure is not None
    return found.nearest.op, found.failure.reason, found.failure.param


def test_nearest_overload_and_reason() -> None:
    assert failure("add", L, L, L) == ("add_l0", Mismatch.MISSING, "mask")
    assert failure("set_flag", "HardEvent", "int", "int")[1] is Mismatch.TOO_MANY
    assert failure("set_flag", "HardEvent", id="int") == ("set_flag", Mismatch.UNKNOWN_KEYWORD, "id")
    assert failure("set_flag", "HardEvent", event="HardEvent") == ("set_flag", Mismatch.GIVEN_TWICE, "event")
    assert failure("cast", L, L, "RoundMode", "int", "int", "list") == (
        "cast_l0", Mismatch.WRONG_KIND, "repeat_params",
    )  # fmt: skip


def test_arguments_by_name() -> None:
    found = resolve(opset().apis["asc.set_flag"], ("HardEvent",), {"event_id": "runtime"}, accepts)
    assert isinstance(found, Resolved)
    assert found.arguments == {"event": "HardEvent", "event_id": "runtime"}
