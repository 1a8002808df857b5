# SPDX-License-Identifier: Apache-2.0
"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

DEFAULT_SOC = "Ascend910B1"
F = TypeVar("F", bound=Callable[..., Any])

soc_option = click.option(
    "--soc",
    default=DEFAULT_SOC,
    show_default=True,
    metavar="CHIP",
    help="Chip to check for: Ascend910B1 to B4, Ascend910_93...",
)

python_option = click.option(
    "--python", metavar="PY", help="Interpreter for the script [default: the active environment's, else ours]."
)
report_option = click.option(
    "--report", "report_file", type=click.Path(dir_okay=False), metavar="FILE", help="Write a JSON report."
)
quiet_option = click.option("-q", "--quiet", is_flag=True, help="Show violations only.")

_ENGINE_OPTIONS = (
    click.option(
        "--checks",
        type=click.Choice(["none", "fast", "all"]),
        default="all",
        show_default=True,
        help="Run-time checks.",
    ),
    click.option(
        "--soc", metavar="CHIP", help=f"Chip to simulate, unless the script chooses one [default: {DEFAULT_SOC}]."
    ),
    click.option(
        "--schedule",
        type=click.Choice(["program", "adversarial"]),
        default="program",
        show_default=True,
        help="Order of the pipes; adversarial delays copies as long as the flags allow.",
    ),
    click.option("--seed", type=int, default=0, show_default=True, help="Seed of the adversarial schedule."),
    click.option(
        "--on-violation",
        type=click.Choice(["report", "stop"]),
        default="report",
        show_default=True,
        help="Report and go on, or end the launch at the first violation.",
    ),
)


def engine_options(command: F) -> F:
    """Add the options of the simulator; they arrive as keywords named as the engine names them."""
    for option in reversed(_ENGINE_OPTIONS):
        command = option(command)
    return command


def given(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options that have a value."""
    return {name: value for name, value in options.items() if value is not None}
