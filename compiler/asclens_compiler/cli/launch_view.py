# SPDX-License-Identifier: Apache-2.0
"""Launch results as lines for people: where, how many cores, cycles per pipe, what went wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.text import Text

from asclens_compiler.cli.console import messages, show_diagnostics, show_path
from asclens_compiler.diagnostics.json import all_from_json
from asclens_compiler.diagnostics.model import Diagnostic, Severity


def show_print(event: Mapping[str, Any]) -> None:
    """Print one device printf line with its place: `file:line [core n] text`."""
    place = f"{show_path(str(event['file']))}:{event['line']}"
    text = Text.assemble((f"{place} ", "cyan"), (f"[core {event['core']}] ", "dim"), str(event["text"]).rstrip("\n"))
    messages().print(text)


def show_launch(launch: Mapping[str, Any]) -> None:
    """Print one launch: a line of facts, a line of cycles, and its findings with excerpts."""
    console = messages()
    console.print(headline(launch))
    if launch.get("pipes"):
        console.print(cycles_line(launch))
    show_diagnostics(console, _findings(launch))


def headline(launch: Mapping[str, Any]) -> Text:
    """Return `kernel (file:line) on n cores of CHIP: verdict`."""
    cores = int(launch.get("cores") or 0)
    verdict, style = _verdict(launch)
    return Text.assemble(
        (str(launch.get("kernel") or "kernel"), "bold"),
        f" ({show_path(str(launch.get('file') or ''))}:{launch.get('line') or 0})",
        f" on {cores} core{'' if cores == 1 else 's'}",
        f" of {launch['soc']}: " if launch.get("soc") else ": ",
        (verdict, style),
        f": {str(launch['error']).splitlines()[0]}" if launch.get("error") else "",
    )


def cycles_line(launch: Mapping[str, Any]) -> Text:
    """Return the cycles of a launch and how busy each pipe was, busiest first."""
    total = int(launch.get("cycles") or 0)
    pipes = sorted(launch["pipes"].items(), key=lambda item: (-item[1], item[0]))
    shares = [
        f"{name} {int(busy)} ({busy / total:.0%})" if total else f"{name} {int(busy)}" for name, busy in pipes if busy
    ]
    return Text(f"  {total} cycles; busy: {', '.join(shares) or 'none'}", style="dim")


def _findings(launch: Mapping[str, Any]) -> list[Diagnostic]:
    """Return what to show: a line on which the run itself found something needs no second opinion."""
    violations = all_from_json(launch.get("violations", ()))
    lines = {(item.span.file, item.span.line) for item in violations}
    compiled = all_from_json(launch.get("diagnostics", ()))
    return [*(item for item in compiled if (item.span.file, item.span.line) not in lines), *violations]


def _verdict(launch: Mapping[str, Any]) -> tuple[str, str]:
    if not launch.get("ok", True):
        return "did not finish", "bold red"
    violations = launch.get("violations", ())
    errors = sum(item["severity"] == Severity.ERROR.value for item in violations)
    if errors:
        return f"{errors} violation{'' if errors == 1 else 's'}", "bold red"
    return "ok", "bold green"
