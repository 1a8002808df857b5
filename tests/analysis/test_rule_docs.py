# SPDX-License-Identifier: Apache-2.0
"""The pages of rules are up to date, and `asclens explain` shows them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from asclens_compiler.cli.explain import rule_page
from asclens_compiler.diagnostics.rule import load_rules

ROOT = Path(__file__).resolve().parents[2]


def test_pages_are_up_to_date() -> None:
    script = ROOT / "scripts" / "generate_rule_docs.py"
    done = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"run python scripts/generate_rule_docs.py\n{done.stdout}{done.stderr}"


@pytest.mark.parametrize("code", ["ASC211", "ASC305", "ASC403", "ASC501"])
def test_explain_shows_what_and_source(code: str) -> None:
    rule = load_rules()[code]
    text = rule_page(rule)
    assert code in text
    assert rule.source in text
    assert rule_page(rule, chinese=True) != text
