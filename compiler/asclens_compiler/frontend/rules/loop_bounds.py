# SPDX-License-Identifier: Apache-2.0
"""ASC021: loop bounds that do not work."""

from __future__ import annotations

from collections.abc import Sequence

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC021",
    name="loop-bounds",
    severity=Severity.ERROR,
    message="{fact}.",
    help="{advice}",
    message_zh="{fact}。",
    help_zh="{advice}",
    source="pyasc 1.1.1 front end",
)


def report_float(what: str, span: Span) -> Diagnostic:
    """Report a float bound, which the toolchain cuts to an integer silently."""
    return RULE.report(
        span,
        fact=f"A loop bound is an integer, not {what}",
        advice="Round it explicitly, with `//` or `.cast(asc.int32)`.",
    )


def report_type(what: str, span: Span) -> Diagnostic:
    """Report a bound that is no number."""
    return RULE.report(span, fact=f"A loop bound is an integer, not {what}", advice="Use an integer.")


def report_zero(span: Span) -> Diagnostic:
    """Report step 0, an endless loop on the device."""
    return RULE.report(span, fact="The step of a loop is 0, so it never ends", advice="Use a step other than 0.")


def report_mixed(dtypes: Sequence[str], span: Span) -> Diagnostic:
    """Report bounds of different types."""
    return RULE.report(
        span,
        fact=f"Start, stop and step of a loop have one type, here {' and '.join(dtypes)}",
        advice="Cast them alike, literals with `asc.number(0, asc.int64)`.",
    )


def report_static(span: Span) -> Diagnostic:
    """Report a run-time bound of `static_range`."""
    return RULE.report(
        span,
        fact="`asc.static_range` is unrolled while compiling and needs compile-time bounds, not run-time ones",
        advice="Use `range`, or make the bound a `ConstExpr` parameter.",
    )
