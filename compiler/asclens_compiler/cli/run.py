# SPDX-License-Identifier: Apache-2.0
"""`asclens run`: run a script; its kernels run on the simulator."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from asclens_compiler.cli.console import show_failure
from asclens_compiler.cli.exit_codes import Exit
from asclens_compiler.cli.files import read_source
from asclens_compiler.cli.launch_view import show_launch, show_print
from asclens_compiler.cli.run_report import write_report
from asclens_compiler.cli.session import Source, engine_session
from asclens_compiler.engine.run_script import ScriptOutcome, ScriptRun, has_errors, run_script
from asclens_compiler.errors import AscLensError

_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*asclens:[ \t]*run[ \t]+(.+?)[ \t]*$", re.M)
_SETTINGS = {"ignore_unknown_options": True, "allow_interspersed_args": False}


@dataclass(frozen=True, slots=True)
class _View:
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


@click.command("run", context_settings=_SETTINGS, short_help="Run a script; its kernels run on a simulated NPU.")
@click.option(
    "--python", metavar="PY", help="Interpreter for the script [default: the active environment's, else ours]."
)
@click.option("--report", "report_file", type=click.Path(dir_okay=False), metavar="FILE", help="Write a JSON report.")
@click.option(
    "--checks", type=click.Choice(["none", "fast", "all"]), default="all", show_default=True, help="Run-time checks."
)
@click.option("--soc", metavar="CHIP", help="Chip to simulate, unless the script chooses one [default: Ascend910B1].")
@click.option("--schedule", type=click.Choice(["program", "adversarial"]), default="program", show_default=True,
              help="Order of the pipes; adversarial delays copies as long as the flags allow.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the adversarial schedule.")
@click.option("--on-violation", type=click.Choice(["report", "stop"]), default="report", show_default=True,
              help="Report and go on, or end the launch at the first violation.")  # fmt: skip
@click.option("-q", "--quiet", is_flag=True, help="Show violations only.")
@click.option("-m", "module", metavar="MODULE", help="Run a module, as `python -m` does, instead of SCRIPT.")
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="SCRIPT [ARGUMENTS]...")
def command(
    python: str | None, report_file: str | None, quiet: bool, module: str | None, words: tuple[str, ...], **engine: Any
) -> int:
    """Run SCRIPT with its ARGUMENTS, unmodified, in its own Python; no NPU is needed.

    `import asc` finds the simulator's front, also where the real pyasc is installed. The script's
    output is untouched; printf lines of kernels, cycles and violations go to stderr. A file that launches nothing
    is run by its `# asclens: run KERNEL(...) name=value ...` comments.

    Options for asclens come before SCRIPT, all that follows belongs to the script.

    \b
    Exit status: the script's own where it is not 0; else
                 0 all launches were right,
                 3 a kernel did not compile, did not finish, or did something wrong,
                 2 could not run (usage, file, environment).
    """
    options = {name: value for name, value in engine.items() if value is not None}
    view = _View(quiet)
    what = _command(module, words)
    outcome = run_script(ScriptRun(command=what, python=python, options=options), on_event=view.hear)
    if module is None and outcome.status == 0 and not outcome.engine_lost and not outcome.launches:
        outcome = replace(outcome, launches=_run_directives(what[0], options, view))
    status = _status(outcome)
    if report_file:
        write_report(Path(report_file), outcome.report() | {"exit": status})
    return status


def _command(module: str | None, words: tuple[str, ...]) -> tuple[str, ...]:
    if module is not None:
        return ("-m", module, *words)
    if not words:
        raise click.UsageError("name a script, or a module with -m")
    if not Path(words[0]).exists():
        raise AscLensError(f"{words[0]}: there is no such script")
    return words


def _run_directives(script: str, options: dict[str, Any], view: _View) -> tuple[dict[str, Any], ...]:
    if not script.endswith(".py"):
        return ()
    source = Source(file=script, text=read_source(Path(script)))
    directives: Sequence[str] = _DIRECTIVE.findall(source.text)
    if not directives:
        return ()
    results: list[dict[str, Any]] = []
    with engine_session() as engine:
        for directive in directives:
            results.append(engine.run_file(source, directive=directive, options=options))
            view.launch(results[-1])
    return tuple(results)


def _status(outcome: ScriptOutcome) -> int:
    if not outcome.engine_lost:
        return outcome.exit_status
    show_failure(
        f"internal error: {outcome.engine_lost}", "this is a defect of AscLens; please report it with the script"
    )
    return outcome.status or Exit.COULD_NOT_RUN
