# SPDX-License-Identifier: Apache-2.0
"""Quick fixes: the changes that the rules offer for their findings."""

from __future__ import annotations

from dataclasses import dataclass

from asclens_compiler.diagnostics.model import Applicability, Diagnostic, Fix
from asclens_compiler.source.span import Span

from asclens_server.features.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class QuickFix:
    """One offer: the finding it removes and the change."""

    diagnostic: Diagnostic
    fix: Fix
    preferred: bool


def quick_fixes(snapshot: Snapshot, wanted: Span) -> list[QuickFix]:
    """Return the fixes of every finding that touches the wanted range; display-only ones are left out."""
    offers: list[QuickFix] = []
    for diagnostic in snapshot.diagnostics:
        if not _touches(diagnostic.span, wanted):
            continue
        usable = [fix for fix in diagnostic.fixes if fix.applicability is not Applicability.DISPLAY_ONLY]
        offers += [
            QuickFix(diagnostic, fix, number == 0 and fix.applicability is Applicability.SAFE)
            for number, fix in enumerate(usable)
        ]
    return offers


def _touches(one: Span, other: Span) -> bool:
    return (one.line, one.column) <= (other.end_line, other.end_column) and (other.line, other.column) <= (
        one.end_line,
        one.end_column,
    )
