# SPDX-License-Identifier: Apache-2.0
"""Footprints against brute force: every touched byte, element by element, as the manuals say."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Memory
from asclens_compiler.opset.combs import Comb, bounding
from asclens_compiler.opset.footprints import byte_range, evaluate
from asclens_compiler.opset.registry import opset
from asclens_compiler.opset.values import KnownValues, TensorFact
from hypothesis import given, settings
from hypothesis import strategies as st

SIZES = {DType.FLOAT16: 2, DType.FLOAT32: 4, DType.INT8: 1}
types = st.sampled_from(sorted(SIZES, key=lambda item: item.value))


def tensor(dtype: DType, memory: Memory = Memory.UB, size: int | None = None) -> TensorFact:
    return TensorFact(dtype=dtype, memory=memory, address=0, size_bytes=size)


def touched(op: str, operand: str, values: KnownValues) -> set[int]:
    row = next(item for item in opset().ops[op].footprints if item.operand == operand)
    combs = evaluate(row, values)
    assert combs is not None
    found = {byte for comb in combs for start, end in comb.pieces() for byte in range(start, end)}
    low, high = bounding(combs)
    assert not found or (low, high) == (min(found), max(found) + 1)
    assert byte_range(row, values) == (low, high)
    return found


def repeat_bytes(active: list[int], repeats: int, size: int, *, blk: int, rep: int) -> set[int]:
    """Bytes of the elements of each repeat, computed one at a time."""
    lanes = 32 // size
    return {
        (repeat * rep + elem // lanes * blk) * 32 + elem % lanes * size + byte
        for repeat in range(repeats)
        for elem in active
        for byte in range(size)
    }


strides = st.integers(0, 10)


@given(dst=types, src=types, mask=st.integers(0, 130), repeats=st.integers(0, 4), stride=st.tuples(*[strides] * 4))
@settings(max_examples=150, deadline=None)
def test_contiguous_mask(dst: DType, src: DType, mask: int, repeats: int, stride: tuple[int, ...]) -> None:
    params = dict(zip(("dst_blk_stride", "src_blk_stride", "dst_rep_stride", "src_rep_stride"), stride, strict=True))
    values = KnownValues(
        tensors={"dst": tensor(dst), "src": tensor(src)},
        scalars={"mask": mask, "repeatTimes": repeats},
        structs={"repeatParams": params},
    )
    elems = 256 // max(SIZES[dst], SIZES[src])
    active = list(range(min(mask, elems)))
    for name, dtype in (("dst", dst), ("src", src)):
        expected = repeat_bytes(
            active, repeats, SIZES[dtype], blk=params[f"{name}_blk_stride"], rep=params[f"{name}_rep_stride"]
        )
        assert touched("cast_l0", name, values) == expected


@given(words=st.tuples(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1)), repeats=st.integers(0, 3), blk=strides)
@settings(max_examples=150, deadline=None)
def test_mask_words(words: tuple[int, int], repeats: int, blk: int) -> None:
    values = KnownValues(
        tensors={"dst": tensor(DType.FLOAT16), "src": tensor(DType.FLOAT16)},
        scalars={"mask": words, "repeatTimes": repeats},
        structs={"repeatParams": {"dst_blk_stride": blk, "dst_rep_stride": 9}},
    )
    bits = words[0] | words[1] << 64
    active = [elem for elem in range(128) if bits >> elem & 1]
    assert touched("abs_l1", "dst", values) == repeat_bytes(active, repeats, 2, blk=blk, rep=9)


def test_registers_decide_the_mask() -> None:
    values = KnownValues(
        tensors={"dst": tensor(DType.FLOAT32), "src": tensor(DType.FLOAT32)},
        scalars={"mask": 1, "repeatTimes": 1},
        structs={"repeatParams": {"dst_blk_stride": 1, "dst_rep_stride": 8}},
        attrs={"isSetMask": False},
    )
    assert touched("abs_l0", "dst", values) == set(range(256))


def test_dense_mask_is_one_piece() -> None:
    row = opset().ops["add_l0"].footprints[0]
    values = KnownValues(
        tensors={name: tensor(DType.FLOAT32) for name in ("dst", "src0", "src1")},
        scalars={"mask": 64, "repeatTimes": 3},
        structs={"repeatParams": {"dst_blk_stride": 1, "dst_rep_stride": 8}},
    )
    assert evaluate(row, values) == (Comb(0, 256, 1, 0, 3, 256),)


@given(dtype=types, count=st.integers(0, 500))
def test_count(dtype: DType, count: int) -> None:
    values = KnownValues(tensors={"dst": tensor(dtype)}, scalars={"calCount": count})
    assert touched("add_l2", "dst", values) == set(range(count * SIZES[dtype]))


def test_count_of_packed_bits() -> None:
    values = KnownValues(tensors={"dst": tensor(DType.UINT8)}, scalars={"calCount": 100})
    assert touched("compare_l2", "dst", values) == set(range(13))


def test_absent_count_means_the_whole_tensor() -> None:
    values = KnownValues(tensors={"dst": tensor(DType.FLOAT32, size=96)})
    assert touched("sin", "dst", values) == set(range(96))


@given(dtype=types, count=st.integers(0, 200))
def test_copy_drops_what_is_below_a_block(dtype: DType, count: int) -> None:
    values = KnownValues(tensors={"dst": tensor(dtype), "src": tensor(dtype, Memory.GM)}, scalars={"calCount": count})
    assert touched("data_copy_l2", "src", values) == set(range(count * SIZES[dtype] // 32 * 32))


@given(count=st.integers(0, 4), length=st.integers(0, 4), gaps=st.tuples(st.integers(0, 4), st.integers(0, 4)))
def test_bursts(count: int, length: int, gaps: tuple[int, int]) -> None:
    params = {"block_count": count, "block_len": length, "src_stride": gaps[0], "dst_stride": gaps[1]}
    values = KnownValues(
        tensors={"dst": tensor(DType.FLOAT32), "src": tensor(DType.FLOAT32, Memory.GM)},
        structs={"repeatParams": params},
    )
    for name, gap in (("src", gaps[0]), ("dst", gaps[1])):
        expected = {burst * (length + gap) * 32 + byte for burst in range(count) for byte in range(length * 32)}
        assert touched("data_copy_l0", name, values) == expected


@given(
    count=st.integers(0, 3),
    length=st.integers(0, 80),
    gaps=st.tuples(st.integers(0, 40), st.integers(0, 3)),
    pads=st.tuples(st.integers(0, 3), st.integers(0, 3)),
)
def test_padding_copy_into_ub(count: int, length: int, gaps: tuple[int, int], pads: tuple[int, int]) -> None:
    """In global memory exactly the bytes; in UB whole blocks, padding included."""
    length *= 2
    values = KnownValues(
        tensors={"dst": tensor(DType.FLOAT16), "src": tensor(DType.FLOAT16, Memory.GM)},
        structs={
            "dataCopyParams": {
                "block_count": count, "block_len": length, "src_stride": gaps[0], "dst_stride": gaps[1]
            },
            "padParams": {"left_padding": pads[0], "right_padding": pads[1]},
        },
    )  # fmt: skip
    source = {burst * (length + gaps[0]) + byte for burst in range(count) for byte in range(length)}
    assert touched("data_copy_pad_l0", "src", values) == source
    width = -(-(length + sum(pads) * 2) // 32) * 32
    target = {burst * (width + gaps[1] * 32) + byte for burst in range(count) for byte in range(width)}
    assert touched("data_copy_pad_l0", "dst", values) == target


def test_padding_copy_out_of_ub_writes_exact_bytes() -> None:
    params = {"block_count": 2, "block_len": 7, "src_stride": 0, "dst_stride": 3}
    values = KnownValues(
        tensors={"dst": tensor(DType.INT8, Memory.GM), "src": tensor(DType.INT8)}, structs={"dataCopyParams": params}
    )
    assert touched("data_copy_pad_l2", "dst", values) == {*range(7), *range(10, 17)}
    assert touched("data_copy_pad_l2", "src", values) == {*range(7), *range(32, 39)}


@given(n=st.integers(1, 20), d=st.integers(1, 40))
@settings(max_examples=40, deadline=None)
def test_nd_to_nz(n: int, d: int) -> None:
    """Row j, chunk k of 32 bytes goes to j * n_stride + k * c0_stride blocks."""
    params = {
        "nd_num": 1, "n_value": n, "d_value": d, "src_nd_matrix_stride": 0, "src_d_value": d + 3,
        "dst_nz_c0_stride": 32, "dst_nz_n_stride": 1, "dst_nz_matrix_stride": 0,
    }  # fmt: skip
    values = KnownValues(
        tensors={"dst": tensor(DType.FLOAT16, Memory.L1), "src": tensor(DType.FLOAT16, Memory.GM)},
        structs={"intriParams": params},
    )
    source = {row * (d + 3) * 2 + byte for row in range(n) for byte in range(d * 2)}
    chunks = -(-d * 2 // 32)
    target = {(row + chunk * 32) * 32 + byte for row in range(n) for chunk in range(chunks) for byte in range(32)}
    assert touched("data_copy_nd2nz", "src", values) == source
    assert touched("data_copy_nd2nz", "dst", values) == target


@pytest.mark.parametrize(
    ("op", "attrs", "dtype", "unit"),
    [
        ("whole_reduce_sum_l0", {}, DType.FLOAT32, 4),
        ("whole_reduce_sum_l0", {}, DType.FLOAT16, 2),
        ("whole_reduce_max_l0", {"order": "ORDER_VALUE_INDEX"}, DType.FLOAT32, 8),
        ("whole_reduce_max_l0", {"order": "ORDER_ONLY_VALUE"}, DType.FLOAT16, 2),
        ("whole_reduce_max_l0", {"order": "ORDER_ONLY_INDEX"}, DType.FLOAT16, 4),
        ("block_reduce_sum_l0", {}, DType.FLOAT16, 16),
        ("pair_reduce_sum_l0", {}, DType.FLOAT32, 128),
    ],
)
def test_reductions(op: str, attrs: Mapping[str, str], dtype: DType, unit: int) -> None:
    scalars = {"mask": 8, "repeatTime": 3, "dstRepStride": 2, "srcBlkStride": 1, "srcRepStride": 8}
    values = KnownValues(tensors={"dst": tensor(dtype), "src": tensor(dtype)}, scalars=scalars, attrs=dict(attrs))
    expected = {repeat * 2 * unit + byte for repeat in range(3) for byte in range(unit)}
    assert touched(op, "dst", values) == expected
    assert touched(op, "src", values) == repeat_bytes(list(range(8)), 3, dtype.size_bytes, blk=1, rep=8)


@given(m=st.integers(1, 40), n=st.integers(1, 40), k=st.integers(1, 70))
def test_mmad_takes_whole_fractals(m: int, n: int, k: int) -> None:
    values = KnownValues(
        tensors={
            "dst": tensor(DType.FLOAT32, Memory.L0C),
            "fm": tensor(DType.FLOAT16, Memory.L0A),
            "filter": tensor(DType.FLOAT16, Memory.L0B),
        },
        structs={"mmadParams": {"m": m, "n": n, "k": k}},
    )
    tiles = [-(-size // 16) for size in (m, n, k)]
    assert len(touched("mmad", "dst", values)) == tiles[0] * tiles[1] * 16 * 16 * 4
    assert len(touched("mmad", "filter", values)) == tiles[1] * tiles[2] * 512
    assert len(touched("mmad", "fm", values)) == (tiles[2] * 32 if m == 1 else tiles[0] * tiles[2] * 512)


def test_fixpipe_rows() -> None:
    params = {
        "n_size": 20, "m_size": 3, "src_stride": 16, "dst_stride": 50, "nd_num": 1, "src_nd_stride": 0,
        "dst_nd_stride": 0,
    }  # fmt: skip
    values = KnownValues(
        tensors={"dst": tensor(DType.FLOAT32, Memory.GM), "src": tensor(DType.FLOAT32, Memory.L0C)},
        structs={"intriParams": params, "fixpipeConfig": {"layout": 1}},
    )
    assert touched("fixpipe", "dst", values) == {row * 200 + byte for row in range(3) for byte in range(80)}
    assert touched("fixpipe", "src", values) == {
        column * 16 * 64 + byte for column in range(2) for byte in range(3 * 64)
    }


def test_unknown_values_give_no_answer() -> None:
    row = opset().ops["add_l2"].footprints[0]
    known = {name: tensor(DType.FLOAT32) for name in ("dst", "src0", "src1")}
    assert evaluate(row, KnownValues(tensors=known, scalars={"calCount": (1, 2)})) is None
    unknown = {"dst": tensor(DType.UNKNOWN)}
    assert evaluate(row, KnownValues(tensors=unknown, scalars={"calCount": 3})) is None


def test_every_footprint_survives_nothing_known() -> None:
    for op in opset().ops.values():
        values = KnownValues(tensors={item.name: TensorFact() for item in op.operands if not item.optional})
        for row in op.footprints:
            if values.present(row.operand) and row.function not in ("fixed_bytes", "deq_table"):
                assert evaluate(row, values) is None, op.name
