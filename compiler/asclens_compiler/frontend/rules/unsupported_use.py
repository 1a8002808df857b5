# SPDX-License-Identifier: Apache-2.0
"""ASC103: a value is used in a way that its type does not have."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC103",
    name="unsupported-use",
    severity=Severity.ERROR,
    message="{fact}.",
    help="{advice}",
    message_zh="{fact}。",
    help_zh="{advice}",
    source="pyasc 1.1.1 front end",
)


def report(fact: str, advice: str, span: Span) -> Diagnostic:
    """Make the diagnostic; `fact` is a clause without full stop."""
    return RULE.report(span, fact=fact[:1].upper() + fact[1:], advice=advice)
