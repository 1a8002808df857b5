# SPDX-License-Identifier: Apache-2.0
"""Loads of whole fractals from L1: rows that a copy to NZ leaves unwritten are padding, an empty tensor is not."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import sys
import asc
import asc.lib.runtime as rt
import numpy as np
@asc.jit
def loads(x: asc.GlobalAddress, rows: asc.ConstExpr[int]):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    in_l1 = asc.LocalTensor(asc.float16, asc.TPosition.A1, 0, 32 * 16)
    in_l0 = asc.LocalTensor(asc.float16, asc.TPosition.A2, 0, 32 * 16)
    if rows > 0:
        asc.data_copy(in_l1, x_gm, asc.Nd2NzParams(1, rows, 16, 0, 16, 32, 1, 0))
    asc.set_flag(asc.HardEvent.MTE2_MTE1, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE1, 0)
    asc.load_data(in_l0, in_l1, asc.LoadData2DParams(repeat_times=2, src_stride=1))
loads[1, rt.current_stream()](np.ones((32, 16), np.float16), int(sys.argv[1]))
"""


@pytest.mark.parametrize(("rows", "errors"), [(32, []), (17, []), (1, ["ASC903"]), (0, ["ASC903"])])
def test_rows_of_a_fractal(rows: int, errors: list[str], tmp_path: Path) -> None:
    script, report = tmp_path / "script.py", tmp_path / "report.json"
    script.write_text(SCRIPT, encoding="utf-8")
    command = [sys.executable, "-m", "asclens_compiler.cli", "run", "--report", str(report), str(script), str(rows)]
    subprocess.run(command, capture_output=True, check=False, timeout=120, cwd=tmp_path)
    (launch,) = json.loads(report.read_text(encoding="utf-8"))["launches"]
    assert [item["code"] for item in launch["violations"] if item["severity"] == "error"] == errors
