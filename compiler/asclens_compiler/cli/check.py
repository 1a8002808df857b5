# SPDX-License-Identifier: Apache-2.0
"""`asclens check`: find mistakes in kernels without running anything."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from asclens_compiler.cli.console import messages, output, remember_source, show_diagnostics, show_failure
from asclens_compiler.cli.exit_codes import Exit
from asclens_compiler.cli.files import STDIN, find_files, read_source, read_stdin
from asclens_compiler.cli.options import soc_option
from asclens_compiler.cli.session import EngineSession, Source, engine_session
from asclens_compiler.diagnostics.json import all_to_json
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.render_text import summary
from asclens_compiler.errors import AscLensError, InternalError

_STDIN_NAME = "<stdin>"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outcome:
    findings: tuple[Diagnostic, ...] = ()
    failure: AscLensError | InternalError | None = None


@click.command("check", short_help="Find mistakes in kernels without running anything.")
@click.argument("paths", nargs=-1, required=True)
@click.option(
    "--format", "style", type=click.Choice(["text", "json"]), default="text", help="For people, or a JSON array."
)
@soc_option
def command(paths: Sequence[str], style: str, soc: str) -> int:
    """Check the kernels in PATHS: files, folders, globs, or - for standard input.

    Nothing of the files is executed. Findings go to stdout, failures to stderr.

    \b
    Exit status: 0 nothing of severity error (advice and warnings may be shown),
                 1 errors found,
                 2 could not run, or a file could not be read.
    """
    files = find_files(paths)
    outcomes: list[_Outcome] = []
    with engine_session() as engine, messages().status("") as status:
        for number, file in enumerate(files, 1):
            status.update(f"checking {number}/{len(files)}: {file}")
            outcomes.append(_check(engine, file, soc))
    findings = sorted(_findings(outcomes), key=lambda item: (files_order(files, item), item.span, item.code))
    if style == "json":
        click.echo(json.dumps(all_to_json(findings), ensure_ascii=False, indent=2))
    else:
        console = output()
        show_diagnostics(console, findings)
        console.print(summary(findings, sum(outcome.failure is None for outcome in outcomes)))
    return _status(outcomes, findings)


def files_order(files: Sequence[str], item: Diagnostic) -> int:
    """Return the position of a finding's file among the arguments."""
    name = item.span.file
    return files.index(name) if name in files else len(files)


def _check(engine: EngineSession, file: str, soc: str) -> _Outcome:
    try:
        source = _source(file)
        return _Outcome(findings=engine.check(source, soc=soc))
    except AscLensError as error:
        show_failure(error.message, error.help)
        return _Outcome(failure=error)
    except InternalError as error:
        show_failure(f"{file}: internal error: {error}", "this is a defect of AscLens; please report it with the file")
        return _Outcome(failure=error)


def _source(file: str) -> Source:
    if file != STDIN:
        return Source(file=file, text=read_source(Path(file)))
    text = read_stdin()
    remember_source(_STDIN_NAME, text)
    return Source(file=_STDIN_NAME, text=text)


def _findings(outcomes: Sequence[_Outcome]) -> Iterator[Diagnostic]:
    for outcome in outcomes:
        yield from outcome.findings


def _status(outcomes: Sequence[_Outcome], findings: Sequence[Diagnostic]) -> Exit:
    if any(outcome.failure for outcome in outcomes):
        return Exit.COULD_NOT_RUN
    return Exit.FINDINGS if any(item.severity is Severity.ERROR for item in findings) else Exit.OK
