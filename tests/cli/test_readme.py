# SPDX-License-Identifier: Apache-2.0
"""What the README shows of a terminal is what the program prints."""

from __future__ import annotations

import re
import shlex

import pytest
from program import ROOT, asclens

README = (ROOT / "README.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"```console\n\$ asclens ([^\n]+)\n(.+?)```", README, re.S)
# Cycles are a model's and may move.
CYCLES = re.compile(r"^( +)\d+ cycles; .*$", re.M)


def normal(text: str) -> str:
    return CYCLES.sub(r"\1n cycles", text).strip()


def test_the_readme_shows_both_ways_to_find_a_defect() -> None:
    assert [command.split()[0] for command, _ in SHOWN] == ["run", "check"]


@pytest.mark.parametrize(("command", "shown"), SHOWN, ids=[command for command, _ in SHOWN])
def test_shown_output_is_current(command: str, shown: str) -> None:
    done = asclens(*shlex.split(command))
    assert normal(done.err + done.out) == normal(shown)
