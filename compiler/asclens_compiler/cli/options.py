# SPDX-License-Identifier: Apache-2.0
"""Options that several commands share."""

from __future__ import annotations

import click

DEFAULT_SOC = "Ascend910B1"

soc_option = click.option(
    "--soc",
    default=DEFAULT_SOC,
    show_default=True,
    metavar="CHIP",
    help="Chip to check and simulate: Ascend910B1 to B4, Ascend910_93...",
)
