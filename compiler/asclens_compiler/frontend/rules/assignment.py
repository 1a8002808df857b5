# SPDX-License-Identifier: Apache-2.0
"""ASC015: an assignment in a form that kernels do not have."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC015",
    name="assignment-form",
    severity=Severity.ERROR,
    message="{fact}.",
    help="{advice}",
    message_zh="{fact}。",
    help_zh="{advice}",
    source="pyasc 1.1.1 front end",
)


def report_chain(span: Span) -> Diagnostic:
    """Report `a = b = value`."""
    return RULE.report(span, fact="An assignment in a kernel has one target", advice="Write one assignment per name.")


def report_target(span: Span) -> Diagnostic:
    """Report a nested or starred target."""
    return RULE.report(
        span, fact="The target of an assignment is a name or a plain tuple of names", advice="Unpack in several steps."
    )


def report_unpack(names: int, what: str, span: Span) -> Diagnostic:
    """Report a number of names that does not match the value."""
    return RULE.report(
        span, fact=f"{names} names cannot be bound to {what}", advice="Give as many names as there are values."
    )


def report_attribute(text: str, operator: str, span: Span) -> Diagnostic:
    """Report `x.attr op= value`."""
    return RULE.report(
        span,
        fact=f"`{operator}=` cannot change an attribute in a kernel",
        advice=f"Write `{text} = {text} {operator} ...`.",
    )
