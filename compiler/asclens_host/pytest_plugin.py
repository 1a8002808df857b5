# SPDX-License-Identifier: Apache-2.0
"""pytest plugin: `--asc-backend=simulator` runs the kernels of tests on the simulator.

Violations are listed in the summary; with `--asc-violations=fail` they fail their test.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import threading
from collections.abc import Generator
from typing import Any

from asclens_host import finder, link

_PROPERTY = "asclens violations"
_ENGINE = "asclens_compiler.engine"


def pytest_addoption(parser: Any) -> None:
    """Add the options."""
    group = parser.getgroup("asclens", "kernels for Ascend NPUs")
    group.addoption(
        "--asc-backend", choices=["simulator"], default=None, help="run pyasc kernels on the AscLens simulator"
    )
    group.addoption(
        "--asc-violations",
        choices=["report", "fail"],
        default="report",
        help="list what kernels did wrong (default), or fail the test too",
    )


def pytest_load_initial_conftests(early_config: Any) -> None:
    """Take the place of `asc` before any conftest imports it."""
    if early_config.known_args_namespace.asc_backend is None:
        return
    try:
        finder.install()
    except finder.FacadeError as error:
        raise _usage_error(str(error)) from None
    if not os.environ.get(link.VARIABLE):
        early_config.add_cleanup(_Engine().stop)
    recorder = _recorder(fail=early_config.known_args_namespace.asc_violations == "fail")
    early_config.pluginmanager.register(recorder, "asclens launches")


class _Engine:
    """An engine of this test run, where `asclens` is installed beside pytest."""

    def __init__(self) -> None:
        if importlib.util.find_spec("asclens_compiler") is None:
            raise _usage_error(
                "--asc-backend=simulator: asclens is not installed in this environment; "
                "run the tests with `asclens test ARGS`"
            )
        self._process = subprocess.Popen(
            [sys.executable, "-m", _ENGINE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=sys.prefix
        )
        answer = self._ask({"id": 1, "method": "listen"})
        os.environ[link.VARIABLE] = f"{answer['port']}:{answer['token']}"
        threading.Thread(target=self._drain, daemon=True).start()

    def stop(self) -> None:
        os.environ.pop(link.VARIABLE, None)
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    def _ask(self, message: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise _usage_error("--asc-backend=simulator: the engine did not start")
        return json.loads(line)["result"]

    def _drain(self) -> None:
        assert self._process.stdout is not None
        while self._process.stdout.read(1 << 16):
            pass


class _Launches:
    """What the kernels of each test did wrong."""

    def __init__(self) -> None:
        self.of_test: list[dict[str, Any]] = []
        self._of_run: dict[str, list[tuple[str, str]]] = {}  # by place: message, test
        link.observers.append(self._observe)

    def _observe(self, launch: Any, result: dict[str, Any]) -> None:
        self.of_test += result.get("violations") or ()

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Remember the violations of a report; also those of other processes."""
        if report.when != "call":
            return
        for name, line in report.user_properties:
            if name == _PROPERTY:
                place, message = line
                self._of_run.setdefault(place, []).append((message, report.nodeid))

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """List the violations by place."""
        if not self._of_run:
            return
        terminalreporter.section("asclens: violations in kernels")
        for place, found in sorted(self._of_run.items()):
            message, test = found[0]
            tests = len({name for _, name in found})
            more = f" and {tests - 1} more tests" if tests > 1 else ""
            terminalreporter.write_line(f"{place} {message}\n    in {test}{more}")


def _recorder(*, fail: bool) -> _Launches:
    import pytest

    class Recorder(_Launches):
        """Collects the violations of each test, and fails it when asked to."""

        @pytest.hookimpl(hookwrapper=True)
        def pytest_runtest_call(self, item: Any) -> Generator[None, Any, None]:
            self.of_test = []
            outcome: Any = yield
            found = {describe(entry): entry["severity"] for entry in self.of_test}
            item.user_properties += [(_PROPERTY, list(line)) for line in sorted(found)]
            if fail and "error" in found.values() and outcome.excinfo is None:
                lines = "\n".join(f"{place} {message}" for place, message in sorted(found))
                outcome.force_exception(pytest.fail.Exception(lines, pytrace=False))

    return Recorder()


def _usage_error(message: str) -> Exception:
    import pytest

    return pytest.UsageError(message)


def describe(found: dict[str, Any]) -> tuple[str, str]:
    """Return a finding as `file:line: severity[code]` and its message."""
    start = found["range"]["start"]
    return f"{found['file']}:{start['line']}: {found['severity']}[{found['code']}]", str(found["message"])
