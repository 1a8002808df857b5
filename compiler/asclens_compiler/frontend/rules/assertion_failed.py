# SPDX-License-Identifier: Apache-2.0
"""ASC014: a compile-time assert that does not hold."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC014",
    name="assert-failed",
    severity=Severity.ERROR,
    message="The assertion `{condition}` does not hold{message}.",
    help="Change the compile-time values that it checks.",
    message_zh="断言 `{condition}` 不成立{message}。",
    help_zh="请修改它所检查的编译期值。",
    source="Python semantics",
)


def report(condition: str, message: str, span: Span) -> Diagnostic:
    """Make the diagnostic; `message` is the text given to `assert`."""
    return RULE.report(span, condition=condition, message=f": {message}" if message else "")
