# SPDX-License-Identifier: Apache-2.0
"""ASC803: a name that both branches define first."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC803",
    name="defined-in-branches",
    severity=Severity.WARNING,
    message=(
        "Both branches define `{name}`; pyasc 1.1.1 forgets names that a run-time `if` defines first, AscLens keeps it."
    ),
    help="Give `{name}` a value before the `if`.",
    message_zh="两个分支都定义了 `{name}`；pyasc 1.1.1 会丢弃运行期 `if` 中首次定义的名字，AscLens 予以保留。",
    help_zh="请在 `if` 之前给 `{name}` 赋值。",
    source="pyasc 1.1.1 visit_If; probe y13",
)


def report(name: str, span: Span) -> Diagnostic:
    """Make the diagnostic."""
    return RULE.report(span, name=name)
