# SPDX-License-Identifier: Apache-2.0
"""What staged kernels are refused for, on which line, and what the fixes do."""

from __future__ import annotations

import numpy as np
import pytest
from asclens_compiler.frontend.driver import analyse_file
from asclens_compiler.source.text import SourceText
from staged_article import apply_edits
from staged_harness import HEADER, compile_text, kernel_of

VECTOR = np.zeros(64, np.float32)
HALF = np.zeros(64, np.float16)
INTEGERS = np.zeros(64, np.int32)
MATRIX = np.zeros((4, 16), np.float32)
FIRST = HEADER.count("\n") + 4  # line of the first statement between start and end


def in_stage(*lines: str, unit: str = "VECTOR", params: str = "x: Tensor, w: Tensor") -> str:
    inner = "\n".join(f"    {line}" for line in lines)
    return (
        f"{HEADER}def kernel({params}):\n    a = x.to_local(); b = w.to_local()\n"
        f"    PipeStage.start(PipeStage.{unit})\n{inner}\n    PipeStage.end(PipeStage.{unit})\n    PipeStage.sync()\n"
    )


def diagnose(text: str, *args) -> list[tuple[int, str]]:
    return compile_text(text, list(args)).lines


@pytest.mark.parametrize(
    ("line", "second", "code", "word"),
    [
        ("r = a + b", HALF, "ASC140", ".to("),
        ("r = a > b", INTEGERS, "ASC140", ".to("),
        ("r = a + b", np.zeros(32, np.float32), "ASC141", "shape"),
        ("r = b + 70000.0", HALF, "ASC142", "65504"),
        ("r = b + 0.5", INTEGERS, "ASC142", "0.5"),
        ("r = b + 2147483648", INTEGERS, "ASC142", "2147483647"),
        ("r = a // 2", VECTOR, "ASC143", "/"),
        ("r = a % 2", VECTOR, "ASC143", "q"),
        ("r = a ** 2", VECTOR, "ASC143", "x * x"),
        ("r = a @ b", VECTOR, "ASC143", "matmul"),
        ("r = b / b", INTEGERS, "ASC143", ".to("),
        ("r = x + 1", VECTOR, "ASC143", "to_local"),
        ("r = (a > 0) + 1", VECTOR, "ASC143", "mask.to"),
        ("r = ~a", VECTOR, "ASC143", "INT32"),
        ("r = asc.select(a, a, b)", VECTOR, "ASC143", "comparing"),
        ("r = asc.reduce_sum(a, axis=1)", VECTOR, "ASC103", "axis"),
        ("r = asc.relu(a, a, a)", VECTOR, "ASC103", "relu(x)"),
        ("r = a.flatten()", VECTOR, "ASC102", "to_local"),
        ("r = a[0:3]", VECTOR, "ASC103", "GLOBAL"),
        ("r = asc.add_relu(a, b)", VECTOR, "ASC103", "Ascend C"),
        ("if a > 0:\n        r = a", VECTOR, "ASC103", "select"),
    ],
)
def test_refused_in_a_stage(line, second, code, word):
    compiled = compile_text(in_stage(line), [VECTOR, second])
    assert compiled.lines == [(FIRST, code)]
    assert word in compiled.diagnostics[0].message + compiled.diagnostics[0].help


def test_one_mistake_gives_one_message():
    assert diagnose(in_stage("r = a // 2", "s = r + 1", "t = s * r"), VECTOR, VECTOR) == [(FIRST, "ASC143")]


def test_slices_outside_a_tensor():
    text = f"{HEADER}def kernel(x: Tensor):\n    a = x[10:70].to_local()\n"
    compiled = compile_text(text, [VECTOR])
    assert compiled.codes == ["ASC146"]
    assert "10:70" in compiled.diagnostics[0].message
    assert "64" in compiled.diagnostics[0].message


def test_a_slice_without_bound():
    text = f"{HEADER}def kernel(x: Tensor, n: int):\n    a = x[0:n].to_local()\n"
    assert compile_text(text, [VECTOR, 3]).codes == ["ASC147"]


@pytest.mark.parametrize("value", ["a.to(DataType.FLOAT16)", "asc.reduce_sum(a)", "2.0", "a > 0"])
def test_a_declared_tensor_keeps_its_kind(value):
    text = in_stage("r = Tensor(shape=(64,), dtype=DataType.FLOAT32, scope=Scope.LOCAL)", f"r = {value}")
    assert diagnose(text, VECTOR, VECTOR) == [(FIRST + 1, "ASC144")]


def test_a_declared_tensor_that_is_only_rebound_is_fine():
    text = in_stage("r = Tensor(shape=(64,), dtype=DataType.FLOAT32, scope=Scope.LOCAL)", "r = a + b")
    assert diagnose(text, VECTOR, VECTOR) == []


@pytest.mark.parametrize("line", ["s = r + a", "asc.relu(r, r)", "m = r > 0", "x.copy_from(r)", "asc.data_copy(x, r)"])
def test_a_declared_tensor_is_read_before_it_is_filled(line):
    text = in_stage("r = Tensor(shape=(64,), dtype=DataType.FLOAT32, scope=Scope.LOCAL)", line)
    assert diagnose(text, VECTOR, VECTOR) == [(FIRST + 1, "ASC148")]


def test_annotations_fix_what_they_name():
    text = f"{HEADER}def kernel(x: Tensor(shape=(64,), dtype=DataType.FLOAT32)):\n    a = x.to_local()\n"
    assert diagnose(text, VECTOR) == []
    assert diagnose(text, HALF) == [(3, "ASC145")]
    assert diagnose(text, np.zeros(32, np.float32)) == [(3, "ASC145")]


def test_declared_global_tensors_match_the_launch():
    text = (
        f"{HEADER}def kernel():\n    x = Tensor(shape=(64,), dtype=DataType.FLOAT32, scope=Scope.GLOBAL)\n"
        "    a = x.to_local()\n"
    )
    assert compile_text(text, {"x": VECTOR}).lines == []
    assert compile_text(text, {"x": HALF}).lines == [(4, "ASC145")]


START, END = "PipeStage.start(PipeStage.VECTOR)", "PipeStage.end(PipeStage.VECTOR)"
STAGES = {
    "nested": (
        [START, "PipeStage.start(PipeStage.SCALAR)", "PipeStage.end(PipeStage.SCALAR)",
         "r = a + 1", END],
        [(6, "ASC204")],
    ),
    "end without start": ([END], [(5, "ASC203")]),
    "start without end": ([START, "r = a + 1"], [(5, "ASC203")]),
    "two starts, one end": (
        [START, "r = a + 1", START,
         END],
        [(5, "ASC203")],
    ),
    "start in a loop, end behind": (
        ["for i in range(3):", "    " + START, "    r = a + 1", END],
        [(6, "ASC203"), (8, "ASC203")],
    ),
    "start before a loop, end inside": (
        [START, "for i in range(3):", "    r = a + 1", "    " + END,
         END],
        [(8, "ASC203")],
    ),
    "loop in a stage": (
        [START, "for i in range(3):", "    r = a + 1", END], [],
    ),
    "stage in a loop": (
        ["for i in range(3):", "    " + START, "    r = a + 1",
         "    " + END], [],
    ),
    "copy in a stage": (
        [START, "b = x.to_local()", "r = a + b", END], [],
    ),
    "pipe named for a copy": (
        ["PipeStage.start(PipeStage.MTE2)", "b = x.to_local()", "PipeStage.end(PipeStage.MTE2)"], [],
    ),
    "wrong pipe named for a copy": (
        ["PipeStage.start(PipeStage.MTE3)", "b = x.to_local()", "PipeStage.end(PipeStage.MTE3)"], [(6, "ASC202")],
    ),
    "V is VECTOR": (["PipeStage.start(PipeStage.V)", "r = a + 1", "PipeStage.end(PipeStage.V)"], []),
    "element outside SCALAR": (
        [START, "s = a[0]", END], [(6, "ASC202")],
    ),
    "element outside any stage": (["s = a[0]"], [(5, "ASC201")]),
}  # fmt: skip


@pytest.mark.parametrize("name", STAGES)
def test_stages(name):
    lines, expected = STAGES[name]
    inner = "\n".join(f"    {line}" for line in lines)
    text = f"{HEADER}def kernel(x: Tensor):\n    a = x.to_local()\n"
    assert diagnose(text + inner + "\n    PipeStage.sync()\n", VECTOR) == expected


@pytest.mark.parametrize("unit", ["VECTOR", "SCALAR"])
def test_nested_stages_have_a_fix(unit):
    body = [
        START,
        "r = a + 1",
        f"PipeStage.start(PipeStage.{unit})",
        f"PipeStage.end(PipeStage.{unit})",
        "s = r + 1",
        END,
    ]
    inner = "\n".join(f"    {line}" for line in body)
    text = f"{HEADER}def kernel(x: Tensor):\n    a = x.to_local()\n{inner}\n"
    (found,) = compile_text(text, [VECTOR]).diagnostics
    assert (found.code, found.span.line) == ("ASC204", 7)
    fixed = apply_edits(text, found.fixes[0].edits)
    assert compile_text(fixed, [VECTOR]).lines == []
    assert fixed.count("PipeStage.start") == (1 if unit == "VECTOR" else 3)


def test_a_nested_stage_in_a_loop_has_no_fix():
    body = [START, "for i in range(3):", "    PipeStage.start(PipeStage.SCALAR)", "    t = a[0]",
            "    PipeStage.end(PipeStage.SCALAR)", END]  # fmt: skip
    inner = "\n".join(f"    {line}" for line in body)
    text = f"{HEADER}def kernel(x: Tensor):\n    a = x.to_local()\n{inner}\n"
    (found,) = compile_text(text, [VECTOR]).diagnostics
    assert (found.code, found.span.line, found.fixes) == ("ASC204", 7, ())


def test_a_helper_is_reported_at_its_own_line():
    text = f"""{HEADER}
def double(part):
    return part * 2

def kernel(x: Tensor, y: Tensor):
    r = double(x.to_local())
    y.copy_from(r)
    PipeStage.sync()
"""
    compiled = compile_text(text, [VECTOR, VECTOR], name="kernel")
    assert compiled.lines == [(5, "ASC201")]


REREAD = """\
import asc
from asc import PipeStage, Tensor
def kernel(x: Tensor, y: Tensor):
    a = x[0:32].to_local()
    {first}.copy_from(a)
    {middle}
    b = {second}.to_local()
    PipeStage.start(PipeStage.VECTOR)
    r = b + 1
    PipeStage.end(PipeStage.VECTOR)
    y[32:64].copy_from(r)
    PipeStage.sync()
"""


@pytest.mark.parametrize(
    ("first", "middle", "second", "expected"),
    [
        ("y[0:32]", "pass", "y[0:32]", [(7, "ASC206")]),
        ("y[0:32]", "pass", "y[31:63]", [(7, "ASC206")]),
        ("y[0:32]", "pass", "y[32:64]", []),
        ("y[0:32]", "pass", "x[0:32]", []),
        ("y[0:32]", "PipeStage.sync()", "y[0:32]", []),
        ("y[0:32]", "asc.sync_all()", "y[0:32]", []),
    ],
)
def test_global_memory_read_again(first, middle, second, expected):
    text = REREAD.format(first=first, middle=middle, second=second)
    compiled = compile_text(text, [VECTOR, VECTOR])
    assert compiled.lines == expected
    if expected:
        fixed = apply_edits(text, compiled.diagnostics[0].fixes[0].edits)
        assert compile_text(fixed, [VECTOR, VECTOR]).lines == []


def test_global_memory_read_again_in_the_next_trip():
    text = """\
import asc
from asc import PipeStage, Tensor
def kernel(x: Tensor, y: Tensor):
    for i in range(4):
        b = y[{read}].to_local()
        PipeStage.start(PipeStage.VECTOR)
        r = b + 1
        PipeStage.end(PipeStage.VECTOR)
        y[i * 8 + 8 : i * 8 + 16].copy_from(r)
    PipeStage.sync()
"""
    assert diagnose(text.format(read="i * 8 : i * 8 + 8"), VECTOR, VECTOR) == [(5, "ASC206")]
    assert diagnose(text.format(read="i * 8 + 8 : i * 8 + 16"), VECTOR, VECTOR) == []


def test_a_tensor_that_does_not_fit():
    big = np.zeros(100_000, np.float32)
    text = in_stage("r = a + b")
    compiled = compile_text(text, [big, big])
    (found,) = compiled.diagnostics
    assert found.code == "ASC301"
    assert "188,416" in found.message
    assert "1,200" in found.message
    for part in ("`a` 400,000 bytes", "`b` 400,000 bytes", "for i in range(count)", "8192"):
        assert part in found.help


def test_matmul_arguments():
    text = f"{HEADER}def kernel(x: Tensor, y: Tensor, z: Tensor):\n    PipeStage.start(PipeStage.CUBE)\n    {{}}\n    PipeStage.end(PipeStage.CUBE)\n    PipeStage.sync()\n"  # noqa: E501
    square = np.zeros((16, 16), np.float32)
    good = "asc.matmul(x, y, z, 16, 16, 16)"
    assert diagnose(text.format(good), square, square, square) == []
    assert diagnose(text.format(good), square, square.astype(np.float16), square) == [(5, "ASC140")]
    assert diagnose(text.format(good), *[square.astype(np.int32)] * 3) == [(5, "ASC143")]
    assert diagnose(text.format("asc.matmul(x, y, z, 16, 16, 17)"), square, square, square) == [(5, "ASC103")]
    assert diagnose(text.format("asc.matmul(x, y, z, 16, 16)"), square, square, square) == [(5, "ASC103")]


def test_names_that_a_kernel_forgot_to_import():
    text = "import asc\nfrom asc import (\n    PipeStage,\n    Tensor,\n)\ndef kernel(x: Tensor):\n    a = x.to_local()\n    PipeStage.start(PipeStage.VECTOR)\n    r = relu(a)\n    PipeStage.end(PipeStage.VECTOR)\n"  # noqa: E501
    compiled = compile_text(text, [VECTOR])
    assert compiled.lines == [(9, "ASC111")]
    assert compile_text(apply_edits(text, compiled.diagnostics[0].fixes[0].edits), [VECTOR]).lines == []
    assert compile_text(text.replace("relu(a)", "relux(a)"), [VECTOR]).codes == ["ASC101"]


ORDINARY = """\
import numpy as np
import asc

class Pipeline:
    def process(self, data, tensor):
        result = data[tensor] + 1
        return {k: v for k, v in result}

def process(a, b):
    with open(a) as handle:
        return [int(line) for line in handle if line in b]
"""


def test_ordinary_python_is_none_of_our_business():
    found = analyse_file(SourceText("ordinary.py", ORDINARY))
    assert found.kernels == ()
    assert found.diagnostics == ()


def test_unknown_launches_keep_quiet_about_sizes_but_not_about_stages():
    text = in_stage("r = a + b", "s = r // 2")
    found = analyse_file(SourceText("kernel.py", text))
    assert [item.code for item in found.diagnostics] == ["ASC143"]
    assert kernel_of(text).name == "kernel"


@pytest.mark.parametrize(
    ("args", "codes"),
    [
        (([VECTOR, 2.0]), []),
        (([VECTOR]), ["ASC126"]),
        (([VECTOR, 2.0, 3, VECTOR]), ["ASC126"]),
        (([2.0, 2.0]), ["ASC145"]),
        (([VECTOR, VECTOR]), ["ASC145"]),
        (({"x": VECTOR, "s": 1.0, "wrong": 2}), ["ASC126"]),
    ],
)
def test_arguments_of_a_launch(args, codes):
    text = f"{HEADER}def kernel(x: Tensor, s: float, n: int = 3):\n    if n == 3:\n        a = x.to_local()\n"
    assert sorted({item.code for item in compile_text(text, args).diagnostics if item.code != "ASC102"}) == codes


def test_a_cube_result_is_global_memory_too():
    square = np.zeros((16, 16), np.float32)
    text = f"""{HEADER}
def kernel(x: Tensor, y: Tensor):
    PipeStage.start(PipeStage.CUBE)
    asc.matmul(x, x, y, 16, 16, 16)
    PipeStage.end(PipeStage.CUBE)
    a = y.to_local()
"""
    assert compile_text(text, [square, square]).lines == [(6, "ASC205"), (8, "ASC206")]
