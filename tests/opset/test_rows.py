# SPDX-License-Identifier: Apache-2.0
"""Every row knows enough: names agree, bindings reach operands, tensors have footprints and types."""

from __future__ import annotations

import ast
import re

import pytest
from asclens_compiler.hardware.pipes import Pipe
from asclens_compiler.opset.constraints import all_constraints, describe
from asclens_compiler.opset.footprints import CUSTOM
from asclens_compiler.opset.model import (
    NO_DEFAULT,
    ConstraintKind,
    FootprintKind,
    OpRow,
    ParamKind,
    PipeRule,
    Role,
)
from asclens_compiler.opset.registry import opset

OPS = sorted(opset().ops.values(), key=lambda row: row.name)
APIS = sorted(opset().apis.values(), key=lambda row: row.name)
TENSORS = frozenset({Role.DST, Role.SRC, Role.INOUT})
# Library routines and objects of the real dialect without an Ascend C call of their own.
WITHOUT_CPP = re.compile(
    r"ptr_offset|construct|to_que_bind|array(_load|_store)?|copy_struct|(set_)?member|stage_(start|end)|pipe_(v|m|s|mte\d|fix)"
)
HANDLE_RESULTS = frozenset(
    """
    LocalTensor GlobalTensor GlobalAddress TQue TQueBind TBuf TBufPool TPipe ShapeInfo LocalMemAllocator
    ListTensorDesc TensorDesc MrgSortSrcList Array struct field element dtype
    """.split()  # noqa: SIM905
)
SCALAR_RESULTS = frozenset(("int1", "int32", "int64", "uint16", "uint32", "uint64"))


def tensors(row: OpRow) -> list[str]:
    return [item.name for item in row.operands if item.role in TENSORS]


@pytest.mark.parametrize("row", OPS, ids=lambda row: row.name)
def test_op_is_complete(row: OpRow) -> None:
    assert row.summary
    assert row.semantics
    assert row.cpp or WITHOUT_CPP.fullmatch(row.name)
    names = [item.name for item in row.operands] + [item.name for item in row.attrs]
    assert len(names) == len(set(names))
    assert set(row.results) <= HANDLE_RESULTS | SCALAR_RESULTS
    if row.pipe not in (PipeRule.NONE, Pipe.S):
        assert row.pipe is PipeRule.COPY_PATH or row.cost is not None or row.pipe in (Pipe.MTE1, Pipe.MTE2, Pipe.FIX)
    if row.compute_unit == "VECTOR":
        assert row.pipe is Pipe.V


@pytest.mark.parametrize("row", OPS, ids=lambda row: row.name)
def test_tensor_facts(row: OpRow) -> None:
    printed = [item.operand for item in row.footprints]
    assert len(printed) == len(set(printed))
    assert set(tensors(row)) <= set(printed)
    for operand in row.operands:
        if operand.role in TENSORS and operand.name not in ("sharedTmpBuffer", "tmp", "cbufWorkspace"):
            untyped = row.pipe in (Pipe.S, PipeRule.NONE) or row.name in ("get_cmp_mask", "set_cmp_mask")
            assert operand.dtypes or untyped, operand.name
        if operand.role is Role.SCALAR:
            assert len(operand.dtypes) <= 1
        if operand.role is Role.PARAMS:
            assert operand.struct in opset().structs or operand.struct in ("MrgSortSrcList", "SoftMaxShapeInfo")


@pytest.mark.parametrize("row", OPS, ids=lambda row: row.name)
def test_footprints_name_what_exists(row: OpRow) -> None:
    operands = {item.name: item for item in row.operands}
    for item in row.footprints:
        assert item.operand in operands
        if item.kind is FootprintKind.CUSTOM:
            assert item.function in CUSTOM
            continue
        for name in (item.count, item.mask, item.repeat, item.params, item.blk_stride, item.rep_stride):
            assert not name or name in operands or name.isdecimal()
        assert set(item.widest) <= set(operands)
        if item.kind is FootprintKind.REPEAT and item.params:
            fields = {field.name for field in opset().structs[operands[item.params].struct].fields}
            assert {f"{item.which}_blk_stride", f"{item.which}_rep_stride"} <= fields


@pytest.mark.parametrize("row", OPS, ids=lambda row: row.name)
def test_constraints_name_what_exists_and_cite(row: OpRow) -> None:
    operands = {item.name for item in row.operands}
    attrs = {item.name for item in row.attrs}
    printed = {item.operand for item in row.footprints}
    for item in all_constraints(row):
        assert item.source
        assert describe(item)
        for name in item.operands:
            assert name.partition(".")[0] in operands | attrs
        if item.kind is ConstraintKind.FITS_IN:
            assert item.operands[0] in printed
        for name in item.operands:
            owner, _, field = name.partition(".")
            if field:
                struct = next(operand.struct for operand in row.operands if operand.name == owner)
                assert field in {known.name for known in opset().structs[struct].fields}


@pytest.mark.parametrize("row", [row for row in OPS if row.attrs], ids=lambda row: row.name)
def test_enum_attributes_exist(row: OpRow) -> None:
    for item in row.attrs:
        assert not item.enum or item.enum in opset().enums


@pytest.mark.parametrize("row", APIS, ids=lambda row: row.name)
def test_api_bindings(row) -> None:
    assert row.summary
    assert row.unsupported or row.overloads
    for overload in row.overloads:
        params = {item.name for item in overload.params}
        assert len(params) == len(overload.params)
        for param in overload.params:
            if param.kind is ParamKind.ENUM:
                assert param.type_name in opset().enums
            if param.default != NO_DEFAULT and param.kind is not ParamKind.ENUM and not param.type_name:
                ast.literal_eval(param.default)
        if not overload.op:
            assert overload.lower or row.unsupported
            continue
        op = opset().ops[overload.op]
        names = {item.name for item in op.operands} | {item.name for item in op.attrs}
        bound = dict(overload.binding)
        if op.name != "construct":
            assert set(bound) <= names
        for value in bound.values():
            assert value == "self" or value.startswith("=") or value in params
        if not overload.lower and not row.staged:
            free = names - set(bound) - params
            optional = {item.name for item in op.operands if item.optional}
            assert free <= optional, f"{overload.op}: nothing gives {sorted(free - optional)}"


def test_structs() -> None:
    for row in opset().structs.values():
        assert row.summary
        assert row.fields
        for field in row.fields:
            if field.kind is ParamKind.ENUM:
                assert field.type_name in opset().enums
            if field.length > 1:
                assert field.kind is ParamKind.LIST


def test_forms_share_semantics() -> None:
    by_base: dict[str, set[str]] = {}
    for row in OPS:
        base, _, form = row.name.rpartition("_")
        if form in ("l0", "l1", "l2") and row.compute_unit == "VECTOR":
            by_base.setdefault(base, set()).add(row.semantics)
    assert {base: found for base, found in by_base.items() if len(found) > 1} == {}
