# SPDX-License-Identifier: Apache-2.0
"""The literate cases give exactly the findings that stand behind their lines."""

from __future__ import annotations

import pkgutil
from importlib import import_module

import pytest
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.frontend import rules
from frontend_cases import Case, analyse, cases

ALL = list(cases())


@pytest.mark.parametrize("case", ALL, ids=[case.name for case in ALL])
def test_case(case: Case) -> None:
    analysis = analyse(case.text)
    got = sorted({(item.span.line, item.code) for item in analysis.diagnostics})
    detail = "\n".join(f"{item.span.line}: {item.code} {item.message}" for item in analysis.diagnostics)
    assert got == sorted(set(case.expected)), detail
    for kernel in analysis.kernels:
        if kernel.ok and kernel.unit is not None:
            assert kernel.unit.verify() == []
            assert kernel.program() is not None


def test_messages_are_sentences() -> None:
    for case in ALL:
        for item in analyse(case.text).diagnostics:
            assert item.message.endswith("."), item.message
            first = item.message[0]
            assert first in "`'-" or first.isupper() or first.isdigit() or item.message.startswith("pyasc "), (
                item.message
            )
            assert "{" not in item.message + item.help, item.message


def test_every_frontend_rule_has_a_case() -> None:
    shown = {code for case in ALL for _, code in case.expected}
    elsewhere = {"ASC001", "ASC004", "ASC022"}  # test_bad_input.py
    own = {
        rule.code
        for info in pkgutil.iter_modules(rules.__path__)
        if not info.name.startswith("stage")
        and isinstance(rule := import_module(f"{rules.__name__}.{info.name}").RULE, Rule)
    }
    assert own - shown - elsewhere == set()
