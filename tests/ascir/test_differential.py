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
    "kernel_set_deq_scale": "our structs hold the elements of an array field in place",
    "mrg_sort4_kernel": "our structs hold the elements of an array field in place",
    "mrg_sort_kernel": "our structs hold the elements of an array field in place",
    "kernel_shape_info": "our structs hold the elements of an array field in place",
    "kernel_set_shape_info": "our structs name every field, also those that have their default",
    "kernel_mmad": "our structs name every field, also those that have their default",
    "kernel_mmad_with_sparse": "our structs name every field, also those that have their default",
    "kernel_alloc_const": "a tile size known when compiling is an attribute",
    "kernel_data_copy_pad": "a literal 0 for a float field is written as an integer",
    "kernel_printf": "a pointer for %s is refused: the device prints text only",
}
# What share of the kernels of the real unit tests is equal or differs for a known reason.
EQUAL_SHARE = 0.9


def test_kernels_of_the_real_unit_tests(tmp_path: Path, script_python: FindPython, pyasc_source: Path) -> None:
    # beside the tests lies the package's source without its compiled part
    tests = shutil.copytree(pyasc_source / "python" / "test" / "unit", tmp_path / "unit")
    folders = [str(tests / "language"), str(tests / "codegen")]
    launches = _record(script_python("pyasc"), tmp_path / "out.jsonl", folders, tmp_path, plugin=True)
    different: dict[str, str] = {}
    compared = 0
    for launch in launches:
        try:
            import_text(launch["ir"])
        except UnknownForm:
            continue  # an op that the opset lists as not supported
        compared += 1
        try:
            difference = _difference(launch)
        except Exception as error:
            difference = repr(error)
        if difference and launch["kernel"] not in KNOWN:
            different[launch["kernel"]] = difference
    assert compared > 200
    assert len(different) <= (1 - EQUAL_SHARE) * compared, "\n".join(f"{k}: {v}" for k, v in different.items())
