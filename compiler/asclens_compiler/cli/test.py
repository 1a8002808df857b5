# SPDX-License-Identifier: Apache-2.0
"""`asclens test`: run a project's own pytest; its kernels run on the simulator."""

from __future__ import annotations

from typing import Any

import click

from asclens_compiler.cli.launches import LaunchView, conclude
from asclens_compiler.cli.options import engine_options, given, python_option, report_option
from asclens_compiler.engine.run_script import run_script
from asclens_compiler.engine.run_tests import pytest_run

_SETTINGS = {"ignore_unknown_options": True, "allow_interspersed_args": False}


@click.command("test", context_settings=_SETTINGS, short_help="Run your pytest; kernels run on a simulated NPU.")
@python_option
@report_option
@engine_options
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[PYTEST ARGUMENTS]...")
def command(python: str | None, report_file: str | None, arguments: tuple[str, ...], **engine: Any) -> int:
    """Run the pytest of your own environment with `import asc` answered by the simulator's front.

    Nothing is installed there. What kernels did wrong is listed in pytest's summary and changes no
    test's outcome; give --asc-violations=fail to let it fail the test.

    \b
    Exit status: pytest's own (0 passed, 1 failed, 5 no tests ...), 2 could not run.
    """
    run = pytest_run(arguments, python=python, options=given(engine))
    outcome = run_script(run, on_event=LaunchView(quiet=True).hear if report_file else None)
    return conclude(outcome, outcome.status, report_file)
