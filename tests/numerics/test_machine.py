# SPDX-License-Identifier: Apache-2.0
"""Every vector op on the real machine gives what its meaning gives on plain arrays, without findings."""

from __future__ import annotations

import numpy as np
import pytest
from asclens_compiler.backends.simulator.dtypes import dtype_of, numpy_dtype
from asclens_compiler.backends.simulator.semantics.api import semantics
from asclens_compiler.errors import InternalError
from asclens_compiler.opset.registry import opset
from numerics_fake import Context, kernel, same_bits
from numerics_fake import Params as Fields
from numerics_machine import Bench, Lists, Params

F16, F32, I16, I32, U8, U16, U32 = (
    np.dtype(name) for name in ("float16", "float32", "int16", "int32", "uint8", "uint16", "uint32")
)
RNG = np.random.default_rng(7)


def data(dtype, count=256):
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        return (RNG.integers(-400, 400, count) / 8).astype(dtype)
    return RNG.integers(0 if dtype.kind == "u" else -100, 100, count).astype(dtype)


def positive(dtype, count=256):
    return (np.abs(data(dtype, count)) + dtype.type(1)).astype(dtype)


UNARY = Params("UnaryRepeatParams", 1, 1, 8, 8)
BINARY = Params("BinaryRepeatParams", 1, 1, 1, 8, 8, 8)
UNARY_OPS = ("abs", "exp", "ln", "sqrt", "rsqrt", "reciprocal", "relu")
BINARY_OPS = ("add", "sub", "mul", "div", "max", "min", "add_relu", "sub_relu")
FUSED_OPS = ("fused_mul_add", "fused_mul_add_relu", "mul_add_dst")
SCALAR_OPS = ("adds", "muls", "maxs", "mins", "leaky_relu", "axpy")
LIBRARY_OPS = (
    "atan", "asinh", "ceil", "cos", "cosh", "erf", "erfc", "floor", "frac", "log", "round", "sign", "sin", "sinh",
    "tan", "tanh", "trunc", "lgamma", "digamma",
)  # fmt: skip


def forms(name, operands, tail):
    """The count form, and the mask forms with a count and with words."""
    count = 100
    yield f"{name}_l2", operands | {"calCount": count}, {}
    for form, mask in (("l0", 40), ("l1", (0x0F0F_F00F_1234_5678, 0))):
        yield f"{name}_{form}", operands | {"mask": mask, "repeatTimes": 2, "repeatParams": tail}, {"isSetMask": True}


def vector_cases():
    for dtype in (F16, F32):
        for name in UNARY_OPS:
            yield from forms(name, {"dst": data(dtype), "src": positive(dtype)}, UNARY)
        for name in (*BINARY_OPS, *FUSED_OPS):
            yield from forms(name, {"dst": data(dtype), "src0": data(dtype), "src1": positive(dtype)}, BINARY)
        for name in SCALAR_OPS:
            yield from forms(name, {"dst": data(dtype), "src": data(dtype), "scalar": 2.5}, UNARY)
    for name in ("and", "or"):
        yield from forms(name, {"dst": data(I16), "src0": data(I16), "src1": data(I16)}, BINARY)
    yield from forms("not", {"dst": data(U16), "src": data(U16)}, UNARY)
    for name in ("shift_left", "shift_right"):
        yield from forms(name, {"dst": data(I32), "src": data(I32), "scalar": 3}, UNARY)
    for name, into, source in (("add_relu_cast", "int8", F16), ("mul_cast", "uint8", F16), ("sub_relu_cast", F16, F32)):
        operands = {"dst": data(np.dtype(into)), "src0": data(source), "src1": data(source)}
        yield from forms(name, operands, Params("BinaryRepeatParams", 1, 1, 1, 4, 8, 8))
    mixed = {"dst": data(F32), "src0": data(F16), "src1": data(F16)}
    yield from forms("mul_add_dst", mixed, Params("BinaryRepeatParams", 1, 1, 1, 8, 4, 4))
    for into, source, tail in ((F16, F32, (1, 1, 4, 8)), (I32, F32, (1, 1, 8, 8)), ("int8", F16, (1, 1, 4, 8))):
        operands = {"dst": data(np.dtype(into)), "src": data(source)}
        for op, given, attrs in forms("cast", operands, Params("UnaryRepeatParams", *tail)):
            yield op, given, attrs | {"roundMode": "CAST_RINT"}
    wide = {"dst": data(F16), "src": data(I32)}
    yield from forms("cast_deq", wide, Params("UnaryRepeatParams", 1, 1, 4, 8))
    sums = {"dst": data(F16), "src0": data(I32), "src1": data(I32)}
    yield from forms("add_deq_relu", sums, Params("BinaryRepeatParams", 1, 1, 1, 4, 8, 8))
    yield "prelu_l2", {"dst": data(F32), "src0": data(F32), "src1": data(F32), "calCount": 90}, {}
    yield "neg_l2", {"dst": data(F32), "src": data(F32), "calCount": 90}, {}
    yield "add_l3", {"dst": data(F32), "src0": data(F32), "src1": data(F32)}, {}


def compare_cases():
    for dtype in (F16, F32):
        pair = {"src0": data(dtype), "src1": data(dtype)}
        bits = {"dst": data(U8, 64)}
        yield "compare_l2", bits | pair | {"calCount": 128}, {"cmpMode": "LT"}
        repeats = {"mask": 64, "repeatTimes": 2}
        yield "compare_l0", bits | pair | repeats | {"repeatParams": BINARY}, {"cmpMode": "GE", "isSetMask": True}
        one = {"src0": data(dtype), "src1Scalar": 1.5}
        yield "compare_scalar_l2", bits | one | {"calCount": 128}, {"cmpMode": "GT"}
        yield "compare_scalar_l0", bits | one | repeats | {"repeatParams": UNARY}, {"cmpMode": "NE", "isSetMask": True}
        chosen = {"dst": data(dtype), "selMask": data(U8, 64)}
        for mode in ("VSEL_CMPMASK_SPR", "VSEL_TENSOR_TENSOR_MODE"):
            yield "select_l2", chosen | pair | {"calCount": 100}, {"selMode": mode}
            tail = {"mask": 50, "repeatTimes": 2, "repeatParams": BINARY}
            yield "select_l0", chosen | pair | tail, {"selMode": mode, "isSetMask": True}
        scalar = {"src0": data(dtype), "src1": -1.0, "calCount": 100}
        yield "select_scalar_l2", chosen | scalar, {"selMode": "VSEL_TENSOR_SCALAR_MODE"}


def reduce_cases():
    for dtype in (F16, F32):
        base = {
            "dst": data(dtype),
            "src": data(dtype),
            "mask": 50,
            "repeatTime": 2,
            "srcBlkStride": 1,
            "srcRepStride": 8,
        }
        base["dstRepStride"] = 1
        for name in ("whole_reduce_sum", "pair_reduce_sum"):
            yield f"{name}_l0", base, {"isSetMask": True}
        yield "whole_reduce_sum_l1", base | {"mask": (0xFFFF_0000_FFFF, 0)}, {"isSetMask": True}
        yield "repeat_reduce_sum_l0", base | {"dstBlkStride": 1}, {"isSetMask": True}
        for name in ("block_reduce_sum", "block_reduce_max", "block_reduce_min"):
            yield f"{name}_l0", base, {}
        for order in ("ORDER_VALUE_INDEX", "ORDER_INDEX_VALUE", "ORDER_ONLY_VALUE", "ORDER_ONLY_INDEX"):
            yield "whole_reduce_max_l0", base, {"order": order, "isSetMask": True}
            yield "whole_reduce_min_l0", base, {"order": order, "isSetMask": True}
        work = {"dst": data(dtype, 32), "src": data(dtype), "sharedTmpBuffer": data(dtype)}
        yield "reduce_sum_l2", work | {"count": 200}, {}
        yield "reduce_sum_l0", work | {"mask": 50, "repeatTime": 2, "srcRepStride": 8}, {}
        for name in ("reduce_max", "reduce_min"):
            yield f"{name}_l2", work | {"count": 200, "calIndex": True}, {}
            yield f"{name}_l0", work | {"mask": 50, "repeatTime": 2, "srcRepStride": 8, "calIndex": True}, {}


def move_cases():
    for dtype in (F16, I32):
        whole = {"dst": data(dtype, 512), "scalar": 3}
        yield "duplicate_l2", whole | {"calCount": 100}, {}
        strides = {"repeatTimes": 2, "dstBlockStride": 1, "dstRepeatStride": 8}
        yield "duplicate_l0", whole | strides | {"mask": 20}, {"isSetMask": True}
        yield "duplicate_l1", whole | strides | {"mask": (0xF0F0, 0)}, {"isSetMask": True}
        spread = {"dst": data(dtype, 512), "src0": data(dtype, 32), "repeatTimes": 2}
        yield "brcb_l0", spread | {"repeatParams": Params("BrcbRepeatParams", 1, 8)}, {}
        copied = {"dst": data(dtype), "src": data(dtype), "repeatTime": 2, "isSetMask": True}
        copied["repeatParams"] = Params("CopyRepeatParams", 1, 1, 8, 8)
        yield "copy_l1", copied | {"mask": 40}, {}
        yield "copy_l0", copied | {"mask": (0xFF00FF, 0)}, {}
        offsets = (RNG.integers(0, 200, 256) * dtype.itemsize).astype(U32)
        gathered = {"dst": data(dtype), "src": data(dtype), "srcOffset": offsets, "srcBaseAddr": 4}
        yield "gather_l2", gathered | {"count": 100}, {}
        yield "gather_l0", gathered | {"mask": 30, "repeatTimes": 2, "dstRepStride": 8}, {}
        scattered = {"dst": data(dtype), "src": data(dtype), "dstOffset": offsets, "dstBase": 0}
        yield "scatter_l2", scattered | {"count": 64}, {}
        masked = {"dst": data(dtype), "src0": data(dtype), "reduceMode": False, "mask": 0}
        masked["params"] = Params("GatherMaskParams", 1, 2, 8, 8)
        yield "gather_mask_fixed", masked | {"src1Pattern": 3}, {}
        pattern = data(U16 if dtype == F16 else U32, 256)
        yield "gather_mask", masked | {"src1Pattern": pattern}, {}
    blocks = (RNG.permutation(16) * 32).astype(U32)
    picked = {"dst": data(U16, 512), "src0": data(U16, 512), "offset": blocks, "repeatTimes": 2}
    yield "gatherb_l0", picked | {"repeatParams": Params("GatherRepeatParams", 1, 8)}, {}
    yield "transpose", {"dst": data(F16), "src": data(F16)}, {}
    images = {"dst": data(F16), "src": data(F16), "sharedTmpBuffer": data(U8, 4096)}
    yield "transpose_ext", images | {"params": Params("TransposeParamsExt", 1, 4, 4, 16, 11)}, {}
    lists = {"dstList": tuple(data(F16, 16) for _ in range(16)), "srcList": tuple(data(F16, 16) for _ in range(16))}
    five = Params("TransDataTo5HDParams", False, False, 1, 0, 0)
    yield "trans_data_to_5hd_tensor_list", lists | {"params": five}, {}


def sort_cases():
    for dtype in (F16, F32):
        records = 8 // dtype.itemsize
        index = np.arange(64, dtype=U32)
        base = {"dst": data(dtype, 64 * records)}
        yield "sort32", base | {"src0": data(dtype, 64), "src1": index, "repeatTime": 2}, {}
        work = {"concat": data(dtype, 64), "index": index, "tmp": data(dtype, 64 * records), "repeatTime": 2}
        yield "sort", base | work, {"isFullSort": True}
        yield "concat", {"dst": data(dtype, 64), "src": data(dtype, 64), "tmp": data(dtype, 64), "repeatTime": 4}, {}
        split = {"dstValue": data(dtype, 64), "dstIndex": index, "src": data(dtype, 64 * records), "repeatTime": 2}
        yield "extract", split, {}
        merged = {"sortList": Lists(data(dtype, 8 * records) for _ in range(4)), "validBit": 15, "repeatTime": 1}
        counts = {"elementCountList": (8, 8, 8, 8), "sortedNum": (0, 0, 0, 0)}
        yield "mrg_sort", {"dst": data(dtype, 32 * records)} | merged | counts, {}


def library_cases():
    for dtype in (F16, F32):
        for name in LIBRARY_OPS:
            operands = {"dst": data(dtype), "src": positive(dtype), "sharedTmpBuffer": data(U8, 1024)}
            yield name, operands | {"calCount": 100, "isReuseSource": False}, {}
        operands = {"dst": data(dtype), "src": data(dtype), "scalar": 1.5, "calCount": 64, "isReuseSource": False}
        yield "axpy", operands, {}
        small = (data(dtype) / dtype.type(16)).astype(dtype)
        both = {"dst": data(dtype), "src0": positive(dtype), "src1": small, "calCount": 64, "isReuseSource": False}
        yield "power", both, {}
        taylor = {"dst": data(dtype), "src": small, "calCount": 64, "taylorExpandLevel": 5, "isReuseSource": False}
        yield "exp", taylor, {}
        numbers = {"dst": data(np.dtype("int8")), "srcTensor": data(dtype), "scale": 0.5, "offset": 1.0, "calCount": 64}
        yield "quant", numbers, {}
    ints = {"dst": data(I16), "src0": data(I16), "src1": data(I16), "calCount": 64, "isReuseSource": False}
    yield "xor", ints, {}


CASES = [
    *vector_cases(), *compare_cases(), *reduce_cases(), *move_cases(), *sort_cases(), *library_cases(),
]  # fmt: skip


def fields(params):
    names = [field.name for field in opset().structs[params.name].fields]
    return Fields(params.name, dict(zip(names, params, strict=True)))


def expected(op, operands, attrs):
    """Run the meaning on copies of the arrays; return them and the op's result."""
    row = opset().ops[op]
    entry = semantics()[row.semantics]
    copies = {}
    for name, value in operands.items():
        if isinstance(value, np.ndarray):
            copies[name] = value.copy()
        elif isinstance(value, Params):
            copies[name] = fields(value)
        elif isinstance(value, tuple) and value and isinstance(value[0], np.ndarray):
            copies[name] = tuple(item.copy() for item in value)
        else:
            copies[name] = value
    if entry.run is not None:
        with np.errstate(all="ignore"):
            answer = entry.run(Context(op=op, attrs=attrs, **copies))
    else:
        answer = elementwise(row, copies, attrs)
    flat = {}
    for name, value in copies.items():
        if isinstance(value, np.ndarray):
            flat[name] = value
        elif isinstance(value, tuple) and value and isinstance(value[0], np.ndarray):
            flat |= {f"{name}{i}": item for i, item in enumerate(value)}
    return flat, answer


def elementwise(row, operands, attrs):
    """Apply a kernel to the elements that the op's form chooses."""
    context = Context(attrs=attrs, **operands)
    tensors = [item.name for item in row.operands if item.name in ("dst", "src", "src0", "src1")]
    size = max(dtype_of(operands[name]).size_bytes for name in tensors)
    scalars = [item.name for item in row.operands if item.name in ("scalar", "taylorExpandLevel")]
    chosen = {}
    for name in tensors:
        if "repeatParams" in operands or "dstBlockStride" in operands:
            strides = operands.get("repeatParams") or Fields(fields={"dst_blk_stride": 1, "dst_rep_stride": 8})
            repeat = operands["repeatTimes"]
            index = context.repeat_index(
                dtype_of(operands[name]), repeat=repeat, blk_stride=strides.get(f"{name}_blk_stride"),
                rep_stride=strides.get(f"{name}_rep_stride"), elems=256 // size,
            )  # fmt: skip
            chosen[name] = index[context.mask_bits(256 // size, repeat)]
        else:
            chosen[name] = np.arange(operands.get("calCount", len(operands["dst"])))
    inputs = [operands[name][chosen[name]] for name in tensors if name != "dst"]
    first = inputs[0].dtype if inputs else operands["dst"].dtype
    inputs += [first.type(operands[name]) for name in scalars]
    out = operands["dst"][chosen["dst"]]
    operands["dst"][chosen["dst"]] = kernel(row.semantics, out, *inputs, **attrs)


@pytest.mark.parametrize("case", range(len(CASES)), ids=[f"{op}-{n}" for n, (op, _, _) in enumerate(CASES)])
def test_op_on_the_machine(case):
    op, operands, attrs = CASES[case]
    want, answer = expected(op, operands, attrs)
    try:
        got, findings, value = Bench().run(op, operands, attrs)
    except InternalError as missing:
        if "no meaning named 'machine." not in str(missing):
            raise
        pytest.skip(f"the machine does not handle {missing.op} yet")
    assert [(item.code, item.message) for item in findings] == []
    for name, array in want.items():
        assert same_bits(got[name].view(array.dtype)[: len(array)], array), name
    if answer is not None:
        assert value == answer


def test_cases_cover_the_vector_families():
    covered = {op for op, _, _ in CASES}
    plain = {op.name for op in opset().ops.values() if op.compute_unit == "VECTOR"}
    register = {name for name in plain if "_reg" in name or "_r_l" in name or "cmp_mask" in name or "deq_scale" in name}
    missing = plain - covered - register
    assert missing <= {name for name in plain if name.endswith(("_l1", "_l3"))} | OTHER, sorted(missing)


OTHER = {
    "acos", "acosh", "asin", "atanh", "bilinearInterpolation_l0", "clamp_max", "clamp_min", "fused_abs_sub_l2",
    "fused_exp_sub_l2", "get_mrg_sort_result", "mrg_sort4", "mrg_sort_with_info", "proposal_concat", "proposal_extract",
    "rmsnorm", "rp_sort16", "scatter_l0", "select_scalar_l0", "simple_softmax", "softmax", "trans_data_to_5hd",
    "trans_data_to_5hd_uint_list",
}  # fmt: skip


def test_types_of_arrays_are_those_of_the_chip():
    assert numpy_dtype(dtype_of(np.zeros(1, F16))) == F16
