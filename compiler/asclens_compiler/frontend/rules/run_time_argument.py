# SPDX-License-Identifier: Apache-2.0
"""ASC124: a compile-time object passed to a run-time parameter."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC124",
    name="argument-needs-constexpr",
    severity=Severity.ERROR,
    message="`{name}` is a run-time parameter and cannot take {what}.",
    help="Annotate the parameter with `asc.ConstExpr`.",
    message_zh="`{name}` 是运行期参数，不能接受{what}。",
    help_zh="请将该参数标注为 `asc.ConstExpr`。",
    source="pyasc 1.1.1 front end",
)


def report(name: str, what: str, span: Span) -> Diagnostic:
    """Make the diagnostic."""
    return RULE.report(span, name=name, what=what)
