# SPDX-License-Identifier: Apache-2.0
"""Torch tensors as arguments, and scripts that ask for device "npu"."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from toy_engine import Peer, Record, data, fine, overwrite, run_host

Write = Callable[..., Path]

KERNEL = """
    import asc, torch
    @asc.jit
    def kernel(x: asc.GlobalAddress): asc.get_block_idx()
"""


@pytest.fixture
def torch_python(script_python: Callable[[str], Path]) -> Path:
    return script_python("torch")


def test_tensors_of_any_layout_are_copied_in_and_out(torch_python: Path, write: Write) -> None:
    def negate(peer: Peer, record: Record) -> dict[str, Any]:
        (x,) = record["args"]
        assert (x["dtype"], x["shape"]) == ("float32", [3, 2])
        values = struct.unpack("6f", data(x))
        seen.append(values)
        overwrite(x, struct.pack("6f", *(-value for value in values)))
        return fine(peer, record)

    seen: list[tuple[float, ...]] = []
    script = write(
        KERNEL
        + """
    base = torch.arange(6, dtype=torch.float32).reshape(2, 3)
    kernel[1](base.T)
    leaf = torch.arange(6, dtype=torch.float32).reshape(3, 2).requires_grad_()
    kernel[1](leaf)
    print(base.tolist(), leaf.tolist(), leaf.requires_grad)
    """
    )
    done = run_host(torch_python, script, answer=negate)
    assert done.status == 0, done.err
    assert seen == [(0, 3, 1, 4, 2, 5), (0, 1, 2, 3, 4, 5)]
    assert done.out == "[[-0.0, -1.0, -2.0], [-3.0, -4.0, -5.0]] [[-0.0, -1.0], [-2.0, -3.0], [-4.0, -5.0]] True\n"


@pytest.mark.parametrize(
    ("dtype", "size"), [("float16", 2), ("bfloat16", 2), ("int8", 1), ("uint8", 1), ("int16", 2), ("int64", 8)]
)
def test_element_types(torch_python: Path, write: Write, dtype: str, size: int) -> None:
    done = run_host(torch_python, write(KERNEL + f"    kernel[1](torch.ones(4, dtype=torch.{dtype}))\n"))
    (record,) = done.records
    assert (record["args"][0]["dtype"], record["args"][0]["nbytes"]) == (dtype, 4 * size), done.err


def test_a_tensor_that_is_not_in_host_memory_is_refused(torch_python: Path, write: Write) -> None:
    script = write(
        KERNEL
        + """
    for tensor in (torch.ones(2, device="meta"), torch.ones(2, dtype=torch.bool), torch.ones(2).to_sparse()):
        try: kernel[1](tensor)
        except TypeError as error: print(error)
    """
    )
    done = run_host(torch_python, script)
    assert done.status == 0, done.err
    assert len(done.out.splitlines()) == 3
    assert done.records == []


NPU = """
    import asc, threading
    import torch
    try:
        import torch_npu
    except ModuleNotFoundError:
        print("no torch_npu")
    x = torch.rand(4, device="npu") + torch.ones(4, dtype=torch.float32, device=torch.device("npu:0"))
    y = x.to("npu").npu().to(torch.float16).cpu()
    z = torch.zeros_like(x, device="npu")
    layer = torch.nn.Linear(2, 2, device="npu").npu().to("npu")
    print(x.device, y.device, z.device, layer.weight.device, torch.npu.is_available(), torch.npu.device_count())
    torch.npu.set_device(0); torch.npu.synchronize()
    print(torch.tensor([1, 2], device="npu").tolist(), "npu", torch.device("cpu"))
"""


@pytest.mark.parametrize("first", ["asc", "torch"])
def test_device_npu_is_the_cpu(torch_python: Path, write: Write, first: str) -> None:
    script = write(NPU if first == "asc" else NPU.replace("import asc, threading", "import torch, asc"))
    done = run_host(torch_python, script)
    assert done.out == "cpu cpu cpu cpu True 1\n[1, 2] npu cpu\n", done.err


def test_without_torch_there_is_no_torch_npu(write: Write, script_python: Callable[[str], Path]) -> None:
    script = write("""
        try:
            import torch_npu
        except ModuleNotFoundError as error:
            print(error.name)
    """)
    assert run_host(script_python("py312"), script).out == "torch\n"


def test_a_plain_module_named_torch_is_left_in_peace(write: Write, script_python: Callable[[str], Path]) -> None:
    write("VALUE = 1\n", "torch.py")
    script = write("import asc, torch; print(torch.VALUE, torch.npu.device_count())")
    assert run_host(script_python("py312"), script).out == "1 1\n"
