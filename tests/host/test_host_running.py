# SPDX-License-Identifier: Apache-2.0
"""A script under the facade behaves as under plain Python."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from toy_engine import run_host

Write = Callable[..., Path]

FACTS = """
    import os, sys
    print(__name__, os.path.basename(__file__), sys.argv[1:], sys.path[0] == os.path.dirname(__file__))
    print(sys.modules["__main__"].__dict__ is globals(), __spec__, __doc__)
    def double(n): return 2 * n
    if __name__ == "__main__":
        import multiprocessing
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            print(pool.map(double, [1, 2]))
"""


def test_main_module_looks_the_same(bare_python: Path, write: Write) -> None:
    script = write(FACTS)
    plain = subprocess.run([bare_python, script, "a", "-b"], capture_output=True, text=True, check=False)
    done = run_host(bare_python, script, ["a", "-b"])
    assert done.out == plain.stdout
    assert done.status == plain.returncode == 0


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("raise SystemExit(7)", 7),
        ("import sys; sys.exit('no')", 1),
        ("import os; os._exit(9)", 9),
        ("", 0),
        ("1 +", 1),
        ("def f(): 1 / 0\nf()", 1),
        ("raise KeyboardInterrupt", -2),
    ],
)
def test_exit_and_traceback_are_python_s_own(write: Write, body: str, status: int) -> None:
    script = write(body)
    plain = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False, cwd=script.parent)
    done = run_host(sys.executable, script)
    assert done.status == plain.returncode == status
    if status != -2:
        assert done.err == plain.stderr


def test_a_module_runs_with_m(write: Write) -> None:
    write("import asc, sys; print(__name__, sys.argv[1:], asc.Scope.GLOBAL.name)", "package/tool.py")
    folder = write("", "package/__init__.py").parent.parent
    done = run_host(sys.executable, "-m", ["package.tool", "1"], folder=folder)
    assert (done.status, done.out) == (0, "__main__ ['1'] GLOBAL\n"), done.err


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    done = run_host(sys.executable, tmp_path / "nothing.py")
    assert done.status == 2
    assert "nothing.py" in done.err
