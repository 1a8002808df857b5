# SPDX-License-Identifier: Apache-2.0
"""What `run` and `test` do with the launches of a user's program: show them, report them, judge them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from asclens_compiler.cli.console import show_failure
from asclens_compiler.cli.exit_codes import Exit
from asclens_compiler.cli.launch_view import show_launch, show_print
from asclens_compiler.cli.run_report import write_report
from asclens_compiler.engine.run_script import ScriptOutcome, has_errors


@dataclass(frozen=True, slots=True)
class LaunchView:
    """Show what happens while it happens; `quiet` leaves out what went right."""

    quiet: bool

    def hear(self, event: str, body: Mapping[str, Any]) -> None:
        """Handle one event of the engine."""
        if event == "launch.finished":
            self.launch(body["result"])
        elif event == "print" and not self.quiet:
            show_print(body)

    def launch(self, result: Mapping[str, Any]) -> None:
        """Show a launch result."""
        if not self.quiet or has_errors(result):
            show_launch(result)


def conclude(outcome: ScriptOutcome, status: int, report_file: str | None) -> int:
    """Write the report where one is wanted, and return the exit status."""
    if outcome.engine_lost:
        show_failure(
            f"internal error: {outcome.engine_lost}", "this is a defect of AscLens; please report it with the script"
        )
        status = outcome.status or Exit.COULD_NOT_RUN
    if report_file:
        write_report(Path(report_file), outcome.report() | {"exit": status})
    return status
