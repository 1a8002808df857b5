# SPDX-License-Identifier: Apache-2.0
"""The literate cases give exactly the findings that stand behind their lines; fixes take them away."""

from __future__ import annotations

from collections import Counter

import pytest
from analysis_cases import Case, applied, cases, check, places
from asclens_compiler.diagnostics.model import Applicability
from asclens_compiler.diagnostics.rule import load_rules

ALL = list(cases())
LEAST = 3
RULES_WITH_FIXES = 15


@pytest.mark.parametrize("case", ALL, ids=[case.name for case in ALL])
def test_case(case: Case) -> None:
    found = check(case.text)
    detail = "\n".join(f"{item.span.line}: {item.code} {item.message}" for item in found)
    assert places(found) == sorted(set(case.expected)), detail
    for item in found:
        assert item.message.endswith(".")
        assert "{" not in item.message + item.help


@pytest.mark.parametrize("code", sorted({case.code for case in ALL}))
def test_rule_has_cases_of_both_kinds(code: str) -> None:
    mine = [case for case in ALL if case.code == code]
    assert code in load_rules()
    assert sum(any(what == code for _, what in case.expected) for case in mine) >= LEAST
    assert sum(not case.expected for case in mine) >= LEAST


_FIXED = [case for case in ALL if case.expected]


@pytest.mark.parametrize("case", _FIXED, ids=[case.name for case in _FIXED])
def test_fixes_take_their_finding_away(case: Case) -> None:
    """Every fix, applied alone, removes its finding and adds none."""
    found = check(case.text)
    for item in found:
        for fix in item.fixes:
            if fix.applicability is Applicability.DISPLAY_ONLY:
                continue
            after = check(applied(case.text, fix))
            before_keys = Counter((entry.code, entry.message.split(" line ")[0]) for entry in found)
            added = Counter((entry.code, entry.message.split(" line ")[0]) for entry in after) - before_keys
            assert not added, f"{fix.title}\n{applied(case.text, fix)}\n{added}"
            assert len(after) < len(found), f"{fix.title}\n{applied(case.text, fix)}"


def test_enough_rules_have_fixes() -> None:
    with_fix = {item.code for case in _FIXED for item in check(case.text) if item.fixes}
    assert len(with_fix) >= RULES_WITH_FIXES, sorted(with_fix)
