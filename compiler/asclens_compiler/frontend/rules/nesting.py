# SPDX-License-Identifier: Apache-2.0
"""ASC004: source nested too deeply."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC004",
    name="nested-too-deeply",
    severity=Severity.ERROR,
    message="This is nested more than {limit} levels deep, the limit is {limit}.",
    help="Give intermediate results names, or move inner blocks into helper functions called in sequence.",
    message_zh="此处嵌套超过 {limit} 层，上限为 {limit} 层。",
    help_zh="为中间结果命名，或将内层代码移到依次调用的辅助函数中。",
    source="AscLens limit; regions of the compiler's representation nest natively",
)


def report(limit: int, span: Span) -> Diagnostic:
    """Make the diagnostic."""
    return RULE.report(span, limit=limit)
