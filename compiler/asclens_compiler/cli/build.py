# SPDX-License-Identifier: Apache-2.0
"""`asclens build`: show what the compiler makes of a file's kernels."""

from __future__ import annotations

from pathlib import Path

import click

from asclens_compiler.cli.console import messages, show_diagnostics
from asclens_compiler.cli.exit_codes import Exit
from asclens_compiler.cli.files import read_source
from asclens_compiler.cli.options import soc_option
from asclens_compiler.cli.session import Source, engine_session
from asclens_compiler.diagnostics.json import all_from_json
from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.errors import AscLensError

_STAGES = ("ast", "ascir", "ascir-opt")


@click.command("build", short_help="Show what the compiler makes of a file's kernels.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--emit", type=click.Choice(_STAGES), default="ascir-opt", show_default=True, help="Stage to show.")
@click.option("--kernel", metavar="NAME", help="Only this kernel.")
@click.option(
    "--locations", is_flag=True, help="Keep the Python ranges in AscIR; the text then parses to the same module."
)
@click.option("-o", "--output", "target", type=click.Path(dir_okay=False), help="Write to a file instead of stdout.")
@soc_option
def command(file: str, emit: str, kernel: str | None, locations: bool, target: str | None, soc: str) -> int:
    """Compile the kernels of FILE up to one stage and print the text.

    \b
    ast        the Python syntax tree
    ascir      AscIR as the frontend made it
    ascir-opt  AscIR after all passes: what the simulator runs

    \b
    Exit status: 0 compiled, 1 errors in a kernel, 2 could not run.
    """
    source = Source(file=file, text=read_source(Path(file)))
    with engine_session() as engine:
        answer = engine.build(source, emit=emit, kernel=kernel, soc=soc)
    findings = all_from_json(answer.get("diagnostics", ()))
    show_diagnostics(messages(), findings)
    text = str(answer["text"]) if locations or emit == "ast" else without_locations(str(answer["text"]))
    if target is None:
        click.echo(text, nl=not text.endswith("\n"))
    else:
        _write(Path(target), text)
    return Exit.FINDINGS if any(item.severity is Severity.ERROR for item in findings) else Exit.OK


def without_locations(text: str) -> str:
    """Return MLIR text without `loc(...)` and the lines that define locations."""
    lines = [line for line in text.split("\n") if not line.startswith("#loc")]
    return "\n".join(_cut_locations(line) if " loc(" in line else line for line in lines)


def _cut_locations(line: str) -> str:
    kept: list[str] = []
    at = 0
    while (start := line.find(" loc(", at)) >= 0:
        kept.append(line[at:start])
        depth, at = 1, start + len(" loc(")
        while depth and at < len(line):
            depth += {"(": 1, ")": -1}.get(line[at], 0)
            at += 1
    return "".join(kept) + line[at:]


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text if text.endswith("\n") else text + "\n", encoding="utf-8")
    except OSError as error:
        raise AscLensError(f"cannot write {path}: {error.strerror or error}") from error
