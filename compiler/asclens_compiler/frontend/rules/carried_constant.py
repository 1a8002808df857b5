# SPDX-License-Identifier: Apache-2.0
"""ASC121: a compile-time value changed under run-time control."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC121",
    name="constant-changes-in-block",
    severity=Severity.ERROR,
    message="`{name}` is a compile-time value: a run-time block cannot change it from {before} to {after}.",
    help="Decide with a compile-time condition (`ConstExpr`), or use a number.",
    message_zh="`{name}` 是编译期值：运行期代码块不能将其从 {before} 改为 {after}。",
    help_zh="请用编译期条件（`ConstExpr`）决定，或使用数值。",
    source="pyasc 1.1.1 front end",
)


def report(name: str, before: str, after: str, span: Span) -> Diagnostic:
    """Make the diagnostic."""
    return RULE.report(span, name=name, before=before, after=after)
