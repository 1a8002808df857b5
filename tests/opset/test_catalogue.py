# SPDX-License-Identifier: Apache-2.0
"""Rows against facts about the real package: names, dispatch, operations, spellings, enums.

The facts lie beside the repository; without them these tests are skipped.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.opset.model import ApiRow, ParamKind, ParamRow
from asclens_compiler.opset.registry import opset

FACTS = Path("../shared/facts/pyasc_1_1_1/api_catalogue.json")
# The real dispatcher's type names of parameters where ours say more.
ALIASES = {
    "List": "list", "Optional[BaseTensor]": "BaseTensor", "TQue": "TQue", "RuntimeBool": "RuntimeBool",
}  # fmt: skip
# Ops with no public caller that our surfaces do not need (kernel-server plumbing, emitter helpers).
UNUSED_OPS = frozenset(
    """
    call_opaque cumsum data_copy_pad_ext_params declare_py_struct dereference get_hccl_context load_data
    global_tensor_set_shape_info_v2 load_image_to_local member_ptr member_ref noop pop_stack_buffer set_aipp_functions
    set_fmatrix set_hccl_context slice_info_subindex variable verbatim get_matmul_api_tiling regist_matmul_obj
    """.split()  # noqa: SIM905
)
# Operands whose real name differs: our stand-in is typed, the real one is not.
OUR_OPERANDS = frozenset(
    """
    construct printf local_tensor_auto ptr_offset mrg_sort_src_list copy_struct member set_member data_copy_slice
    set_ffts_base_addr array exp get_arch_version reinterpret_cast
    """.split()  # noqa: SIM905
)


@pytest.fixture(scope="module")
def catalogue(root: Path) -> dict[str, Any]:
    path = root / FACTS
    if not path.exists():
        pytest.skip(f"no facts about the real package at {FACTS}")
    return json.loads(path.read_text())


def entries(catalogue: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {entry["path"]: entry for entry in catalogue["entries"]}


def test_every_entry_has_a_row(catalogue) -> None:
    missing = [
        path
        for path, entry in entries(catalogue).items()
        if path not in opset().apis and not (entry["kind"] == "enum" and path.split(".")[-1] in opset().enums)
    ]
    assert missing == []


def test_no_invented_names(catalogue) -> None:
    known = entries(catalogue)
    assert [name for name, row in opset().apis.items() if name not in known and not row.staged] == []


def test_enums(catalogue) -> None:
    for path, entry in entries(catalogue).items():
        row = opset().enums.get(path.split(".")[-1])
        if entry["kind"] == "enum" and row is not None and "runtime" not in path:
            assert dict(row.members) == entry["members"], path


def test_operations(catalogue) -> None:
    real = {_op_name(name): fact for name, fact in catalogue["ir_ops"].items()}
    missing = sorted(set(real) - set(opset().ops) - UNUSED_OPS)
    assert [name for name in missing if not name.startswith(("matmul_", "kfc_"))] == []


def test_operands_and_spelling(catalogue) -> None:
    wrong: list[str] = []
    for name, fact in catalogue["ir_ops"].items():
        row = opset().ops.get(_op_name(name))
        if row is None or row.name in OUR_OPERANDS or "operands" not in fact:
            continue
        ours = {item.name for item in row.operands} | {item.name for item in row.attrs}
        theirs = {item["name"] for item in fact["operands"]}
        if ours != theirs and not row.name.startswith(("ptr_", "tBuf", "tensor_desc")):
            wrong.append(f"{row.name}: {sorted(ours ^ theirs)}")
        operands = {item.name for item in row.operands}
        order = [item["name"] for item in fact["operands"] if item["name"] in operands]
        if order != [item.name for item in row.operands if item.name in theirs]:
            wrong.append(f"{row.name}: order {order}")
        spelling = (fact.get("cpp_api") or "").split("<")[0]
        if spelling and row.cpp != spelling:
            wrong.append(f"{row.name}: {row.cpp} / {fact['cpp_api']}")
    assert wrong == []


def test_dispatch(catalogue) -> None:
    """Our overloads accept what the real dispatcher registers, in its order, after the fixed parameters."""
    wrong: list[str] = []
    for path, entry in entries(catalogue).items():
        row = opset().apis.get(path)
        # mrg_sort registers a run-time bool and then insists on a literal one.
        if not entry.get("dispatch") or row is None or row.unsupported or path == "asc.mrg_sort":
            continue
        ours = _tails(row, entry["dispatch"])
        theirs = [[_real(item) for item in overload] for overload in entry["dispatch"]]
        if [item for item in theirs if item not in ours]:
            wrong.append(f"{path}: {[item for item in theirs if item not in ours]} not in {ours}")
    assert wrong == []


def test_element_types(catalogue) -> None:
    """A type that the real front end refuses, we refuse too."""
    wrong: list[str] = []
    for path, entry in entries(catalogue).items():
        accepted = entry.get("frontend_dtypes_same_type")
        row = opset().apis.get(path)
        if not isinstance(accepted, list) or row is None or not accepted:
            continue
        for overload in row.overloads:
            op = opset().ops[overload.op]
            ours = {dtype.value for dtype in op.operands[0].dtypes}
            if not set(ours) & {DType(name).value for name in accepted}:
                wrong.append(f"{path}: {sorted(ours)} / {accepted}")
    assert wrong == []


def test_struct_fields(catalogue) -> None:
    for path, entry in entries(catalogue).items():
        row = opset().structs.get(path.split(".")[-1])
        if entry["kind"] != "class" or row is None or row.host:
            continue
        real = [item["name"] for item in entry["init"]["impl"]["params"]]
        assert [field.name for field in row.fields] == real, path


def _op_name(name: str) -> str:
    return name.partition(".")[2].replace(".", "_")


def _real(item: dict[str, Any]) -> tuple[str, str, bool]:
    return (item["name"], ALIASES.get(item["type"], item["type"]), "default" in item)


def _ours(param: ParamRow) -> tuple[str, str, bool]:
    kind = param.type_name or param.kind.value
    if param.kind is ParamKind.ANY:
        kind = "any"
    return (param.name, kind, param.default != "<required>")


def _tails(row: ApiRow, dispatch: list[list[dict[str, Any]]]) -> list[list[tuple[str, str, bool]]]:
    """Return our overloads cut to the lengths of the real ones: the dispatcher sees no fixed parameters."""
    lengths = {len(item) for item in dispatch}
    return [
        [_ours(param) for param in overload.params[len(overload.params) - length :]]
        for overload in row.overloads
        for length in sorted(lengths)
        if length <= len(overload.params)
    ]
