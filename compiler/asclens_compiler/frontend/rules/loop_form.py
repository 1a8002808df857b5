# SPDX-License-Identifier: Apache-2.0
"""ASC020: a loop over something that is no range."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC020",
    name="loop-over",
    severity=Severity.ERROR,
    message="{fact}.",
    help=(
        "Use `for i in range(...)` on the device, or `for i in asc.static_range(len(values))` with `values[i]` "
        "while compiling."
    ),
    message_zh="{fact}。",
    help_zh=(
        "设备循环请用 `for i in range(...)`，编译期展开请用 `for i in asc.static_range(len(values))` 加 `values[i]`。"
    ),
    source="pyasc 1.1.1 front end",
)


def report(what: str, span: Span) -> Diagnostic:
    """Report an iterable that is no range."""
    return RULE.report(span, fact=f"A kernel loops over `range`, `asc.range` or `asc.static_range`, not over {what}")


def report_target(span: Span) -> Diagnostic:
    """Report a loop target that is no name."""
    return RULE.report(span, fact="The target of a loop is one plain name")
