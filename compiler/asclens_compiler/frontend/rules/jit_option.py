# SPDX-License-Identifier: Apache-2.0
"""ASC131: an option that `asc.jit` does not have, or a parameter named like one."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC131",
    name="jit-option",
    severity=Severity.ERROR,
    message="{fact}.",
    help="{advice}",
    message_zh="{fact}。",
    help_zh="{advice}",
    source="pyasc 1.1.1 CodegenOptions, CompileOptions, LaunchOptions",
)


def report(name: str, known: Sequence[str], span: Span) -> Diagnostic:
    """Report an unknown option."""
    near = get_close_matches(name, known, n=1, cutoff=0.6)
    advice = f"Did you mean `{near[0]}`?" if near else f"It has {', '.join(known)}."
    return RULE.report(span, fact=f"`asc.jit` has no option `{name}`", advice=advice)


def report_parameter(name: str, span: Span) -> Diagnostic:
    """Report a parameter named like an option."""
    return RULE.report(
        span, fact=f"The parameter `{name}` has the name of a jit or launch option", advice="Rename the parameter."
    )
