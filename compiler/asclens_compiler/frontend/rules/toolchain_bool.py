# SPDX-License-Identifier: Apache-2.0
"""ASC805: `not`, `and`, `or` on compile-time values."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC805",
    name="boolean-of-constants",
    severity=Severity.WARNING,
    message=("pyasc 1.1.1 cannot evaluate `{operator}` on compile-time values; AscLens evaluates it as Python does."),
    help="Compute the condition at module level, or compare with `== False` or nested `if`.",
    message_zh="pyasc 1.1.1 无法对编译期值求 `{operator}`；AscLens 按 Python 语义求值。",
    help_zh="请在模块级算出条件，或用 `== False` 或嵌套 `if`。",
    source="pyasc 1.1.1: AttributeError on bool.logical_and / bool.__not__",
)


def report(operator: str, span: Span) -> Diagnostic:
    """Make the diagnostic."""
    return RULE.report(span, operator=operator)
