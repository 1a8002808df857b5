# SPDX-License-Identifier: Apache-2.0
"""Facts for hover: calls and named values at their places."""

from __future__ import annotations

from asclens_compiler.frontend.facts import CallFact, ValueFact
from frontend_cases import analyse

TEXT = """import asc
import numpy as np

TILE = 64


@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    tile = TILE * 2
    t = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 256, tile)
    g = asc.GlobalTensor()
    g.set_global_buffer(x, 1024)
    asc.data_copy(t, g[n:], tile)
    for i in range(n):
        asc.adds(t, t, 1.0, tile)


kernel[1](np.zeros(1024, np.float32), 3)
"""


def test_values() -> None:
    facts = {
        (item.name, item.span.line): item for item in analyse(TEXT, facts=True).facts if isinstance(item, ValueFact)
    }
    assert facts["x", 8].shape == (1024,)
    assert facts["x", 8].bytes == 4096
    assert facts["tile", 9].constant == "128"
    tensor = facts["t", 10]
    assert (tensor.dtype, tensor.shape, tensor.bytes) == ("float32", (128,), 512)
    assert (tensor.memory, tensor.position, tensor.address) == ("UB", "VECIN", 256)
    assert facts["i", 14].dtype == "int32"


def test_calls() -> None:
    calls = [item for item in analyse(TEXT, facts=True).facts if isinstance(item, CallFact)]
    adds = next(item for item in calls if item.api == "asc.adds")
    assert (adds.op, adds.pipe, adds.cpp, adds.span.line) == ("adds_l2", "V", "Adds", 15)
    assert adds.summary
    assert adds.overload.startswith("adds(dst: LocalTensor")
    assert any(item.api == "asc.data_copy" and item.op == "data_copy_l2" for item in calls)


def test_no_facts_unless_asked() -> None:
    assert analyse(TEXT).facts == ()
