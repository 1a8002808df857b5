# SPDX-License-Identifier: Apache-2.0
"""ASC126: arguments that do not fit the parameters."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC126",
    name="wrong-arguments",
    severity=Severity.ERROR,
    message="{fact}.",
    help="{advice}",
    message_zh="{fact}。",
    help_zh="{advice}",
    source="Python semantics",
)


def report_count(name: str, most: int, given: int, span: Span) -> Diagnostic:
    """Report too many positional arguments."""
    return RULE.report(span, fact=f"`{name}` takes {most} arguments, {given} are given", advice="Remove the surplus.")


def report_twice(name: str, parameter: str, span: Span) -> Diagnostic:
    """Report an argument given by position and by keyword."""
    return RULE.report(span, fact=f"`{name}` gets `{parameter}` twice", advice="Give it once.")


def report_keyword(name: str, keyword: str, known: Sequence[str], span: Span) -> Diagnostic:
    """Report an unknown keyword."""
    near = get_close_matches(keyword, known, n=1, cutoff=0.6)
    advice = f"Did you mean `{near[0]}`?" if near else f"It has {', '.join(f'`{item}`' for item in known)}."
    return RULE.report(span, fact=f"`{name}` has no parameter `{keyword}`", advice=advice)


def report_missing(name: str, missing: Sequence[str], span: Span) -> Diagnostic:
    """Report parameters without an argument."""
    listed = ", ".join(f"`{item}`" for item in missing)
    return RULE.report(span, fact=f"`{name}` is called without {listed}", advice="Give every argument.")
