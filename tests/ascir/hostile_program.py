# SPDX-License-Identifier: Apache-2.0
"""Uses of units and handles that must end in an exception; run as a program by `test_hostile.py`."""

from __future__ import annotations

import gc
from collections.abc import Callable

import conftest
from asclens_compiler.ascir import dialect, session, verify
from asclens_compiler.ascir.rewrite import Rewriter
from asclens_compiler.ascir.types import StructType
from asclens_compiler.ascir.unit import Unit
from asclens_compiler.hardware.dtypes import DType
from ir_samples import TILE, at, begin


def sample():
    unit, builder, params = begin()
    (part,) = builder.op("subIndex", [params["t"], params["n"]], results=[TILE], span=at(3))
    builder.op("add_l2", [part, part, part, params["n"]], span=at(4))
    builder.end_kernel()
    return unit, builder, params, part


def ops(unit):
    return {op.name: op for op in Rewriter(unit).walk()}


def value_after_close():
    unit, builder, _, part = sample()
    unit.close()
    gc.collect()
    builder.set_name(part, "x")


def op_after_close():
    unit, *_ = sample()
    held = ops(unit)["add_l2"]
    unit.close()
    gc.collect()
    return held.operands


def decode_after_close():
    unit, *_ = sample()
    unit.close()
    unit.decode()


def erase_used():
    unit, *_ = sample()
    Rewriter(unit).erase(ops(unit)["subIndex"])


def use_erased():
    unit, *_ = sample()
    r = Rewriter(unit)
    op = ops(unit)["add_l2"]
    r.erase(op)
    return op.attrs


def use_other_handle_of_erased():
    unit, *_ = sample()
    r = Rewriter(unit)
    a = ops(unit)["add_l2"]
    b = ops(unit)["add_l2"]
    r.erase(a)
    gc.collect()
    return b.operands


def erase_twice():
    unit, *_ = sample()
    r = Rewriter(unit)
    op = ops(unit)["add_l2"]
    r.erase(op)
    r.erase(op)


def operand_out_of_range():
    unit, _, _, part = sample()
    ops(unit)["add_l2"].set_operand(99, part)


def negative_operand():
    unit, _, _, part = sample()
    ops(unit)["add_l2"].set_operand(-5, part)


def foreign_operand():
    unit, *_ = sample()
    _, _, _, part = sample()
    ops(unit)["add_l2"].set_operand(0, part)


def foreign_value_in_op():
    _, builder, params = begin()
    _, _, _, part = sample()
    builder.op("add_l2", [part, part, part, params["n"]], span=at(1))


def replace_wrong_count():
    unit, *_ = sample()
    Rewriter(unit).replace(ops(unit)["subIndex"], [])


def move_into_itself():
    unit, builder, params = begin()
    one = builder.constant(1, DType.INT32, at(2))
    with builder.loop(one, one, one, [], at(3)):
        builder.op("add_l2", [params["t"]] * 3 + [one], span=at(4))
    builder.end_kernel()
    found = ops(unit)
    Rewriter(unit).move_before(found["scf.for"], found["add_l2"])


def huge_attribute():
    _, builder, params = begin()
    builder.op("set_flag", [params["n"]], attrs={"event": 2**100}, span=at(1))


def attribute_object():
    _, builder, params = begin()
    builder.op("set_flag", [params["n"]], attrs={"event": object()}, span=at(1))


def text_in_type_name():
    _, builder, _ = begin()
    builder.op("construct", [[]], results=[StructType('a"b')], span=at(1))


def float_constant_of_int():
    _, builder, _ = begin()
    builder.constant("x", DType.INT32, at(1))


def deep_text():
    Unit.parse("module {" * 20000 + "}" * 20000)


def deep_parens():
    Unit.parse("(" * 100000)


def deep_types():
    Unit.parse("func.func @k(%a: " + "tuple<" * 60000 + "i1" + ">" * 60000 + ") { return }")


def binary_text():
    Unit.parse("ML\xefR\x00\x01" * 50)


def unfinished_kernel():
    unit, _, _ = begin()
    assert unit.text()
    unit.verify()
    unit.decode()
    raise RuntimeError("printed, verified and decoded")


def close_with_open_kernel():
    unit, builder, _ = begin()
    unit.close()
    builder.end_kernel()


def nested_kernel():
    _, builder, _ = begin()
    builder.begin_kernel("b", [], at(1))


def clone_of_closed():
    unit, *_ = sample()
    unit.close()
    unit.clone()


CASES: list[Callable[[], object]] = [
    item
    for name, item in list(globals().items())
    if callable(item) and getattr(item, "__module__", "") == "__main__" and name not in ("sample", "ops", "main")
]


def main() -> None:
    dialect.opset = verify.opset = lambda: conftest.FAKE
    session.renew()
    for case in CASES:
        print("try", case.__name__, flush=True)
        try:
            case()
        except Exception as error:
            print("caught", case.__name__, type(error).__name__, flush=True)
        gc.collect()


if __name__ == "__main__":
    main()
