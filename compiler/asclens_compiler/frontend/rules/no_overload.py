# SPDX-License-Identifier: Apache-2.0
"""ASC127: a call whose arguments fit no overload."""

from __future__ import annotations

from collections.abc import Sequence

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC127",
    name="no-matching-overload",
    severity=Severity.ERROR,
    message="`{name}` cannot be called like this: {reason}.",
    help="{forms}",
    message_zh="`{name}` 不能这样调用：{reason}。",
    help_zh="{forms}",
    source="pyasc 1.1.1 overload dispatch",
)


def report(name: str, reason: str, forms: Sequence[str], span: Span) -> Diagnostic:
    """Make the diagnostic; `forms` are the accepted signatures."""
    listed = " or ".join(f"`{form}`" for form in forms[:4])
    return RULE.report(span, name=name, reason=reason, forms=f"It takes {listed}." if forms else "")
