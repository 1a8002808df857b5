# SPDX-License-Identifier: Apache-2.0
"""`--asc-backend=simulator` in a project's own pytest."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from asclens_compiler.engine.host_path import host_path
from asclens_compiler.engine.run_script import run_script
from asclens_compiler.engine.run_tests import pytest_run

Write = Callable[..., Path]

TESTS = """
    import array
    import asc
    from conftest import SCOPE
    @asc.jit
    def fill(y: asc.GlobalAddress, n: int):
        y_gm = asc.GlobalTensor()
        y_gm.set_global_buffer(y, n)
        local = asc.LocalTensor(y.dtype, asc.TPosition.VECOUT, 0, 64)
        asc.duplicate(local, 2.0, 64)
        asc.set_flag(asc.HardEvent.V_MTE3, 0)
        asc.wait_flag(asc.HardEvent.V_MTE3, 0)
        asc.data_copy(y_gm, local, 64)
    def test_right():
        y = array.array("f", [0] * 64)
        fill[1](y, 64)
        assert set(y) == {2.0}
    def test_leaves_the_array():
        fill[1](array.array("f", [0] * 32), 32)
    def test_fails():
        assert SCOPE == "LOCAL"
"""


@pytest.fixture
def project(write: Write) -> Path:
    write("import asc\nSCOPE = asc.Scope.GLOBAL.name\n", "conftest.py")
    write("raise SystemExit('the wrong asc')", "asc/__init__.py")
    return write(TESTS, "test_kernels.py")


def test_conftest_and_tests_get_the_facade(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    outcome = run_script(pytest_run([str(project), "-p", "no:cacheprovider"], python=sys.executable))
    out = capfd.readouterr().out
    assert outcome.status == 1
    assert "2 passed" in out
    assert "1 failed" in out
    assert "test_kernels.py:13: error[ASC901]" in out
    assert "::test_leaves_the_array" in out
    assert len(outcome.launches) == 2


def test_violations_fail_their_test_when_asked(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    arguments = [str(project), "-p", "no:cacheprovider", "--asc-violations=fail"]
    run_script(pytest_run(arguments, python=sys.executable))
    out = capfd.readouterr().out
    assert "1 passed" in out
    failed = [line for line in out.splitlines() if line.startswith("FAILED")]
    assert any("test_leaves_the_array" in line for line in failed), out


def test_the_plugin_starts_an_engine_where_asclens_is_installed(project: Path) -> None:
    beside = (host_path() / "asclens_host").resolve().parent
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "asclens_host.pytest_plugin", "--asc-backend=simulator", str(project),
         "-p", "no:cacheprovider", "-k", "right"],
        capture_output=True, text=True, env={"PYTHONPATH": str(beside)}, cwd=project.parent, check=False,
    )  # fmt: skip
    assert "1 passed" in done.stdout, done.stdout + done.stderr


def test_without_the_option_nothing_changes(write: Write) -> None:
    beside = (host_path() / "asclens_host").resolve().parent
    test = write("def test_asc():\n    import asc\n    assert asc.MINE\n", "test_own.py")
    write("MINE = True", "asc.py")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "asclens_host.pytest_plugin", "-p", "no:cacheprovider", str(test)],
        capture_output=True, text=True, env={"PYTHONPATH": str(beside)}, cwd=test.parent, check=False,
    )  # fmt: skip
    assert "1 passed" in done.stdout, done.stdout + done.stderr
