# SPDX-License-Identifier: Apache-2.0
"""Our Ascend C text and the real package's are the same program for the same IR.

The real package prints its IR after its passes and the text that it makes of it; ours is made from
the imported IR. Needs the environment of real pyasc and, for its tests, `ASCLENS_PYASC_SOURCES`.
"""

from __future__ import annotations

import difflib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from asclens_compiler.ascir.importer import import_text
from asclens_compiler.ascir.real_text import UnknownForm
from asclens_compiler.backends.ascendc.emitter import emit
from cpp_normal import statements

HERE = Path(__file__).parent
RECORDER = HERE.parent / "ascir"
FindPython = Callable[[str], Path]

# Kernels of the real unit tests whose text differs, with the reason.
KNOWN = {
    "kernel_set_l2_cache_hint": "the real package writes the wrong member of CacheMode",
    "kernel_init_buf_pool": "the unused result of InitBufPool",
    "kernel_aipp_single_src": "the parts of AippParams are variables of their own; defaults are left out",
    "kernel_aipp_dual_src": "the parts of AippParams are variables of their own; defaults are left out",
    "kernel_mmad": "the real package drops the sizes of MmadParams",
    "kernel_tensor_desc_set_shape_addr": "brackets of a cast",
}


def _record(python: Path, out: Path, arguments: list[str], folder: Path, plugin: bool) -> list[dict]:
    head = ["-m", "pytest", "-q", "-p", "record_real"] if plugin else [str(RECORDER / "record_real.py"), str(out)]
    environment = os.environ | {
        "RECORD_OUT": str(out), "RECORD_TEXT": "1", "PYTHONPATH": str(RECORDER), "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip
    done = subprocess.run(
        [str(python), *head, *arguments], cwd=folder, env=environment, capture_output=True, text=True, timeout=300,
        check=False,
    )  # fmt: skip
    assert out.exists(), done.stdout[-2000:] + done.stderr[-2000:]
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


def _difference(launch: dict) -> str:
    program = import_text(launch["lowered"]).decode()[0]
    ours = statements(emit(replace(program, names={}), line_directives=False).text)
    real = statements(launch["ascendc"])
    return "\n".join(list(difflib.unified_diff(real, ours, "real", "ours", lineterm=""))[:30])


def test_own_kernels(root: Path, tmp_path: Path, script_python: FindPython) -> None:
    script = root / "tests" / "ascir" / "kernels" / "calls_and_flow.py"
    launches = _record(script_python("pyasc"), tmp_path / "out.jsonl", [str(script)], tmp_path, False)
    assert launches
    for launch in launches:
        if launch["kernel"] != "while_flow":  # the real condition reads the value from before the loop
            assert _difference(launch) == "", launch["kernel"]


def test_kernels_of_the_real_unit_tests(tmp_path: Path, script_python: FindPython) -> None:
    named = os.environ.get("ASCLENS_PYASC_SOURCES")
    if not named:
        pytest.skip("ASCLENS_PYASC_SOURCES names no checkout of hicann/pyasc")
    tests = shutil.copytree(Path(named) / "python" / "test" / "unit", tmp_path / "unit")
    folders = [str(tests / "language"), str(tests / "codegen")]
    launches = _record(script_python("pyasc"), tmp_path / "out.jsonl", folders, tmp_path, True)
    compared = 0
    different: dict[str, str] = {}
    for launch in launches:
        if not launch.get("ascendc"):
            continue
        try:
            difference = _difference(launch)
        except UnknownForm:
            continue  # an op that the opset lists as not supported
        compared += 1
        if difference and launch["kernel"] not in KNOWN:
            different[launch["kernel"]] = difference
    assert compared > 200, sys.version
    assert different == {}
