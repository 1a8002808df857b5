# SPDX-License-Identifier: Apache-2.0
"""What host code tells about launches, without running it."""

from __future__ import annotations

import pytest
from frontend_cases import analyse

KERNEL = """
import asc
import numpy as np
import torch
import pytest


@asc.jit
def kernel(x: asc.GlobalAddress, n: int, size: asc.ConstExpr[int]):
    g = asc.GlobalTensor()
    g.set_global_buffer(x, n)

"""


def specialisations(host: str) -> list[tuple[str, int | None]]:
    analysis = analyse(KERNEL + host)
    return [(kernel.specialisation, kernel.core_num) for kernel in analysis.kernels]


@pytest.mark.parametrize(
    ("creation", "array"),
    [
        ("np.zeros(1024, dtype=np.float32)", "float32[1024]"),
        ("np.zeros((4, 256), np.float16)", "float16[4,256]"),
        ("np.random.rand(16, 8).astype(np.float32)", "float32[16,8]"),
        ("np.random.randint(0, 10, (64,))", "int64[64]"),
        ("np.random.default_rng(0).random(32, dtype=np.float32)", "float32[32]"),
        ("np.arange(10, dtype=np.int32)", "int32[10]"),
        ("np.ones(8)", "float64[8]"),
        ("torch.rand(16384, dtype=torch.float32, device='cpu')", "float32[16384]"),
        ("torch.rand(4, 8)", "float32[4,8]"),
        ("torch.zeros((3, 5), dtype=torch.int16).npu()", "int16[3,5]"),
        ("torch.ones(12).half().reshape(3, -1)", "float16[3,4]"),
        ("torch.zeros_like(torch.rand(7))", "float32[7]"),
        ("torch.rand(7) + torch.rand(7)", "float32[7]"),
        ("np.array([[1, 2], [3, 4]], dtype=np.int8)", "int8[2,2]"),
        ("unknown_library.make(3)", ""),
    ],
)
def test_arrays(creation: str, array: str) -> None:
    ((text, cores),) = specialisations(f"kernel[8]({creation}, 4)\n")
    assert text == (f"x={array}, n=4" if array else "n=4")
    assert cores == 8


def test_through_functions_and_arithmetic() -> None:
    host = """
CORES = 8


def launch(x):
    total = x.numel()
    kernel[CORES, None](x, total // CORES, size=x.shape[0] // 2)


def main():
    for count in (1024, 2048):
        launch(torch.rand(count, dtype=torch.float32))


if __name__ == "__main__":
    main()
"""
    assert specialisations(host) == [
        ("x=float32[1024], n=128, size=512", 8),
        ("x=float32[2048], n=256, size=1024", 8),
    ]


def test_cases_of_a_test() -> None:
    host = """
@pytest.mark.parametrize("dtype, size", [(np.float32, 64), (np.float16, 128)])
def test_kernel(dtype, size):
    kernel[1](np.zeros(size, dtype), size, size=2)
"""
    assert [text for text, _ in specialisations(host)] == [
        "x=float32[64], n=64, size=2",
        "x=float16[128], n=128, size=2",
    ]


def test_branches_loops_and_failures_of_host_code() -> None:
    host = """
def run(flag):
    size = 64
    try:
        import missing
    except ImportError:
        pass
    with open("file") as stream:
        data = [line for line in stream]
    while flag():
        flag = None
    if flag:
        return None
    table = {"a": 32}
    kernel[2](np.zeros(table["a"], np.float32), size, size=1)
    raise SystemExit(0)
"""
    assert specialisations(host) == [("x=float32[32], n=64, size=1", 2)]


def test_assumption_serves_where_no_launch_is_known() -> None:
    analysis = analyse(KERNEL.replace("@asc.jit", "# asclens: assume x=float16[2, 64] n=3 size=5\n@asc.jit"))
    (kernel,) = analysis.kernels
    assert (kernel.specialisation, kernel.origin) == ("x=float16[2,64], n=3, size=5", "assume directive")


def test_known_launches_win_over_unknown_ones() -> None:
    host = """
def helper(x):
    kernel[1](x, 3, size=1)


kernel[1](np.zeros(4, np.float32), 3, size=1)
"""
    assert [text for text, _ in specialisations(host)] == ["x=float32[4], n=3, size=1"]


def test_diagnostics_name_their_specialisation() -> None:
    host = "kernel[1](np.zeros(4, np.float32), 3, size=1)\n"
    text = KERNEL + "    asc.printf('%d', missing)\n\n\n" + host
    (finding,) = analyse(text).diagnostics
    assert finding.kernel == "kernel"
    assert finding.specialisation == "x=float32[4], n=3, size=1"
    assert finding.soc == "Ascend910B1"


def test_helpers_are_no_kernels() -> None:
    text = """
import asc


@asc.jit
def scale(n: int):
    return n * 2


@asc.jit
def show(n: int):
    asc.printf("%d", n)


@asc.jit
def kernel(n: int):
    show(scale(n))
"""
    assert [kernel.kernel for kernel in analyse(text).kernels] == ["kernel"]
