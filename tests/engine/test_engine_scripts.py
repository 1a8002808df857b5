# SPDX-License-Identifier: Apache-2.0
"""Users' scripts with their kernels on the simulator, in their own interpreters."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from asclens_compiler.engine.run_script import ScriptOutcome, ScriptRun, run_script
from asclens_compiler.engine.run_tests import pytest_run
from asclens_compiler.errors import AscLensError
from processes import children_of, wait_until_gone

Write = Callable[..., Path]

STANDIN = Path(__file__).parent / "standin"
KERNEL = """
    import array, os, sys
    import asc
    import asc.lib.runtime as rt
    @asc.jit
    def vadd(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
        x_gm, y_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
        offset = asc.get_block_idx() * n
        x_gm.set_global_buffer(x + offset, n)
        y_gm.set_global_buffer(y + offset, n)
        z_gm.set_global_buffer(z + offset, n)
        x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 64)
        y_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 256, 64)
        z_local = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, 512, 64)
        asc.data_copy(x_local, x_gm, n)
        asc.data_copy(y_local, y_gm, n)
        asc.set_flag(asc.HardEvent.MTE2_V, 0)
        asc.wait_flag(asc.HardEvent.MTE2_V, 0)
        asc.add(z_local, x_local, y_local, n)
        asc.set_flag(asc.HardEvent.V_MTE3, 0)
        asc.wait_flag(asc.HardEvent.V_MTE3, 0)
        asc.data_copy(z_gm, z_local, n)
        asc.printf("added %d", n)
    x, y, z = (array.array("f", [value] * 128) for value in (1, 2, 0))
    vadd[2, rt.current_stream()](x, y, z, 64)
    print(set(z), [name for name in sys.modules if name.split(".")[0] in ("mlir", "numpy")])
"""


def run(python: Path | str, script: Path, *args: str, **more: Any) -> ScriptOutcome:
    return run_script(ScriptRun(command=[str(script), *args], python=str(python), **more))


@pytest.mark.parametrize("version", ["py39", "py310", "py312", "py313", "pyasc"])
def test_a_kernel_runs_in_the_script_s_own_python(
    script_python: Callable[[str], Path], write: Write, capfd: pytest.CaptureFixture[str], version: str
) -> None:
    write("raise SystemExit('the wrong asc')", "asc/__init__.py")
    outcome = run(script_python(version), write(KERNEL))
    assert capfd.readouterr().out == "{3.0} []\n"
    assert outcome.exit_status == 0
    (launch,) = outcome.launches
    assert (launch["kernel"], launch["cores"], launch["line"], launch["ok"]) == ("vadd", 2, 6, True)
    assert [(line["core"], line["text"], line["line"]) for line in launch["prints"]] == [
        (0, "added 64", 23), (1, "added 64", 23),
    ]  # fmt: skip
    assert launch["cycles"] > 0
    assert launch["arguments"][0] == "x=float32[128]"


def test_the_report_has_the_documented_keys(write: Write) -> None:
    report = run(sys.executable, write(KERNEL), options={"seed": 5}).report()
    assert set(report) == {"exit", "interpreter", "engine", "seed", "launches"}
    assert (report["exit"], report["interpreter"], report["seed"]) == (0, sys.executable, 5)
    documented = {
        "kernel", "file", "line", "backend", "soc", "cores", "cycles", "pipes", "prints", "violations",
        "specialisation", "arguments", "steps", "wall_ms",
    }  # fmt: skip
    assert documented <= set(report["launches"][0])


def test_a_kernel_that_does_not_compile_is_an_exception_with_its_line(
    write: Write, capfd: pytest.CaptureFixture[str]
) -> None:
    script = write(KERNEL.replace("asc.add(z_local", "asc.addd(z_local"))
    outcome = run(sys.executable, script)
    err = capfd.readouterr().err
    assert outcome.exit_status == 1
    assert "CodegenError" in err
    assert f"{script}:19:" in err
    assert "asc.addd" in err
    (launch,) = outcome.launches
    assert (launch["ok"], launch["compiled"]) == (False, False)
    assert launch["diagnostics"][0]["range"]["start"]["line"] == 19


def test_a_violation_changes_the_exit_status_of_a_script_that_succeeds(write: Write) -> None:
    script = write(KERNEL.replace("asc.wait_flag(asc.HardEvent.V_MTE3, 0)", "pass"))
    outcome = run(sys.executable, script)
    assert (outcome.status, outcome.exit_status) == (0, 3)
    assert outcome.launches[0]["violations"]


@pytest.mark.parametrize(
    ("tail", "status"),
    [("sys.exit(5)", 5), ("os._exit(0)", 0), ("os.kill(os.getpid(), 15)", 143), ("1 / 0", 1)],
)
def test_the_exit_status_is_the_script_s(write: Write, tail: str, status: int) -> None:
    assert run(sys.executable, write(f"import asc, os, sys\n{tail}")).exit_status == status


def test_a_python_that_does_not_exist_is_reported(write: Write) -> None:
    with pytest.raises(AscLensError, match="no such Python"):
        run("python-that-is-not-there", write(""))


ENDLESS = """
    import array, asc
    @asc.jit
    def endless(x: asc.GlobalAddress, n: int):
        for i in range(2000000000):
            asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    try: endless[1](array.array("f", [1]), 1)
    except RuntimeError as error: print("caught:", error)
"""


def test_an_engine_killed_during_a_launch_is_an_exception_in_the_script(
    write: Write, capfd: pytest.CaptureFixture[str]
) -> None:
    engines: list[int] = []

    def kill(event: str, body: dict[str, Any]) -> None:
        if event == "launch.started":
            engines.extend(pid for pid in children_of(os.getpid()) if _is_engine(pid))
            for pid in engines:
                os.kill(pid, signal.SIGKILL)

    outcome = run_script(ScriptRun(command=[str(write(ENDLESS))], python=sys.executable), on_event=kill)
    assert len(engines) == 1
    assert "caught: the simulator's engine has ended" in capfd.readouterr().out
    assert "signal 9" in outcome.engine_lost
    assert children_of(os.getpid()) == []


def test_a_script_that_dies_leaves_no_process(write: Write) -> None:
    def kill(event: str, body: dict[str, Any]) -> None:
        if event == "launch.started":
            for pid in children_of(os.getpid()):
                if _is_engine(pid):
                    engines.append(pid)
                else:
                    scripts.append(pid)
                    os.kill(pid, signal.SIGKILL)

    engines: list[int] = []
    scripts: list[int] = []
    outcome = run_script(ScriptRun(command=[str(write(ENDLESS))], python=sys.executable), on_event=kill)
    assert outcome.exit_status == 128 + signal.SIGKILL
    assert not [name for name in os.listdir("/dev/shm") if name.startswith(f"asclens-{scripts[0]}-")]
    for pid in engines:
        wait_until_gone(pid)


def _is_engine(pid: int) -> bool:
    return b"asclens_compiler.engine" in Path(f"/proc/{pid}/cmdline").read_bytes()


@pytest.mark.parametrize("name", ["01_add/add.py", "02_add_framework/add_framework.py"])
@pytest.mark.parametrize("torch", ["standin", "torch"])
def test_tutorials_of_pyasc_run_unmodified(
    pyasc_sources: Path, script_python: Callable[[str], Path], name: str, torch: str
) -> None:
    script = pyasc_sources / "python" / "tutorials" / name
    python = script_python("py312" if torch == "standin" else "torch")
    environment = {**os.environ, "PYTHONPATH": str(STANDIN) if torch == "standin" else ""}
    outcome = run(python, script, "-r", "Model", environment=environment)
    assert outcome.exit_status == 0
    (launch,) = outcome.launches
    assert launch["cores"] == 8
    assert launch["violations"] == []


def test_kernel_tests_of_pyasc_pass_unmodified(pyasc_sources: Path, script_python: Callable[[str], Path]) -> None:
    test = pyasc_sources / "python" / "test" / "kernels" / "test_vadd.py"
    outcome = run_script(pytest_run([str(test), "-q", "-p", "no:cacheprovider"], python=str(script_python("pyasc"))))
    assert outcome.exit_status == 0
    assert [launch["violations"] for launch in outcome.launches] == [[]]


@pytest.mark.parametrize("torch", ["standin", "torch"])
def test_generalization_tests_of_pyasc_pass_and_are_reported(
    pyasc_sources: Path, script_python: Callable[[str], Path], capfd: pytest.CaptureFixture[str], torch: str
) -> None:
    test = pyasc_sources / "python" / "test" / "generalization" / "basic" / "test_vadd.py"
    python = script_python("pyasc" if torch == "standin" else "torch")
    environment = {**os.environ, "PYTHONPATH": str(STANDIN) if torch == "standin" else ""}
    prepared = pytest_run([str(test), "-q", "-p", "no:cacheprovider"], python=str(python))
    outcome = run_script(ScriptRun(command=prepared.command, python=prepared.python, environment=environment))
    out = capfd.readouterr().out
    assert outcome.status == 0, out
    assert "7 passed" in out
    leaving = [launch for launch in outcome.launches if launch["violations"]]
    assert len(leaving) == 5  # the sizes that are no multiple of the tile
    assert "violations in kernels" in out
