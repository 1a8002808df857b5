# SPDX-License-Identifier: Apache-2.0
"""ASC022: unrolled code beyond what can be compiled."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC022",
    name="too-much-unrolling",
    severity=Severity.ERROR,
    message="{fact}.",
    help="Use `range`, which stays a loop on the device.",
    message_zh="{fact}。",
    help_zh="请使用 `range`，它在设备上保持为循环。",
    source="AscLens limit",
)


def report(trips: int, limit: int, span: Span) -> Diagnostic:
    """Report one loop of too many trips."""
    return RULE.report(span, fact=f"`asc.static_range` would be unrolled {trips} times, the limit is {limit}")


def report_total(limit: int, span: Span) -> Diagnostic:
    """Report a kernel that becomes too long."""
    return RULE.report(span, fact=f"Unrolled and inlined, the kernel has more than {limit} statements, the limit")
