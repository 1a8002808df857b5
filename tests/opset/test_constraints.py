# SPDX-License-Identifier: Apache-2.0
"""Constraints hold, fail with both numbers, or are not known."""

from __future__ import annotations

import pytest
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Memory
from asclens_compiler.opset.casts import cast_modes, legal_modes
from asclens_compiler.opset.constraints import Outcome, Verdict, all_constraints, describe, evaluate
from asclens_compiler.opset.model import ConstraintKind
from asclens_compiler.opset.registry import opset
from asclens_compiler.opset.values import KnownValues, TensorFact

F16, F32, I32, U8 = DType.FLOAT16, DType.FLOAT32, DType.INT32, DType.UINT8


def tensors(dtype: DType = F32, memory: Memory = Memory.UB, address: int = 0, size: int = 1024) -> TensorFact:
    return TensorFact(dtype=dtype, memory=memory, address=address, size_bytes=size)


def outcome(op: str, kind: ConstraintKind, values: KnownValues, operand: str = "") -> Outcome:
    row = opset().ops[op]
    item = next(
        found for found in all_constraints(row) if found.kind is kind and (not operand or operand in found.operands)
    )
    return evaluate(item, row, values)


def add(**changes: TensorFact) -> KnownValues:
    facts = {"dst": tensors(), "src0": tensors(address=1024), "src1": tensors(address=2048), **changes}
    return KnownValues(tensors=facts, scalars={"calCount": 64})


@pytest.mark.parametrize(
    ("kind", "change", "found", "allowed"),
    [
        (ConstraintKind.SAME_DTYPE, {"src1": tensors(F16)}, "float32 and float32 and float16", "one type"),
        (ConstraintKind.DTYPE_IN, {"dst": tensors(U8)}, "uint8", "float16, float32, int16, int32"),
        (ConstraintKind.ALIGNED_TO, {"dst": tensors(address=16)}, "16", "a multiple of 32"),
        (ConstraintKind.IN_MEMORY, {"dst": tensors(memory=Memory.GM)}, "GM", "UB"),
        (ConstraintKind.FITS_IN, {"dst": tensors(size=255)}, "256 bytes", "255 bytes"),
        (
            ConstraintKind.NO_PARTIAL_OVERLAP,
            {"src0": tensors(address=32)},
            "bytes 0..255 and 32..287",
            "the same bytes or none in common",
        ),
    ],
)
def test_violations_carry_both_numbers(kind, change, found: str, allowed: str) -> None:
    assert outcome("add_l2", kind, add()).verdict is Verdict.OK
    assert outcome("add_l2", kind, add(**change)) == Outcome(Verdict.VIOLATED, found, allowed)


def test_unknown_is_neither() -> None:
    values = add(dst=TensorFact(), src0=TensorFact(), src1=TensorFact())
    row = opset().ops["add_l2"]
    assert {evaluate(item, row, values).verdict for item in all_constraints(row)} == {Verdict.UNKNOWN}


def test_overlap_of_the_same_bytes_is_fine() -> None:
    assert outcome("add_l2", ConstraintKind.NO_PARTIAL_OVERLAP, add(src0=tensors())).verdict is Verdict.OK
    other = add(src0=tensors(memory=Memory.L1, address=32))
    assert outcome("add_l2", ConstraintKind.NO_PARTIAL_OVERLAP, other).verdict is Verdict.OK


def test_copy_of_part_of_a_block() -> None:
    values = KnownValues(tensors={"dst": tensors(), "src": tensors()}, scalars={"calCount": 7})
    found = outcome("data_copy_l2", ConstraintKind.COUNT_MULTIPLE_OF, values)
    assert (found.found, found.allowed) == ("28 bytes", "a multiple of 32 bytes")


def test_paths() -> None:
    def copy(source: Memory, target: Memory) -> Verdict:
        values = KnownValues(tensors={"dst": tensors(memory=target), "src": tensors(memory=source)})
        return outcome("data_copy_l2", ConstraintKind.COPY_PATH, values).verdict

    assert copy(Memory.GM, Memory.UB) is Verdict.OK
    assert copy(Memory.UB, Memory.GM) is Verdict.OK
    assert copy(Memory.L0C, Memory.UB) is Verdict.VIOLATED
    assert copy(Memory.GM, Memory.GM) is Verdict.VIOLATED


def test_mask_of_one_repeat() -> None:
    def mask(count: int, dtype: DType) -> Outcome:
        facts = {name: tensors(dtype) for name in ("dst", "src0", "src1")}
        return outcome("add_l0", ConstraintKind.MASK_IN_REPEAT, KnownValues(tensors=facts, scalars={"mask": count}))

    assert mask(128, F16).verdict is Verdict.OK
    assert mask(64, F32).verdict is Verdict.OK
    assert (mask(128, F32).found, mask(128, F32).allowed) == ("128", "0..64")


def test_struct_fields_have_ranges() -> None:
    values = KnownValues(structs={"repeatParams": {"block_count": 4096}})
    found = outcome("data_copy_l0", ConstraintKind.RANGE_IN, values, "repeatParams.block_count")
    assert (found.found, found.allowed) == ("4096", "0..4095")


def test_casts() -> None:
    def cast(source: DType, target: DType, mode: str) -> Verdict:
        values = KnownValues(tensors={"dst": tensors(target), "src": tensors(source)}, attrs={"roundMode": mode})
        return outcome("cast_l2", ConstraintKind.CAST_MODE, values).verdict

    assert cast(F32, F16, "CAST_ODD") is Verdict.OK
    assert cast(F16, F32, "CAST_NONE") is Verdict.OK
    assert cast(F16, F32, "CAST_RINT") is Verdict.VIOLATED
    assert cast(F16, DType.BFLOAT16, "CAST_NONE") is Verdict.VIOLATED
    assert legal_modes(DType.UINT8, F32) == frozenset()
    members = {name for name, _ in opset().enums["RoundMode"].members}
    assert all(modes <= members for modes in cast_modes().values())


def test_int32_compares_for_equality_only() -> None:
    def compare(dtype: DType, mode: str) -> Verdict:
        values = KnownValues(
            tensors={"dst": tensors(U8), "src0": tensors(dtype), "src1": tensors(dtype)}, attrs={"cmpMode": mode}
        )
        return outcome("compare_l2", ConstraintKind.ENUM_IN, values).verdict

    assert compare(I32, "EQ") is Verdict.OK
    assert compare(F32, "LT") is Verdict.OK
    assert compare(I32, "LT") is Verdict.VIOLATED


def test_barrier_on_the_scalar_pipe() -> None:
    found = outcome("pipe_barrier", ConstraintKind.ENUM_IN, KnownValues(attrs={"pipe": "PIPE_S"}))
    assert found.verdict is Verdict.VIOLATED


def test_absent_optional_operands_break_nothing() -> None:
    row = opset().ops["sin"]
    values = KnownValues(tensors={"dst": tensors(), "src": tensors()})
    verdicts = {
        evaluate(item, row, values).verdict for item in all_constraints(row) if "sharedTmpBuffer" in item.operands
    }
    assert verdicts == {Verdict.OK}


def test_descriptions_are_sentences_without_placeholders() -> None:
    for row in opset().ops.values():
        for item in all_constraints(row):
            text = describe(item)
            assert text
            assert "{" not in text
