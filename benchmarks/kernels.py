# SPDX-License-Identifier: Apache-2.0
"""Kernels made for measuring: their text, and the program that our compiler makes of it."""

from __future__ import annotations

from typing import Any

from asclens_compiler.ascir.program import Program
from asclens_compiler.engine.pipeline import finish
from asclens_compiler.frontend.driver import DEFAULT_SOC, compile_launch

FILE = "measured.py"
_HEAD = """\
import asc


@asc.jit
def kernel(x: asc.GlobalAddress, y: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    y_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    y_gm.set_global_buffer(y)
    a = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 8192)
    b = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, 32768, 8192)
    asc.data_copy(a, x_gm, 8192)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.duplicate(b, 0.0, 8192)
"""
_TAIL = """\
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(y_gm, b, 8192)
"""
_LAUNCH = """

if __name__ == "__main__":
    import numpy as np

    data = np.ones(8192, np.float32)
    kernel[1](data, np.zeros_like(data))
"""


def looped(statement: str, times: int) -> str:
    """Return a kernel that executes one statement `times` times; `a` and `b` are float32 tensors of 8192."""
    return f"{_HEAD}    for i in range({times}):\n        {statement}\n{_TAIL}"


def straight(statement: str, lines: int) -> str:
    """Return a script whose kernel has `lines` equal statements, and which launches it."""
    return _HEAD + f"    {statement}\n" * lines + _TAIL + _LAUNCH


def compile_text(text: str) -> Program:
    """Return the program of such a kernel for float32 arrays of 8192 elements."""
    function: dict[str, Any] = {
        "file": FILE, "text": text, "qualname": "kernel", "module": "__main__", "id": 0, "closure": {},
        "line": text[: text.index("def kernel")].count("\n") + 1, "globals": {"asc": {"k": "module", "v": "asc"}},
    }  # fmt: skip
    array = {"k": "array", "dtype": "float32", "shape": [8192], "segment": "", "offset": 0, "nbytes": 32768}
    record: dict[str, Any] = {
        "kernel": {"surface": "ascendc", "function": function}, "core_num": 1, "options": {}, "soc": DEFAULT_SOC,
        "args": [{"name": "x", **array}, {"name": "y", **array}], "site": {"file": FILE, "line": 1, "frames": []},
    }  # fmt: skip
    compiled = finish(compile_launch(record, read_file=lambda _: text), soc=DEFAULT_SOC)
    if compiled.program is None:
        raise RuntimeError("; ".join(item.message for item in compiled.diagnostics))
    return compiled.program
