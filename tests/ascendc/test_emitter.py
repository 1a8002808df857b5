# SPDX-License-Identifier: Apache-2.0
"""Ascend C text: one statement per op, at its Python line, with names from Python."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from asclens_compiler.ascir.builder import Builder
from asclens_compiler.ascir.dialect import dialect_rows
from asclens_compiler.ascir.program import Program
from asclens_compiler.ascir.types import AscType, GlobalType, LocalType, PointerType, ScalarType, StructType
from asclens_compiler.ascir.unit import Unit
from asclens_compiler.ascir.values import IRValue
from asclens_compiler.backends.ascendc.emitter import emit
from asclens_compiler.backends.ascendc.forms import DECLARATIONS, FORMS, MARKERS, form_of
from asclens_compiler.engine.pipeline import finish
from asclens_compiler.errors import AscLensError
from asclens_compiler.frontend.driver import analyse_file
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Position
from asclens_compiler.source.span import Span
from asclens_compiler.source.text import SourceText

INT32 = ScalarType(DType.INT32)
TILE = LocalType(DType.FLOAT32, Position.VECIN)


def at(line: int) -> Span:
    return Span("kernel.py", line, 5, line, 20)


class Kernel:
    """Build one kernel and emit it."""

    def __init__(self, **params: AscType) -> None:
        self.unit = Unit.new("kernel.py")
        self.builder = Builder(self.unit)
        values = self.builder.begin_kernel("kern", [(name, type_, at(1)) for name, type_ in params.items()], at(1))
        self.values: dict[str, IRValue] = dict(zip(params, values, strict=True))

    def program(self) -> Program:
        self.builder.end_kernel()
        assert self.unit.verify() == []
        return self.unit.decode()[0]

    def body(self, **options: bool) -> list[str]:
        text = emit(self.program(), **{"line_directives": False, **options}).text
        lines = [line.strip() for line in text.splitlines()]
        return lines[lines.index("set_ffts_base_addr(*ffts_addr);") + 1 : -1]


def test_statements_names_and_lines() -> None:
    kernel = Kernel(x=PointerType(DType.FLOAT32), n=INT32, half=INT32)
    builder, x, n = kernel.builder, kernel.values["x"], kernel.values["n"]
    total = builder.arith("muli", [n, builder.constant(3, DType.INT32, at(2))], DType.INT32, at(2))
    builder.set_name(total, "total")
    (moved,) = builder.op("ptr_offset", [x, total], results=[PointerType(DType.FLOAT32)], span=at(3))
    (tensor,) = builder.op("global_tensor", results=[GlobalType(DType.FLOAT32)], span=at(4), names=["x_gm"])
    builder.op("global_tensor_set_global_buffer", [tensor, moved, n], span=at(5))
    builder.op("set_flag", [kernel.values["half"]], attrs={"event": "MTE2_V"}, span=at(6))
    emitted = emit(kernel.program())
    assert emitted.text == (
        '#include "kernel_operator.h"\n'
        "\n"
        '#line 1 "kernel.py"\n'
        'extern "C" __global__ __aicore__ void kern(__gm__ float* x, int32_t n, int32_t half_2, '
        "__gm__ uint64_t* ffts_addr) {\n"
        '#line 1 "kernel.py"\n'
        "  set_ffts_base_addr(*ffts_addr);\n"
        '#line 2 "kernel.py"\n'
        "  int32_t total = n * 3;\n"
        '#line 3 "kernel.py"\n'
        "  __gm__ float* v1 = x + total;\n"
        '#line 4 "kernel.py"\n'
        "  AscendC::GlobalTensor<float> x_gm;\n"
        '#line 5 "kernel.py"\n'
        "  x_gm.SetGlobalBuffer(v1, n);\n"
        '#line 6 "kernel.py"\n'
        "  AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(half_2);\n"
        "}\n"
    )
    lines = emitted.text.splitlines()
    assert emitted.origin(lines.index("  x_gm.SetGlobalBuffer(v1, n);") + 1) == at(5)
    assert emitted.origin(1) is None
    assert len(emitted.lines) == 7


def test_a_loop_assigns_what_it_carries_in_parallel() -> None:
    kernel = Kernel(n=INT32, m=INT32)
    builder, n, m = kernel.builder, kernel.values["n"], kernel.values["m"]
    zero, one = (builder.constant(value, DType.INT32, at(2)) for value in (0, 1))
    loop = builder.loop(zero, n, one, [n, m], at(3), name="i", names=["a", "b"])
    with loop:
        loop.yield_([loop.carried[1], loop.carried[0]])
    builder.op("set_flag", [loop.results[0]], attrs={"event": "V_MTE3"}, span=at(5))
    assert kernel.body() == [
        "int32_t a = n;",
        "int32_t b = m;",
        "for (int32_t i = 0; i < n; i += 1) {",
        "int32_t next_a = b;",
        "int32_t next_b = a;",
        "a = next_a;",
        "b = next_b;",
        "}",
        "AscendC::SetFlag<AscendC::HardEvent::V_MTE3>(a);",
    ]


def test_branches_and_conditional_loops() -> None:
    kernel = Kernel(n=INT32)
    builder, n = kernel.builder, kernel.values["n"]
    zero = builder.constant(0, DType.INT32, at(2))
    flag = builder.arith("cmpi", [n, zero], DType.INT1, at(2), "sgt")
    builder.set_name(flag, "flag")
    branch = builder.branch(flag, None, at(3), names=["r"])
    with branch.then():
        branch.yield_([n])
    with branch.orelse():
        branch.yield_([zero])
    loop = builder.while_loop([branch.results[0]], at(5), names=["left"])
    with loop.before():
        more = builder.arith("cmpi", [loop.carried[0], zero], DType.INT1, at(5), "ne")
        builder.set_name(more, "more")
        loop.condition(more)
    with loop.body():
        loop.yield_([builder.arith("subi", [loop.body_args[0], n], DType.INT32, at(6))])
    builder.op("set_flag", [loop.results[0]], attrs={"event": "V_MTE3"}, span=at(7))
    assert kernel.body() == [
        "bool flag = n > 0;",
        "int32_t r;",
        "if (flag) {",
        "r = n;",
        "} else {",
        "r = 0;",
        "}",
        "int32_t left = r;",
        "while (true) {",
        "bool more = left != 0;",
        "if (!(more)) {",
        "break;",
        "}",
        "int32_t v1 = left - n;",
        "left = v1;",
        "}",
        "AscendC::SetFlag<AscendC::HardEvent::V_MTE3>(left);",
    ]


def test_literals_have_their_exact_type() -> None:
    kernel = Kernel(t=TILE, h=LocalType(DType.FLOAT16, Position.VECIN))
    builder, span = kernel.builder, at(2)
    tile, half = kernel.values["t"], kernel.values["h"]
    count = builder.constant(64, DType.INT32, span)
    for tensor, value, dtype in ((tile, 0.1, DType.FLOAT32), (tile, float("inf"), DType.FLOAT32),
                                 (half, -2.0, DType.FLOAT16)):  # fmt: skip
        builder.op("duplicate_l2", [tensor, builder.constant(value, dtype, span), count], span=span)
    texts = kernel.body()
    assert texts[1] == "AscendC::Duplicate(t, __builtin_inff(), 64);"
    assert texts[2] == "AscendC::Duplicate(h, static_cast<half>(-2.0f), 64);"
    assert re.fullmatch(r"AscendC::Duplicate\(t, 0\.1\d*f, 64\);", texts[0])


def test_masks_lie_in_arrays_and_structs_are_initialised() -> None:
    kernel = Kernel(t=TILE)
    builder, span = kernel.builder, at(2)
    tile = kernel.values["t"]
    numbers = [builder.constant(value, DType.INT32, span) for value in (1, 1, 1, 8, 8, 8)]
    from_type = builder.op("construct", [numbers], attrs={"type": "BinaryRepeatParams"},
                           results=[StructType("BinaryRepeatParams")], span=span, names=["params"])  # fmt: skip
    words = [builder.constant(value, DType.UINT64, span) for value in (255, 2**64 - 1)]
    repeat = builder.constant(4, DType.INT8, span)
    builder.op("add_l1", [tile, tile, tile, words, repeat, from_type[0]], attrs={"isSetMask": True}, span=span)
    assert kernel.body() == [
        "AscendC::BinaryRepeatParams params{1, 1, 1, 8, 8, 8};",
        "uint64_t mask_list[] = {255ULL, 18446744073709551615ULL};",
        "AscendC::Add<float, 1>(t, t, t, mask_list, static_cast<int8_t>(4), params);",
    ]


@pytest.mark.parametrize("name", ["class", "__x", "1st", "\u6838\u5fc3", "int32_t", "a-b"])
def test_python_names_become_legal_identifiers(name: str) -> None:
    kernel = Kernel(n=INT32)
    value = kernel.builder.arith("addi", [kernel.values["n"]] * 2, DType.INT32, at(2))
    kernel.builder.set_name(value, name)
    (line,) = kernel.body()
    found = re.fullmatch(r"int32_t ([A-Za-z]\w*) = n \+ n;", line)
    assert found
    assert "__" not in found[1]
    assert found[1] not in ("class", "int32_t")


def test_every_row_has_a_form_whose_placeholders_it_has() -> None:
    special = {"rest", "cpp", "result", "R", "layout"}
    for row in dialect_rows():
        known = special | {item.name for item in row.operands} | {item.name for item in row.attrs}
        for found in re.findall(r"(?<!\{)\{,?(?:T:)?([^{}]+)\}", form_of(row)):
            assert found in known, row.name
    rows = {row.name for row in dialect_rows()}
    assert set(FORMS) <= rows
    assert rows >= DECLARATIONS
    assert MARKERS.fullmatch("stage_start")


SAMPLES = sorted(Path(__file__).resolve().parents[2].glob("samples/ascendc/*.py")) + sorted(
    Path(__file__).resolve().parents[2].glob("samples/staged/*.py")
)


def _has_unknown_types(program: Program) -> bool:
    return any(getattr(item, "dtype", None) is DType.UNKNOWN for item in program.reg_types)


def test_unknown_types_are_an_error_with_help() -> None:
    kernel = Kernel(x=PointerType(DType.UNKNOWN))
    with pytest.raises(AscLensError, match="element type of x") as caught:
        kernel.body()
    assert "assume" in caught.value.help


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_samples_are_emitted_and_the_text_is_the_same_every_time(path: Path) -> None:
    source = SourceText(str(path), path.read_text(encoding="utf-8"))
    texts: list[list[str]] = []
    for _ in range(2):
        programs = [finish(kernel, soc="Ascend910B1").program for kernel in analyse_file(source).kernels if kernel.ok]
        known = [item for item in programs if item is not None and not _has_unknown_types(item)]
        texts.append([emit(program).text for program in known])
    assert texts[0] == texts[1]
    for text in texts[0]:
        statements = [line for line in text.splitlines() if line.endswith(";") and line.startswith("  ")]
        assert len(re.findall(r"^#line \d+ ", text, re.MULTILINE)) >= len(statements)
        assert text.count("{") == text.count("}")
