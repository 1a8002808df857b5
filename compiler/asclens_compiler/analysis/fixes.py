# SPDX-License-Identifier: Apache-2.0
"""Changes that take findings away: what all of them share."""

from __future__ import annotations

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.verifier.findings import Finding
from asclens_compiler.ascir.program import Op
from asclens_compiler.diagnostics.model import Applicability, Edit, Fix

Fixes = tuple[Fix, ...]


def value_of(item: Finding, name: str) -> object:
    """Return a value that a finding carries."""
    return dict(item.values).get(name)


def one(title: str, applicability: Applicability, *edits: Edit | None) -> Fixes:
    """Return a fix when all its edits could be made."""
    made = tuple(edit for edit in edits if edit is not None)
    if len(made) < len(edits) or not made:
        return ()
    return (Fix(title=title, applicability=applicability, edits=made),)


def ops_of(context: AnalysisContext) -> list[Op]:
    """Return the ops of a kernel."""
    return [node for node in context.program.walk() if isinstance(node, Op)]


def fix_remove(item: Finding, context: AnalysisContext) -> Fixes:
    """Take the call away, unless it is the first of the two itself, in another trip."""
    if item.others and item.others[0][0] is item.op:
        return ()
    return one("Remove this call", Applicability.SAFE, context.statements.remove(item.op.span))
