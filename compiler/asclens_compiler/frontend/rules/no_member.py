# SPDX-License-Identifier: Apache-2.0
"""ASC102: an attribute that does not exist."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from asclens_compiler.diagnostics.model import Applicability, Diagnostic, Edit, Fix, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC102",
    name="no-such-member",
    severity=Severity.ERROR,
    message="{owner} has no member {name!r}.",
    help="{hint}",
    message_zh="{owner} 没有成员 {name!r}。",
    help_zh="{hint}",
    source="pyasc 1.1.1 public API",
)


def report(owner: str, name: str, candidates: Iterable[str], span: Span, name_span: Span | None = None) -> Diagnostic:
    """Make the diagnostic, with the nearest candidates and a fix when one stands out.

    `name_span` is the range of the name alone (for the fix).
    """
    known = sorted(set(candidates))
    near = get_close_matches(name, known, n=3, cutoff=0.6)
    hint = f"Did you mean {' or '.join(repr(item) for item in near)}?" if near else ""
    if not hint and known:
        hint = f"It has {', '.join(known[:12])}{' ...' if len(known) > 12 else ''}."
    fixes: tuple[Fix, ...] = ()
    if near and name_span is not None:
        edit = Edit(span=name_span, new_text=near[0])
        fixes = (Fix(title=f"Replace by {near[0]}", applicability=Applicability.UNSAFE, edits=(edit,)),)
    return RULE.report(span, owner=owner[:1].upper() + owner[1:], name=name, hint=hint, fixes=fixes)
