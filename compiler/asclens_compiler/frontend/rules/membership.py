# SPDX-License-Identifier: Apache-2.0
"""ASC012: `in` or `not in`."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC012",
    name="membership-test",
    severity=Severity.ERROR,
    message="A kernel has no membership test (`in`, `not in`).",
    help="Compare with each element: `(x == a) or (x == b)`.",
    message_zh="核函数中没有成员测试（`in`、`not in`）。",
    help_zh="请逐个比较：`(x == a) or (x == b)`。",
    source="pyasc 1.1.1 front end",
)


def report(span: Span) -> Diagnostic:
    """Make the diagnostic."""
    return RULE.report(span)
