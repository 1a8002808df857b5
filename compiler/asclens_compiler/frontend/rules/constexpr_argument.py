# SPDX-License-Identifier: Apache-2.0
"""ASC123: a run-time value where a compile-time value is needed."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC123",
    name="constexpr-needed",
    severity=Severity.ERROR,
    message="`{name}` needs a compile-time value, and this is {what}.",
    help=(
        "Use a literal, a module constant or a `ConstExpr` parameter; loop with `asc.static_range` for "
        "a compile-time index."
    ),
    message_zh="`{name}` 需要编译期值，而此处是{what}。",
    help_zh="请使用字面量、模块常量或 `ConstExpr` 参数；需要编译期下标时用 `asc.static_range` 循环。",
    source="pyasc 1.1.1 front end",
)


def report(name: str, what: str, span: Span) -> Diagnostic:
    """Make the diagnostic."""
    return RULE.report(span, name=name, what=what)
