# SPDX-License-Identifier: Apache-2.0
"""`asclens doctor`: what stands between this machine and running kernels on an NPU."""

from __future__ import annotations

import click

from asclens_compiler.cli.exit_codes import Exit
from asclens_compiler.doctor.model import System
from asclens_compiler.doctor.render import as_json, as_text, faults
from asclens_compiler.doctor.run import examine


@click.command("doctor")
@click.option("--json", "json_output", is_flag=True, help="Print the findings as JSON.")
@click.option("--python", default="python3", show_default=True, help="Interpreter that runs your scripts.")
def command(json_output: bool, python: str) -> int:
    """Look at NPU, driver, CANN toolkit, environment and Python, and say how to mend each fault.

    \b
    Exit status: 0 ready for the NPU, 1 faults found. The simulator needs none of this.
    """
    report = examine(System(python=python))
    click.echo(as_json(report) if json_output else as_text(report))
    return Exit.FINDINGS if faults(report) else Exit.OK
