# SPDX-License-Identifier: Apache-2.0
"""Every op row names a meaning that exists, and every meaning is used."""

from __future__ import annotations

from asclens_compiler.backends.simulator.semantics.api import semantics
from asclens_compiler.opset.registry import opset


def test_every_row_resolves():
    known = semantics()
    missing = {
        op.name: op.semantics
        for op in opset().ops.values()
        if op.semantics and not op.semantics.startswith("machine.") and op.semantics not in known
    }
    assert missing == {}


def test_no_meaning_is_unused():
    used = {op.semantics for op in opset().ops.values()}
    assert set(semantics()) <= used


def test_every_meaning_says_what_it_does():
    for entry in semantics().values():
        if entry.run is not None:
            assert entry.run.__doc__, entry.name
