# SPDX-License-Identifier: Apache-2.0
"""Our frontend and the real one give the same ops in the same order for the same launch.

The real package runs in an environment of its own. With `ASCLENS_PYASC_SOURCES` naming a checkout of
hicann/pyasc, its tutorials and the kernels of its unit tests are compared too.
"""

from __future__ import annotations

import difflib
import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from asclens_compiler.ascir.importer import import_text
from asclens_compiler.ascir.real_text import UnknownForm
from asclens_compiler.frontend.driver import compile_launch
from normal_form import lines

HERE = Path(__file__).parent
OWN = ["tests/ascir/kernels/calls_and_flow.py", "samples/ascendc/vector_add.py", "samples/ascendc/vector_add_queue.py"]
TUTORIALS = ["01_add/add.py", "02_add_framework/add_framework.py"]

FindPython = Callable[[str], Path]


def _record(python: Path, out: Path, arguments: list[str], folder: Path, plugin: bool = False) -> list[dict]:
    """Run a script (or pytest) under the real package; return what the recorder wrote."""
    head = ["-m", "pytest", "-q", "-p", "record_real"] if plugin else [str(HERE / "record_real.py"), str(out)]
    environment = os.environ | {"RECORD_OUT": str(out), "PYTHONPATH": str(HERE), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [str(python), *head, *arguments], cwd=folder, env=environment, capture_output=True, text=True, timeout=300,
        check=False,
    )  # fmt: skip
    assert out.exists(), done.stdout[-2000:] + done.stderr[-2000:]
    assert plugin or done.returncode == 0, done.stderr[-2000:]
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


def _difference(launch: dict) -> str:
    """Return what differs between the two frontends for one launch, empty when nothing does."""
    real = lines(import_text(launch["ir"]).decode(launch["kernel"])[0])
    result = compile_launch(launch["record"], read_file=lambda path: Path(path).read_text(encoding="utf-8"))
    if not result.ok or result.unit is None:
        return "refused: " + "; ".join(item.message for item in result.diagnostics)
    assert result.unit.verify() == []
    ours = lines(result.unit.decode(launch["kernel"])[0])
    return "\n".join(list(difflib.unified_diff(real, ours, "real", "ours", lineterm=""))[:30])


@pytest.mark.parametrize("script", OWN)
def test_own_kernels(script: str, root: Path, tmp_path: Path, script_python: FindPython) -> None:
    launches = _record(script_python("pyasc"), tmp_path / "out.jsonl", [str(root / script)], tmp_path)
    assert launches
    for launch in launches:
        if launch["kernel"] != "while_flow":
            assert _difference(launch) == "", launch["kernel"]


def test_only_the_condition_of_while_differs(root: Path, tmp_path: Path, script_python: FindPython) -> None:
    """The real frontend tests the value from before the loop again and again; we compile what is meant."""
    launches = _record(script_python("pyasc"), tmp_path / "out.jsonl", [str(root / OWN[0])], tmp_path)
    (launch,) = [item for item in launches if item["kernel"] == "while_flow"]
    changed = [line for line in _difference(launch).splitlines() if line[:1] in "+-" and line[:3] not in ("---", "+++")]
    assert changed == ["-do cmpisgt(subi(p0, 1), 10) c1.0", "+do cmpisgt(c1.0, 10) c1.0"]


@pytest.fixture
def pyasc_source() -> Path:
    """Return the checkout of the real package's sources, or skip."""
    named = os.environ.get("ASCLENS_PYASC_SOURCES")
    if not named:
        pytest.skip("ASCLENS_PYASC_SOURCES names no checkout of hicann/pyasc")
    return Path(named)


@pytest.mark.parametrize("tutorial", TUTORIALS)
def test_tutorials(tutorial: str, tmp_path: Path, script_python: FindPython, pyasc_source: Path) -> None:
    script = pyasc_source / "python" / "tutorials" / tutorial
    launches = _record(script_python("pyasc"), tmp_path / "out.jsonl", [str(script), "-r", "Model"], tmp_path)
    assert [_difference(launch) for launch in launches] == [""]


# Kernels of the real unit tests that may differ, with the reason; everything else must be equal.
KNOWN = {
    "kernel_mmad": "the real package drops the sizes of `MmadParams(4, 4, 4)`; we keep them",
    "kernel_nd_2_nz_params_full": "the eighth argument lands in a parameter that users must not give; we refuse it",
}
# What the importer does not read: part of its message, and why.
NOT_READ = {
    "regist_matmul_obj": "the Matmul object is not implemented",
    "load_image_to_local": "the image load is not implemented",
    "hccl_context": "communication between devices is not implemented",
    "ends inside a block": "the real package refuses this IR itself and prints it in generic form",
}


def test_kernels_of_the_real_unit_tests(tmp_path: Path, script_python: FindPython, pyasc_source: Path) -> None:
    # beside the tests lies the package's source without its compiled part
    tests = shutil.copytree(pyasc_source / "python" / "test" / "unit", tmp_path / "unit")
    folders = [str(tests / "language"), str(tests / "codegen")]
    launches = _record(script_python("pyasc"), tmp_path / "out.jsonl", folders, tmp_path, plugin=True)
    different: dict[str, str] = {}
    unread: list[str] = []
    compared = 0
    for launch in launches:
        try:
            import_text(launch["ir"])
        except UnknownForm as error:
            unread.append(f"{launch['kernel']}: {error}")
            continue
        compared += 1
        try:
            difference = _difference(launch)
        except Exception as error:
            difference = repr(error)
        if difference and launch["kernel"] not in KNOWN:
            different[launch["kernel"]] = difference
    assert compared > 250
    assert different == {}
    assert [item for item in unread if not any(part in item for part in NOT_READ)] == []
