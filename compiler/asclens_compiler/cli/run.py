# SPDX-License-Identifier: Apache-2.0
"""`asclens run`: run a script; its kernels run on the simulator."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from asclens_compiler.cli.files import read_source
from asclens_compiler.cli.launches import LaunchView, conclude
from asclens_compiler.cli.options import engine_options, given, python_option, quiet_option, report_option
from asclens_compiler.cli.session import Source, engine_session
from asclens_compiler.engine.run_script import ScriptRun, run_script
from asclens_compiler.errors import AscLensError

_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*asclens:[ \t]*run[ \t]+(.+?)[ \t]*$", re.M)
_SETTINGS = {"ignore_unknown_options": True, "allow_interspersed_args": False}


@click.command("run", context_settings=_SETTINGS, short_help="Run a script; its kernels run on a simulated NPU.")
@python_option
@report_option
@engine_options
@quiet_option
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
    options = given(engine)
    view = LaunchView(quiet)
    what = _command(module, words)
    outcome = run_script(ScriptRun(command=what, python=python, options=options), on_event=view.hear)
    if module is None and outcome.status == 0 and not outcome.engine_lost and not outcome.launches:
        outcome = replace(outcome, launches=_run_directives(what[0], options, view))
    return conclude(outcome, outcome.exit_status, report_file)


def _command(module: str | None, words: tuple[str, ...]) -> tuple[str, ...]:
    if module is not None:
        return ("-m", module, *words)
    if not words:
        raise click.UsageError("name a script, or a module with -m")
    if not Path(words[0]).exists():
        raise AscLensError(f"{words[0]}: there is no such script")
    return words


def _run_directives(script: str, options: dict[str, Any], view: LaunchView) -> tuple[dict[str, Any], ...]:
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
