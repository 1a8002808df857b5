# SPDX-License-Identifier: Apache-2.0
"""ASC101: a name that nothing defines."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from asclens_compiler.diagnostics.model import Applicability, Diagnostic, Edit, Fix, Related, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

# What to write for builtins that exist in Python but not in a kernel.
MISSING_BUILTINS = {
    "print": "Use `asc.printf`.",
    "min": "Use `a if a < b else b`; the vector function is `asc.min`.",
    "max": "Use `a if a > b else b`; the vector function is `asc.max`.",
    "abs": "Use `x if x > 0 else -x`; the vector function is `asc.abs`.",
    "sum": "Add in a loop; the vector function is `asc.reduce_sum`.",
    "bool": "Compare with 0.",
    "enumerate": "Use `for i in range(...)`.",
    "zip": "Use `for i in range(...)`.",
    "map": "Use `for i in range(...)`.",
    "round": "Use `asc.scalar_cast`.",
    "input": "Pass values as kernel parameters.",
}

RULE = Rule(
    code="ASC101",
    name="undefined-name",
    severity=Severity.ERROR,
    message="`{name}` is not defined{where}.",
    help="{hint}",
    message_zh="`{name}` 未定义{where}。",
    help_zh="{hint}",
    source="pyasc 1.1.1 front end: locals, module globals, and the builtins it lists",
)


def report(name: str, known: Iterable[str], span: Span) -> Diagnostic:
    """Make the diagnostic, with the nearest known names."""
    hint = MISSING_BUILTINS.get(name, "")
    fixes: tuple[Fix, ...] = ()
    where = " in a kernel" if hint else ""
    if not hint:
        near = get_close_matches(name, sorted(set(known)), n=3, cutoff=0.6)
        hint = f"Did you mean {' or '.join(f'`{item}`' for item in near)}?" if near else "Define or import it."
        if near:
            edit = Edit(span=span, new_text=near[0])
            fixes = (Fix(title=f"Replace by {near[0]}", applicability=Applicability.UNSAFE, edits=(edit,)),)
    return RULE.report(span, name=name, where=where, hint=hint, fixes=fixes)


def report_lost(name: str, block: Span, span: Span) -> Diagnostic:
    """Report a name that only a run-time block defines, used after it."""
    related = (Related(span=block, message=f"`{name}` exists only inside this block"),)
    hint = f"Give `{name}` a value before the block that starts at line {block.line}."
    return RULE.report(span, name=name, where=" after the run-time block that assigns it", hint=hint, related=related)
