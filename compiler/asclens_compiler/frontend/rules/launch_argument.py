# SPDX-License-Identifier: Apache-2.0
"""ASC134: a launch argument that does not fit."""

from __future__ import annotations

from collections.abc import Sequence

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC134",
    name="launch-argument",
    severity=Severity.ERROR,
    message="{fact}.",
    help="{advice}",
    message_zh="{fact}。",
    help_zh="{advice}",
    source="pyasc 1.1.1 launcher; probes c18, c19, c21",
)


def report_type(parameter: str, what: str, span: Span) -> Diagnostic:
    """Report an object that cannot be passed at run time."""
    return RULE.report(
        span,
        fact=f"`{parameter}` is launched with {what}, which no kernel takes at run time",
        advice="Pass an array, a number or a struct, or annotate the parameter with `asc.ConstExpr`.",
    )


def report_missing(kernel: str, missing: Sequence[str], span: Span) -> Diagnostic:
    """Report parameters without an argument."""
    listed = ", ".join(f"`{item}`" for item in missing)
    return RULE.report(span, fact=f"`{kernel}` is launched without {listed}", advice="Give every argument.")


def report_count(kernel: str, most: int, given: int, span: Span) -> Diagnostic:
    """Report too many arguments."""
    return RULE.report(span, fact=f"`{kernel}` takes {most} arguments, {given} are given", advice="Remove the surplus.")


def report_keyword(kernel: str, name: str, span: Span) -> Diagnostic:
    """Report a keyword that is neither a parameter nor an option."""
    return RULE.report(span, fact=f"`{kernel}` has no parameter or option `{name}`", advice="Remove it.")


def report_wraps(parameter: str, value: int, span: Span) -> Diagnostic:
    """Report an int that does not fit int32, as which it is passed."""
    wrapped = (value + 2**31) % 2**32 - 2**31
    return RULE.report(
        span,
        fact=f"`{parameter}` is launched with {value}, and an int is passed as int32: it would become {wrapped}",
        advice=f"Pass `numpy.int64({value})`.",
    )
