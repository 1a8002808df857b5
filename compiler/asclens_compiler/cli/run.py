# SPDX-License-Identifier: Apache-2.0
"""`asclens run`: run a script; its kernels run on the simulator."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from asclens_compiler.cli.console import show_failure
from asclens_compiler.cli.exit_codes import Exit
from asclens_compiler.cli.files import read_source
from asclens_compiler.cli.launch_view import has_errors, show_launch, show_print
from asclens_compiler.cli.run_report import report, write_report
from asclens_compiler.cli.script import Script, ScriptEnd, choose_python, interpreter_version, run_script
from asclens_compiler.cli.session import Source, engine_session

_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*asclens:[ \t]*run[ \t]+(.+?)[ \t]*$", re.M)
_SETTINGS = {"ignore_unknown_options": True, "allow_interspersed_args": False}


@dataclass(slots=True)
class _Launches:
    """Collect the results of launches, and show them as they come."""

    quiet: bool
    results: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])

    def take(self, event: str, body: Mapping[str, Any]) -> None:
        """Handle one event of the engine."""
        if event == "launch.finished":
            self.add(body["result"])
        elif event == "print" and not self.quiet:
            show_print(body)

    def add(self, result: Mapping[str, Any]) -> None:
        """Keep a launch result and show it."""
        self.results.append(result)
        if not self.quiet or has_errors(result):
            show_launch(result)

    @property
    def failed(self) -> bool:
        """Tell whether a launch did something wrong."""
        return any(has_errors(result) for result in self.results)


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
@click.argument("script", type=click.Path(exists=True))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def command(
    python: str | None, report_file: str | None, quiet: bool, script: str, arguments: tuple[str, ...], **engine: Any
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
    interpreter = choose_python(python)
    version = interpreter_version(interpreter) if report_file else ""
    launches = _Launches(quiet)
    end = run_script(Script(path=script, arguments=arguments, python=interpreter), options, launches.take)
    if end.status == 0 and not end.engine_lost and not launches.results:
        _run_directives(script, options, launches)
    status = _status(end, launches)
    if report_file:
        content = report(
            status=status, interpreter=version, engine_version=end.engine_version, seed=options["seed"],
            launches=launches.results,
        )  # fmt: skip
        write_report(Path(report_file), content)
    return status


def _run_directives(script: str, options: dict[str, Any], launches: _Launches) -> None:
    if not script.endswith(".py"):
        return
    source = Source(file=script, text=read_source(Path(script)))
    directives: Sequence[str] = _DIRECTIVE.findall(source.text)
    if not directives:
        return
    with engine_session() as engine:
        for directive in directives:
            launches.add(engine.run_file(source, directive=directive, options=options))


def _status(end: ScriptEnd, launches: _Launches) -> int:
    if end.engine_lost:
        show_failure(
            f"internal error: {end.engine_lost}", "this is a defect of AscLens; please report it with the script"
        )
        return end.status or Exit.COULD_NOT_RUN
    return end.status or (Exit.VIOLATIONS if launches.failed else Exit.OK)
